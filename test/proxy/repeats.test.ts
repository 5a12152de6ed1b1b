// Plays repeats that the property test does not play.
import { afterEach, expect, test, vi } from "vitest";
import { answerWithText, failure, success } from "../helpers/answers.ts";
import { type Asked, dataOf, failureOf, openProxy, sameOf } from "./proxy-under-test.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** Lets time pass only on the clock that can be set. */
const pass = (ms: number): void => {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(Date.now() + ms);
};

const callId = { "idempotency-key": "call-1" };

test("a repeat of a call with a large answer gets the id of what was made", async () => {
  const { submit, ask, service, memory } = await openProxy();
  const prompt = "x".repeat(1_000_000);
  expect((await submit("ann", { prompt }, "call-2")).body).toContain(prompt);
  const data = { job_id: "job-1", status: "queued" };
  const again = await submit("ann", { prompt }, "call-2");
  expect([again.status, dataOf(again)]).toEqual([202, { success: true, data, error: null }]);
  const fields = { more: "x".repeat(20_000) };
  const [job, brand] = [{ job_id: "j".repeat(256), status: "queued" }, { id: "b".repeat(256) }];
  for (const [path, thing] of Object.entries({ "/v1/jobs": job, "/v1/brands": brand })) {
    service.play({ answer: success({ ...fields, prompt, ...thing }, 202) });
    const small = { action: "generate-ad", name: "Shoes" };
    const asked = { method: "POST", path, body: small, headers: callId };
    const owner = path;
    expect(dataOf(await ask(owner, asked)).data).toMatchObject({ ...thing, prompt });
    expect(dataOf(await ask(owner, asked)).data).toMatchObject(thing);
  }
  expect(service.sent("POST")).toHaveLength(3);
  for (const { text } of memory.values.values()) expect(text.length).toBeLessThan(20_000);
});

test.each([
  ["a long text", "x".repeat(1_000_000)],
  ["a long list", Array(100_000).fill("x")],
])("a call whose action is %s has a short record", async (_, action) => {
  const { submit, service, memory } = await openProxy();
  service.play({ answer: failure(413) });
  const first = sameOf(await submit("ann", { action }, "call-1"));
  expect(sameOf(await submit("ann", { action }, "call-1"))).toEqual(first);
  expect(failureOf(await submit("ann", { action: "y" }, "call-1")).status).toBe(409);
  expect(JSON.stringify([...memory.values]).length).toBeLessThan(5_000);
  expect(service.sent("POST")).toHaveLength(1);
});

test("a repeat with the same JSON in another form gets the first answer", async () => {
  const { submit, ask, service } = await openProxy();
  const first = sameOf(await submit("ann", {}, "call-1"));
  const typed = { "content-type": "application/json; charset=utf-8", cookie: "a=b" };
  const body = ' {"prompt": "S\\u0061le","action":"generate-ad"}\n';
  const again = await ask("ann", { method: "POST", body, headers: { ...callId, ...typed } });
  expect(sameOf(again)).toEqual(first);
  expect(service.sent("POST")).toHaveLength(1);
});

test("a repeated call id with another request is refused, and the answer names the first job", async () => {
  const { ask, submit, service, events } = await openProxy();
  const refuse = async (asked: Asked, words: string, jobId?: string) => {
    const answered = await ask("ann", { method: "POST", headers: callId, ...asked });
    const failed = { status: 409, outcome: "refused", success: false, data: null };
    const error = `this call id belongs to another request${words}`;
    expect(failureOf(answered)).toEqual({ ...failed, error });
    expect(dataOf(answered).job_id).toBe(jobId);
    expect(events.at(-1)).toMatchObject({ status: 409, repeated: false });
  };
  const held = service.hold();
  const first = submit("ann", {}, "call-1");
  await held.begun;
  const body = { action: "generate-ad", prompt: "Sale" };
  const other = { body: { ...body, prompt: "Another" } };
  await refuse(other, ", which is under way: ask again later, or take a new id for a new order");
  held.open();
  expect((await first).status).toBe(202);
  const made =
    ", which made the job job-1: wait for it with pollJob(client, error.jobId), " +
    "or take a new id for a new order";
  await refuse(other, made, "job-1");
  await refuse({ body: { ...body, variations: 2 } }, made, "job-1");
  await refuse({ body, path: "/v1/brands" }, made, "job-1");
  expect(service.received.length).toBe(1);
  // The same id by another owner is another call, whatever the call asks for.
  const eves = await ask("eve", { method: "POST", headers: callId, ...other });
  expect([eves.status, dataOf(eves).data["job_id"]]).toEqual([202, "job-2"]);
});

test("a repeated call id with another request learns of a lost answer, and of a broken answer's job", async () => {
  const { submit, service } = await openProxy();
  service.play({ charges: true, answer: answerWithText(202, "<h1>") });
  expect(failureOf(await submit("ann", {}, "lost"))).toMatchObject({ outcome: "unknown" });
  const lost = failureOf(await submit("ann", { prompt: "Another" }, "lost"));
  expect(lost).toMatchObject({ status: 409, outcome: "refused" });
  expect(lost.error).toContain("whose answer was lost");
  service.play({ answer: success({ job_id: "job-7", status: 7 }, 202) });
  await submit("ann", {}, "broken");
  const broken = await submit("ann", { prompt: "Another" }, "broken");
  expect([broken.status, dataOf(broken).job_id]).toEqual([409, "job-7"]);
});

const ids = ["", "x".repeat(129), "a b", "a\tb", "caf\u00E9", ["call-1", "call-2"]];
test.each(ids)("the call id %j is refused before anything is sent", async (id) => {
  const { submit, service } = await openProxy();
  const answered = failureOf(await submit("ann", {}, undefined, { "idempotency-key": id }));
  const error = "Idempotency-Key must have 1 to 128 visible ASCII characters";
  expect(answered).toMatchObject({ status: 400, outcome: "refused", error });
  expect(service.received).toHaveLength(0);
});

test("a call id is known for callWindowMs after the attempt that was paid", async () => {
  const { submit, service, memory } = await openProxy({ callWindowMs: 60_000 });
  service.play(...Array.from({ length: 10 }, () => ({ answer: failure(429) })));
  for (let tries = 0; tries < 10; tries++) {
    const refused = failureOf(await submit("ann", {}, "call-1"));
    expect(refused).toMatchObject({ status: 429, outcome: "refused" });
    // A call that was not carried out leaves no record.
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

test("a repeat after 29 days finds its order and its job", async () => {
  const { submit, ask, service } = await openProxy();
  const paid = await submit("ann", {}, "hero-7");
  const path = `/v1/jobs/${(dataOf(paid).data as { job_id: string }).job_id}`;
  for (const days of [1, 28]) {
    pass(days * 86_400_000);
    expect(sameOf(await submit("ann", {}, "hero-7"))).toEqual(sameOf(paid));
    expect((await ask("ann", { path })).status).toBe(200);
  }
  expect(service.charges).toHaveLength(1);
});

test("a repeat gets the first answer when the limits can't be read any more", async () => {
  let asked = 0;
  const limits = () => {
    asked += 1;
    if (asked > 1) throw new Error("the plans are away");
    return {};
  };
  const { submit, service } = await openProxy({ limits, hooks: { onError: () => {} } });
  const held = service.hold();
  const first = submit("ann", {}, "hero-7");
  await held.begun;
  const copy = submit("ann", {}, "hero-7");
  held.open();
  expect(sameOf(await copy)).toEqual(sameOf(await first));
  expect([service.charges.length, asked]).toEqual([1, 1]);
  // The first call with an id is not sent, and leaves the id free.
  const fresh = failureOf(await submit("ann", {}, "hero-8"));
  expect(fresh).toMatchObject({ status: 500, outcome: "not-sent" });
});

test.each([
  ["whose session has ended", async (): Promise<undefined> => undefined, 401, undefined],
  ["whose sign-in fails", () => Promise.reject(new Error("db is down")), 500, "1"],
])(
  "a repeat %s has an unknown outcome, because the first call may be under way",
  async (_, next, status, wait) => {
    let owner: () => Promise<string | undefined> = async () => "ann";
    const options = { authorize: () => owner(), hooks: { onError: () => {} } };
    const { submit, service } = await openProxy(options);
    const held = service.hold();
    const first = submit("ann", {}, "hero-7");
    await held.begun;
    owner = next;
    const copy = await submit("ann", {}, "hero-7");
    expect(failureOf(copy)).toMatchObject({ status, outcome: "unknown" });
    expect(copy.headers["retry-after"]).toBe(wait);
    held.open();
    expect([(await first).status, service.charges.length]).toEqual([202, 1]);
  },
);

test.each([400, 401, 402, 404, 429])(
  "a repeat of a call that a %i refused is sent",
  async (status) => {
    const { submit, service, memory } = await openProxy();
    service.play({ answer: failure(status) });
    const refused = failureOf(await submit("ann", {}, "call-1"));
    expect(refused).toMatchObject({ status: status === 401 ? 502 : status, outcome: "refused" });
    expect(memory.values.size).toBe(0);
    // The id is free for a corrected request, and belongs to that request from then on.
    const paid = await submit("ann", { prompt: "Mended" }, "call-1");
    expect(sameOf(await submit("ann", { prompt: "Mended" }, "call-1"))).toEqual(sameOf(paid));
    expect((await submit("ann", {}, "call-1")).status).toBe(409);
    expect([paid.status, service.charges.length]).toEqual([202, 1]);
  },
);

test("a call whose store is so slow that its repeat would be in doubt isn't sent", async () => {
  const { proxy, submit, meet, service } = await openProxy();
  const brands = Array.from({ length: 5 }, (_, index) => `brand-${index + 1}`);
  for (const brand of brands) await proxy.claim("brand", brand, "ann");
  meet(({ go, args: [key] }) => {
    if (String(key).startsWith("owner:brand:")) pass(4_000);
    return go();
  });
  expect(failureOf(await submit("ann", { brand_id: brands }, "call-1"))).toMatchObject({
    ...{ status: 503, outcome: "not-sent" },
    error: "the proxy's store or limits took too long, so this request was not sent",
  });
  expect(service.received).toHaveLength(0);
});

test.each([
  ["DELETE", "204", answerWithText(204), 200, undefined],
  ["DELETE", "205", answerWithText(205), 200, undefined],
  ["PATCH", "another brand", success({ id: "brand-9" }), 502, "unknown"],
])(
  "a page gets a fitting answer to a %s that the service answers with %s",
  async (method, _, answer, status, outcome) => {
    const { ask, make, statusOf, service } = await openProxy();
    const path = `/v1/brands/${await make("ann")}`;
    service.play({ answer });
    const answered = await ask("ann", { method, path, ...(method === "PATCH" && { body: {} }) });
    expect(failureOf(answered)).toMatchObject({ status, outcome });
    // A deleted brand has no owner.
    expect(await statusOf("ann", `${path}/ads`)).toBe(status === 200 ? 404 : 200);
  },
);
