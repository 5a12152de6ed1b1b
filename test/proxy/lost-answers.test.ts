import { describe, expect, test } from "vitest";
import type { ProxyOptions, ProxyResponseEvent } from "../../src/proxy.ts";
import { failure, reset, success } from "../helpers/answers.ts";
import { dataOf, gate, openProxy } from "./proxy-under-test.ts";

/** A proxy to which the answer about Ann's job gets lost, and the event of that submission. */
const loseAnswer = async (options: Partial<ProxyOptions> = {}) => {
  const stage = await openProxy(options);
  await stage.submit("bob", { prompt: "Bob's" });
  stage.service.play({ answer: reset, charges: true });
  expect((await stage.submit("ann", { prompt: "Ann's" }, "call-1")).status).toBe(502);
  const event = stage.events.at(-1);
  if (event?.findCandidates === undefined) throw new Error("no candidates are offered");
  return { ...stage, event, find: event.findCandidates };
};

describe("the observer of a submission whose answer was lost", () => {
  test("finds its job, which no user owns, and gives it to its owner", async () => {
    const { ask, proxy, event, find } = await loseAnswer();
    expect(event).toMatchObject({ owner: "ann", outcome: "unknown", repeated: false });
    const [job, ...others] = await find();
    expect(others).toEqual([]);
    expect(job).toMatchObject({ job_id: "job-2" });
    expect(await proxy.claim("job", "job-2", "ann")).toBe(true);
    expect(dataOf(await ask("ann")).data["jobs"]).toMatchObject([{ job_id: "job-2" }]);
    expect((await ask("bob", { path: "/v1/jobs/job-2" })).status).toBe(404);
  });

  test("is offered none that a user of another process owns", async () => {
    const one = await loseAnswer();
    const other = await openProxy({ store: one.memory.store, baseUrl: one.service.url });
    await other.submit("eve");
    expect((await one.find()).map(({ job_id }) => job_id)).toEqual(["job-2"]);
    await other.proxy.claim("job", "job-2", "eve");
    expect(await one.find()).toEqual([]);
  });

  test("is offered none whose answer is still on its way in another process", async () => {
    const one = await loseAnswer();
    const other = await openProxy({ store: one.memory.store, baseUrl: one.service.url });
    const slow = gate();
    one.service.play({ until: slow.promise });
    const eves = other.submit("eve");
    await expect.poll(() => one.service.charges.length).toBe(3);
    const found = one.find();
    await expect.poll(() => one.service.received.some(({ method }) => method === "GET")).toBe(true);
    slow.open();
    expect((await found).map(({ job_id }) => job_id)).toEqual(["job-2"]);
    expect(dataOf(await eves).data).toMatchObject({ job_id: "job-3" });
    expect((await other.ask("eve", { path: "/v1/jobs/job-3" })).status).toBe(200);
  });

  test("is asked for nothing that it does not want: no request is made by itself", async () => {
    const { service } = await loseAnswer();
    expect(service.received.filter(({ method }) => method === "GET")).toEqual([]);
  });

  test("hears why the service cannot be asked", async () => {
    const { service, find } = await loseAnswer();
    service.play({ answer: failure(401) });
    await expect(find()).rejects.toMatchObject({ code: "unauthorized" });
  });

  test("is offered nothing for a repeat, a refusal, a named job, or another call", async () => {
    const { submit, ask, make, service, events } = await loseAnswer();
    await submit("ann", { prompt: "Ann's" }, "call-1");
    service.play({ answer: failure(400) });
    await submit("ann");
    const unusable = success({ job_id: "job-9" }, 202);
    service.play({ answer: unusable, charges: true });
    await submit("ann");
    const brand = await make("ann", "/v1/brands", { name: "Mine" });
    service.play({ answer: reset });
    await ask("ann", { method: "PATCH", path: `/v1/brands/${brand}`, body: {} });
    const offers = events.slice(2).map((event: ProxyResponseEvent) => event.findCandidates);
    expect(offers).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });
});
