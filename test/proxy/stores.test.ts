// Plays failures of stores that the property test does not play.
import { afterEach, expect, test, vi } from "vitest";
import { createClient } from "../../src/client/index.ts";
import type { ProxyOptions } from "../../src/proxy/proxy-options.ts";
import { createSubmissions } from "../../src/submissions/index.ts";
import { startVirtualTime } from "../submissions/virtual-world.ts";
import { secretKey } from "./fake-service.ts";
import {
  failureOf,
  gone,
  type Meet,
  openProxy,
  perDay,
  type StoreCall,
  sameOf,
  submissionOf,
} from "./proxy-under-test.ts";

/** Returns the statuses that Ann and Eve get when they read job-1. */
const pollOf = ({ statusOf }: Pick<Awaited<ReturnType<typeof openProxy>>, "statusOf">) =>
  Promise.all(["ann", "eve"].map((owner) => statusOf(owner, "/v1/jobs/job-1")));

// These tests come first, because the end of a request by the global fetch would set a virtual timer.
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const never = () => new Promise<never>(() => {});

/** Opens a proxy whose store fails in this way from the first request to the service on. */
const openInTime = async (meetLater: Meet, options: ProxyOptions & { isDead?: true } = {}) => {
  const time = startVirtualTime();
  const { isDead, ...more } = options;
  let hasBegun = false;
  const fetch = async (): Promise<Response> => {
    hasBegun = true;
    stage.meet(meetLater);
    const data = { job_id: "job-1", status: "queued" };
    return isDead ? never() : Response.json({ success: true, data, error: null });
  };
  const stage = await openProxy({ ...more, fetch });
  const { proxy, memory } = stage;
  return {
    ...{ ...stage, time },
    submitByFunction: (context = {}) => proxy(submissionOf("call-1"), context),
    begun: () => time.runUntil(() => hasBegun, 1_000),
    recordOf: async (id: string) => (await memory.store.get(id))?.text,
  };
};

test.each([
  [undefined, 60_000],
  [5_000, 5_000],
])("a proxy with the timeoutMs %j gives up a silent service after %i ms", async (timeoutMs, ms) => {
  const options = { timeoutMs, isDead: true } as const;
  const { submitByFunction, time } = await openInTime(({ go }) => go(), options);
  const answered = vi.fn();
  void submitByFunction().then(answered);
  await time.runUntil(() => answered.mock.calls.length > 0, 100_000);
  expect(time.now()).toBe(ms);
});

test.each(["owner:", "calls/"])("waitUntil waits for a late write to %s", async (place) => {
  const { submitByFunction, recordOf, meet, time } = await openInTime((call) =>
    String(call.args[0]).startsWith(place) ? gone(call) : call.go(),
  );
  let hasEnded = false;
  const waitUntil = async (work: Promise<unknown>): Promise<void> => {
    await work;
    hasEnded = true;
  };
  const answered = submitByFunction({ waitUntil });
  await time.pass(2_000);
  expect((await answered).status).toBe(200);
  expect(hasEnded).toBe(false);
  meet();
  await time.runUntil(() => hasEnded, 20_000);
  expect(await recordOf("owner:job:job-1")).toContain("ann");
  expect(await recordOf("calls/once:ann:call-1")).toContain("job-1");
});

test("a repeat of a lost call is in doubt, until the window of the call ends", async () => {
  const callWindowMs = 3_600_000;
  const one = await openInTime(never, { callWindowMs, isDead: true });
  const state = () => one.recordOf("calls/once:ann:call-1");
  void one.submitByFunction();
  await one.begun();
  const other = await openProxy({ callWindowMs }, one);
  const statuses: number[] = [];
  const ask = () => other.proxy(submissionOf("call-1")).then(({ status }) => statuses.push(status));
  void ask();
  await one.time.runUntil(() => statuses.length === 1, 75_000);
  await one.time.pass(15_000);
  void ask();
  await one.time.runUntil(() => statuses.length === 2, 15_000);
  expect(statuses).toEqual([503, 502]);
  await one.time.pass(callWindowMs - 60_000);
  expect(await state()).toContain("sending");
  await one.time.pass(60_000);
  expect(await state()).toBeUndefined();
});

test("a store that fails before the request leaves is not-sent, but unknown for a call id", async () => {
  const { submit, statusOf, service, meet, used } = await openProxy(perDay({ jobs: 7 }));
  meet(gone);
  const named = await submit("ann", {}, "call-1");
  expect(failureOf(named)).toMatchObject({ status: 503, outcome: "unknown", data: null });
  expect(named.headers["retry-after"]).toBe("1");
  expect(named.body).not.toMatch(/redis|10\.0/);
  expect(failureOf(await submit("ann"))).toMatchObject({ status: 503, outcome: "not-sent" });
  expect(await statusOf("ann", "/v1/jobs")).toBe(503);
  meet((call) => (String(call.args[0]).startsWith("limit:") ? gone(call) : call.go()));
  // No other call has this id.
  const first = failureOf(await submit("ann", {}, "call-2"));
  expect(first).toMatchObject({ status: 503, outcome: "not-sent" });
  expect(service.received).toHaveLength(0);
  meet();
  expect((await submit("ann", {}, "call-2")).status).toBe(202);
  expect(await used()).toEqual([1]);
});

test("a store that fails after the service's answer gets the records when it is back", async () => {
  const stage = await openProxy();
  const { submit, list, service, memory, meet } = stage;
  const held = service.hold();
  const submitted = submit("ann", {}, "call-1");
  await held.begun;
  meet(gone);
  held.open();
  expect((await submitted).status).toBe(202);
  // The store can be read again, but fails at writes.
  meet((call) => (call.step === "swap" ? gone(call) : call.go()));
  expect(memory.values.has("owner:job:job-1")).toBe(false);
  meet();
  await expect.poll(() => [...memory.values.keys()]).toContain("owner:job:job-1");
  expect([await pollOf(stage), await list("ann")]).toEqual([[200, 404], ["job-1"]]);
  await expect
    .poll(async () => sameOf(await submit("ann", {}, "call-1")))
    .toEqual(sameOf(await submitted));
});

type Way = [how: string, fails: (call: StoreCall, step: number) => boolean, during: number[]];
const ways: Way[] = [
  ["fails at writes", ({ step }) => step !== "get", [200, 404]],
  ["fails at each step", () => true, [503, 503]],
  ["fails at reads", ({ step }) => step === "get", [503, 503]],
];
test.each(ways)(
  "a job that two answers name stays with its owner when the store %s",
  async (...row) => {
    const [how, fails, during] = row;
    const stage = await openProxy();
    const { submit, service, meet } = stage;
    await submit("ann");
    const held = service.hold({ edit: (text) => text.replace("job-2", "job-1") });
    const submitted = submit("eve", {}, "call-1");
    await held.begun;
    let steps = 0;
    meet((call) => (fails(call, ++steps) ? gone(call) : call.go()));
    held.open();
    const answered = await submitted;
    if (how === "fails at reads") {
      expect(failureOf(answered)).toMatchObject({ status: 502, outcome: "unknown", data: null });
      expect(answered.body).not.toContain("job-1");
    }
    expect(await pollOf(stage)).toEqual(during);
    meet();
    expect(await pollOf(stage)).toEqual([200, 404]);
  },
);

test("a full store knows the owner of the job that it had room for", async () => {
  const one = await openProxy();
  const { values } = one.memory;
  one.meet((call) => {
    const [id, , next] = call.args;
    const isNew = call.step === "swap" && next !== undefined && !values.has(String(id));
    return isNew && values.size >= 1 ? gone(call) : call.go();
  });
  expect((await one.submit("ann")).status).toBe(202);
  const other = await openProxy({}, one);
  await expect.poll(() => other.statusOf("ann", "/v1/jobs/job-1")).toBe(200);
});

test("a call's record of another version is never answered, and nothing is sent again", async () => {
  const { submit, service, memory } = await openProxy();
  await submit("ann", {}, "call-1");
  const [[id, entry] = expect.fail()] = [...memory.values].filter(([id]) =>
    id.startsWith("calls/"),
  );
  for (const record of [{ v: 1 }, { v: 99 }, { state: "odd" }]) {
    const text = JSON.stringify({ ...JSON.parse(entry.text), ...record });
    memory.values.set(id, { ...entry, text });
    const again = failureOf(await submit("ann", {}, "call-1"));
    expect({ record, ...again }).toMatchObject({ data: null });
    expect(again.status).toBeGreaterThanOrEqual(500);
  }
  expect(service.sent("POST")).toHaveLength(1);
});

test("a client's ids never collide with the call ids of pages in one store", async () => {
  const { submit, service, memory } = await openProxy();
  const submissions = createSubmissions(memory.store);
  const client = createClient({ baseUrl: service.url, apiKey: secretKey, submissions });
  const ids = ["proxy:ann:call-1", "calls/once:ann:call-1", "ann:call-1", "call-1"];
  const [first, ...others] = ids.map((once) => () => {
    return client.jobs.submit({ action: "generate-ad" }, { once });
  });
  await first?.();
  expect((await submit("ann", {}, "call-1")).status).toBe(202);
  for (const id of ids.slice(1)) expect(await submissions.find(id)).toEqual({ state: "free" });
  for (const send of others) await send();
  expect((await submit("ann", {}, "call-1")).status).toBe(202);
  expect(service.charges).toHaveLength(1 + ids.length);
});

test("a submission gets its answer when the platform's waitUntil throws", async () => {
  const { proxy, service, errors } = await openProxy();
  const error = new Error("outside of a request");
  const waitUntil = () => {
    throw error;
  };
  expect((await proxy(submissionOf(), { waitUntil })).status).toBe(202);
  expect([service.charges.length, errors]).toEqual([1, [{ part: "proxy", error }]]);
});
