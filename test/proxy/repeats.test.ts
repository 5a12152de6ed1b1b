// The property test plays repeats of all calls at random; here is what it does not see.
import { afterEach, describe, expect, test, vi } from "vitest";
import { failure, raw, reset, success } from "../helpers/answers.ts";
import { lossesOf, refusals } from "../helpers/service-faults.ts";
import { type Fault, gate } from "./fake-service.ts";
import { type Asked, dataOf, failureOf, openProxy, sameOf } from "./proxy-under-test.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Lets time go by on the clocks alone. */
const pass = (ms: number): void => {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(Date.now() + ms);
};

const callId = { "idempotency-key": "call-1" };

describe("a repeat", () => {
  test("gets the first one's bytes and headers, at once and later", async () => {
    const { submit, service, events } = await openProxy();
    const held = service.hold({ headers: { "x-request-id": "r-1", "retry-after": "3" } });
    const all = Array.from({ length: 10 }, () => submit("ann", {}, "call-1"));
    await held.begun;
    held.open();
    const answers = (await Promise.all(all)).map(sameOf);
    expect(answers[0]).toMatchObject({ status: 202, requestId: "r-1", retryAfter: "3" });
    // Whatever has become of the job.
    service.state.things.jobs.clear();
    answers.push(sameOf(await submit("ann", {}, "call-1")));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(service.sent("POST")).toHaveLength(1);
    expect(events.filter(({ repeated }) => repeated)).toHaveLength(10);
  });

  test("of a large answer gets its short fields", async () => {
    const { submit, service, memory } = await openProxy();
    const prompt = "x".repeat(1_000_000);
    expect((await submit("ann", { prompt }, "call-1")).body).toContain(prompt);
    const data = { job_id: "job-1", status: "queued", action: "generate-ad" };
    const again = await submit("ann", { prompt }, "call-1");
    expect([again.status, dataOf(again)]).toEqual([202, { success: true, data, error: null }]);
    expect(service.sent("POST")).toHaveLength(1);
    // Many fields, and a status like a picture, do not fill the store, either.
    const fields = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`f${at}`, "short"]),
    );
    const body = { status: "x".repeat(100_000), ...fields };
    expect((await submit("ann", body, "call-2")).status).toBe(202);
    expect((await submit("ann", body, "call-2")).body).toContain("job-2");
    for (const { text } of memory.values.values()) expect(text.length).toBeLessThan(20_000);
  });

  test.each([
    ["a job", "/v1/jobs", { job_id: "j".repeat(256), status: "queued" }],
    ["a brand", "/v1/brands", { id: "b".repeat(256) }],
  ])("of a large answer gets the long id of %s, wherever it stands", async (_, path, thing) => {
    const { ask, service } = await openProxy();
    const fields = Array.from({ length: 60 }, (_, at) => [`f${at}`, "short"]);
    const picture = "x".repeat(20_000);
    service.play({ answer: success({ ...Object.fromEntries(fields), picture, ...thing }, 202) });
    const body = { action: "generate-ad", name: "Shoes" };
    const asked = { method: "POST", path, body, headers: callId };
    expect(dataOf(await ask("ann", asked)).data).toMatchObject({ ...thing, picture });
    expect(dataOf(await ask("ann", asked)).data).toMatchObject(thing);
    expect(service.sent("POST")).toHaveLength(1);
  });

  test("is known by what it says, not by how it is written", async () => {
    const { ask, service } = await openProxy();
    const send = async (body: string, headers = {}) =>
      sameOf(await ask("ann", { method: "POST", body, headers: { ...callId, ...headers } }));
    const first = await send('{"action":"generate-ad","prompt":"Sale"}');
    const typed = { "content-type": "application/json; charset=utf-8", cookie: "a=b" };
    expect(await send(' {"prompt": "S\\u0061le","action":"generate-ad"}\n', typed)).toEqual(first);
    expect(service.sent("POST")).toHaveLength(1);
  });

  test("with another body, thing or method is refused, also while the first is under way", async () => {
    const { ask, submit, make, service } = await openProxy();
    const refuse = async (asked: Asked) => {
      const answered = await ask("ann", { method: "POST", headers: callId, ...asked });
      expect(failureOf(answered)).toEqual({
        ...{ status: 409, outcome: "refused", success: false, data: null },
        error: "this Idempotency-Key names another call: take a new one for each call",
      });
    };
    const held = service.hold();
    const first = submit("ann", {}, "call-1");
    await held.begun;
    const body = { action: "generate-ad", prompt: "Sale" };
    const others = [
      { body: { ...body, prompt: "Another" } },
      { body: { ...body, variations: 2 } },
      { body, path: "/v1/brands" },
    ];
    await refuse({ body: { ...body, prompt: "Another" } });
    held.open();
    expect((await first).status).toBe(202);
    for (const other of others) await refuse(other);
    const [one, two] = [await make("ann"), await make("ann")];
    const change = { method: "PATCH", body: { name: "New" }, path: `/v1/brands/${one}` };
    const headers = { "idempotency-key": "call-2" };
    expect((await ask("ann", { ...change, headers })).status).toBe(200);
    await refuse({ ...change, headers, body: { name: "Newer" } });
    await refuse({ ...change, headers, path: `/v1/brands/${two}` });
    await refuse({ method: "DELETE", headers, path: `/v1/brands/${one}` });
    expect([service.received.length, service.sent("PATCH").length]).toEqual([4, 1]);
  });

  const ids = ["", "x".repeat(129), "a b", "a\tb", "caf\u00E9", ["call-1", "call-2"]];
  test.each(ids)("cannot be named by %j, and nothing is sent", async (id) => {
    const { submit, service } = await openProxy();
    const answered = failureOf(await submit("ann", {}, undefined, { "idempotency-key": id }));
    const error = "Idempotency-Key must have 1 to 128 visible ASCII characters";
    expect(answered).toMatchObject({ status: 400, outcome: "refused", error });
    expect(service.received).toHaveLength(0);
  });

  test("is known to the end of the window of the attempt that was paid", async () => {
    const { submit, service, memory } = await openProxy({ callWindowMs: 60_000 });
    service.play(...Array.from({ length: 10 }, () => ({ answer: failure(429) })));
    for (let tries = 0; tries < 10; tries++) {
      const refused = failureOf(await submit("ann", {}, "call-1"));
      expect(refused).toMatchObject({ status: 429, outcome: "refused" });
      // Nothing is kept of what was not carried out.
      expect(memory.values.size).toBe(0);
    }
    pass(59_000);
    const paid = await submit("ann", {}, "call-1");
    expect(paid.status).toBe(202);
    for (const ms of [2_000, 30_000, 27_000]) {
      pass(ms);
      expect(sameOf(await submit("ann", {}, "call-1"))).toEqual(sameOf(paid));
    }
    expect(service.charges).toHaveLength(1);
    pass(2_000);
    await submit("ann", {}, "call-1");
    expect(service.charges).toHaveLength(2);
  });

  test("that has waited in vain is not sent: its page may know that end", async () => {
    const one = await openProxy({ limits: [{ windowMs: 86_400_000, jobs: 7 }] });
    const other = await openProxy({}, one);
    const [held, reached, asked] = [gate(), gate(), gate()];
    one.meet(async ({ go, args: [id] }) => {
      if (!String(id).startsWith("limit:")) return go();
      reached.open();
      await held.promise;
      throw new Error("gone");
    });
    other.meet(({ go }) => {
      asked.open();
      return go();
    });
    const first = one.submit("ann", {}, "call-1");
    await reached.promise;
    const second = other.submit("ann", {}, "call-1");
    await asked.promise;
    held.open();
    for (const answered of [await first, await second]) {
      expect(failureOf(answered)).toMatchObject({ status: 503, outcome: "not-sent" });
    }
    expect(one.service.received).toHaveLength(0);
    expect((await other.submit("ann", {}, "call-1")).status).toBe(202);
    expect(one.service.charges).toHaveLength(1);
  });

  test("after any other failure of the service gets it again, and nothing is sent", async () => {
    const { submit, service } = await openProxy({ timeoutMs: 400, maxResponseBytes: 65_536 });
    const faults: Fault[] = [
      ...[...lossesOf(202), ...refusals.filter(({ name }) => !name.startsWith("a 429"))],
      { edit: (text) => text.replace("queued", "x".repeat(70_000)) },
    ];
    for (const [index, fault] of faults.entries()) {
      service.play({ charges: true, ...fault });
      const first = await submit("ann", {}, `call-${index}`);
      expect(failureOf(first)).toMatchObject({ success: false, data: null });
      expect(sameOf(await submit("ann", {}, `call-${index}`))).toEqual(sameOf(first));
    }
    expect(service.received).toHaveLength(faults.length);
  });

  const ends: [what: string, faults: Fault[], status: number, outcome: string | undefined][] = [
    ["is sent again", [{ answer: failure(503) }], 200, undefined],
    ["is never refused", [{ answer: reset, charges: true }], 404, "unknown"],
    ["is never refused by 429", [{ answer: reset }, { answer: failure(429) }], 429, "unknown"],
    ["stays unknown", [{ answer: reset }, { answer: failure(500) }], 500, "unknown"],
  ];
  test.each(ends)("of a deletion that ended unknown %s", async (_, faults, ...end) => {
    const { ask, make, service } = await openProxy();
    const path = `/v1/brands/${await make("ann")}`;
    service.play(...faults);
    const asked = { method: "DELETE", path, headers: callId };
    expect(failureOf(await ask("ann", asked))).toMatchObject({ outcome: "unknown" });
    const { status, outcome } = failureOf(await ask("ann", asked));
    expect([status, outcome]).toEqual(end);
    expect(service.sent("DELETE")).toHaveLength(2);
  });
});

test("a call is not sent when its store is so slow that its repeat would be told of a loss", async () => {
  const { proxy, submit, meet, service } = await openProxy();
  const brands = Array.from({ length: 5 }, (_, index) => `brand-${index + 1}`);
  for (const brand of brands) await proxy.claim("brand", brand, "ann");
  meet(({ go, args: [key] }) => {
    if (String(key).startsWith("owner:brand:")) pass(4_000);
    return go();
  });
  expect(failureOf(await submit("ann", { brand_id: brands }, "call-1"))).toMatchObject({
    ...{ status: 503, outcome: "not-sent" },
    error: "the proxy's store is too slow, so this request was not sent",
  });
  expect(service.received).toHaveLength(0);
});

const nest = "[".repeat(20_000) + "]".repeat(20_000);
const deepen = (start: string) => (envelope: string) =>
  envelope.replace(start, `${start}"extra":${nest},`);

test("an answer too deep for JSON loses no job of its owner, and is no reason to hide a list", async () => {
  const { service, submit, list } = await openProxy();
  service.play({ edit: deepen('"data":{') });
  expect(failureOf(await submit("ann", {}, "call-1"))).toMatchObject({ outcome: "unknown" });
  expect(await list("ann")).toEqual(["job-1"]);
  await submit("bob");
  service.play({ edit: deepen('"jobs":[{') });
  expect(await list("ann")).toEqual(["job-1"]);
});

const other = success({ id: "brand-9" });
test.each([
  ["DELETE", "204", { answer: raw(204) }, 200, undefined],
  ["DELETE", "205", { answer: raw(205) }, 200, undefined],
  ["PATCH", "another brand", { answer: other }, 502, "unknown"],
])("a %s that is answered with %s", async (method, _, fault, status, outcome) => {
  const { ask, make, statusOf, service } = await openProxy();
  const path = `/v1/brands/${await make("ann")}`;
  service.play(fault);
  const answered = await ask("ann", { method, path, ...(method === "PATCH" && { body: {} }) });
  expect(failureOf(answered)).toMatchObject({ status, outcome });
  // A brand that is deleted is nobody's.
  expect(await statusOf("ann", `${path}/ads`)).toBe(status === 200 ? 404 : 200);
});
