import { afterEach, describe, expect, test, vi } from "vitest";
import { success } from "../helpers/answers.ts";
import { dataOf, failureOf, gate, openProxy, sameOf } from "./proxy-under-test.ts";
import { watchStore } from "./test-store.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("a submission with the same call id", () => {
  test("gives ten at once one job, and equal bytes", async () => {
    const { submit, service, events } = await openProxy();
    const held = gate();
    service.play({ until: held.promise, headers: { "x-request-id": "r-1", "retry-after": "3" } });
    const all = Array.from({ length: 10 }, () => submit("ann", {}, "call-1"));
    await expect.poll(() => service.posts().length).toBe(1);
    held.open();
    const answers = (await Promise.all(all)).map(sameOf);
    expect(answers[0]).toMatchObject({ status: 202, requestId: "r-1", retryAfter: "3" });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(service.posts()).toHaveLength(1);
    expect(events.filter(({ repeated }) => repeated)).toHaveLength(9);
  });

  test("gives the same answer later, whatever has become of the job", async () => {
    const { submit, ask, service } = await openProxy();
    service.play({ headers: { "x-request-id": "r-1" } });
    const first = sameOf(await submit("ann", {}, "call-1"));
    service.state.things.jobs.clear();
    expect((await ask("ann", { path: "/v1/jobs/job-1" })).status).toBe(404);
    expect(sameOf(await submit("ann", {}, "call-1"))).toEqual(first);
    expect(service.posts()).toHaveLength(1);
  });

  test("is remembered by the short fields of an answer that is large", async () => {
    const { submit, ask, service, memory } = await openProxy();
    const prompt = "x".repeat(1_000_000);
    expect((await submit("ann", { prompt }, "call-1")).body).toContain(prompt);
    const again = await submit("ann", { prompt }, "call-1");
    expect(again.status).toBe(202);
    const data = { job_id: "job-1", status: "queued", action: "generate-ad" };
    expect(dataOf(again)).toEqual({ success: true, data, error: null });
    expect(service.posts()).toHaveLength(1);
    // Many fields, and a status like a picture, do not fill the store, either.
    const fields = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, at) => [`f${at}`, "short"]),
    );
    const body = { action: "generate-ad", status: "x".repeat(100_000), ...fields };
    const headers = { "idempotency-key": "call-2" };
    expect((await ask("ann", { method: "POST", body, headers })).status).toBe(202);
    expect((await ask("ann", { method: "POST", body, headers })).body).toContain("job-2");
    for (const { text } of memory.values.values()) expect(text.length).toBeLessThan(20_000);
  });

  test.each([
    ["of a job", "/v1/jobs", { job_id: "job-1", status: "queued" }],
    ["of a job, however long", "/v1/jobs", { job_id: "j".repeat(256), status: "queued" }],
    ["of a brand", "/v1/brands", { id: "brand-1" }],
    ["of a brand, however long", "/v1/brands", { id: "b".repeat(256) }],
  ])("is remembered by the id %s, behind whatever it stands", async (_, path, thing) => {
    const { ask, service } = await openProxy();
    const fields = Array.from({ length: 60 }, (_, at) => [`f${at}`, "short"]);
    const picture = "x".repeat(20_000);
    service.play({ answer: success({ ...Object.fromEntries(fields), picture, ...thing }, 202) });
    const body = { action: "generate-ad", name: "Shoes" };
    const asked = { method: "POST", path, body, headers: { "idempotency-key": "call-1" } };
    expect(dataOf(await ask("ann", asked)).data).toMatchObject({ ...thing, picture });
    expect(dataOf(await ask("ann", asked)).data).toMatchObject(thing);
    expect(service.posts()).toHaveLength(1);
  });

  test("is known by what it says, not by how it is written", async () => {
    const { ask, service } = await openProxy();
    const body = '{"action":"generate-ad","prompt":"Sale"}';
    const send = (text: string, headers = {}) =>
      ask("ann", {
        method: "POST",
        headers: { "idempotency-key": "call-1", ...headers },
        body: text,
      });
    const first = sameOf(await send(body));
    expect(sameOf(await send(`  ${body}\n`))).toEqual(first);
    const typed = { "content-type": "application/json; charset=utf-8", cookie: "a=b" };
    expect(sameOf(await send(body, typed))).toEqual(first);
    expect(service.posts()).toHaveLength(1);
  });

  test("and another body or endpoint is refused", async () => {
    const { ask, submit, service } = await openProxy();
    await submit("ann", {}, "call-1");
    const refusals = [
      await submit("ann", { prompt: "Another" }, "call-1"),
      await submit("ann", { variations: 2 }, "call-1"),
      await ask("ann", {
        method: "POST",
        path: "/v1/brands",
        body: { action: "generate-ad", prompt: "Sale" },
        headers: { "idempotency-key": "call-1" },
      }),
    ];
    for (const refusal of refusals) {
      expect(failureOf(refusal)).toMatchObject({ status: 409, outcome: "refused", data: null });
      expect(refusal.body).not.toMatch(/job-1|may have been carried out/);
    }
    expect(service.posts()).toHaveLength(1);
  });

  test("and another body is refused while the first is under way", async () => {
    const { submit, service } = await openProxy();
    const held = gate();
    service.play({ until: held.promise });
    const first = submit("ann", {}, "call-1");
    await expect.poll(() => service.posts().length).toBe(1);
    expect((await submit("ann", { prompt: "Another" }, "call-1")).status).toBe(409);
    held.open();
    expect((await first).status).toBe(202);
  });

  test("of another owner is another submission", async () => {
    const { submit, service } = await openProxy();
    const [ann, bob] = await Promise.all(["ann", "bob"].map((who) => submit(who, {}, "call-1")));
    expect(ann && bob && dataOf(ann).data["job_id"]).not.toBe(bob && dataOf(bob).data["job_id"]);
    expect(service.charges).toHaveLength(2);
  });

  const bad: [what: string, headers: Record<string, string | string[]>][] = [
    ["empty", { "idempotency-key": "" }],
    ["too long", { "idempotency-key": "x".repeat(129) }],
    ["with a space", { "idempotency-key": "a b" }],
    ["with a tab", { "idempotency-key": "a\tb" }],
    ["beyond ASCII", { "idempotency-key": "caf\u00E9" }],
    ["given twice", { "idempotency-key": ["call-1", "call-2"] }],
  ];
  test.each(bad)("%s is refused, and nothing is sent", async (_, headers) => {
    const { submit, service } = await openProxy();
    const answered = await submit("ann", {}, undefined, headers);
    expect(failureOf(answered)).toMatchObject({ status: 400, outcome: "refused" });
    expect(answered.body).not.toContain("may have been carried out");
    expect(service.arrivals()).toBe(0);
  });

  test("is remembered for the window, and no longer", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { submit, service } = await openProxy({ callWindowMs: 3_600_000 });
    await submit("ann", {}, "call-1");
    vi.setSystemTime(Date.now() + 3_590_000);
    await submit("ann", {}, "call-1");
    expect(service.charges).toHaveLength(1);
    vi.setSystemTime(Date.now() + 20_000);
    await submit("ann", {}, "call-1");
    expect(service.charges).toHaveLength(2);
  });

  test("is remembered while the first is under way, however long that takes", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const one = await openProxy({ callWindowMs: 60_000, timeoutMs: 300_000 });
    let polls = 0;
    const other = await openProxy({
      ...{ callWindowMs: 60_000, timeoutMs: 300_000 },
      baseUrl: one.service.url,
      store: watchStore(one.memory.store, ({ step, go }) => {
        if (step === "swap") polls++;
        return go();
      }),
    });
    const held = gate();
    one.service.play({ until: held.promise });
    const first = one.submit("ann", {}, "call-1");
    await expect.poll(() => one.service.posts().length).toBe(1);
    vi.setSystemTime(Date.now() + 61_000);
    const again = other.submit("ann", {}, "call-1");
    await expect.poll(() => polls + one.service.posts().length).toBeGreaterThan(1);
    held.open();
    expect(sameOf(await again)).toEqual(sameOf(await first));
    expect(one.service.posts()).toHaveLength(1);
    expect(other.events).toMatchObject([{ repeated: true }]);
  });

  test("without one is a submission of its own each time", async () => {
    const { submit, service } = await openProxy();
    await Promise.all([submit("ann"), submit("ann")]);
    expect(service.charges).toHaveLength(2);
  });
});

describe("brands and ads", () => {
  test("are made once for each call id, too", async () => {
    const { ask, service, make } = await openProxy();
    const brand = await make("ann", "/v1/brands", { name: "Mine" });
    for (const [path, body] of [
      ["/v1/brands", { name: "Shoes" }],
      ["/v1/saved-ads", { name: "Sale", brand_id: brand }],
    ] as const) {
      const before = service.charges.length;
      const send = () =>
        ask("ann", {
          method: "POST",
          path,
          body,
          headers: { "idempotency-key": `for ${path}`.replace(" ", "-") },
        });
      const answers = await Promise.all([send(), send(), send()]);
      answers.push(await send());
      for (const answer of answers) expect(sameOf(answer)).toEqual(sameOf(await send()));
      expect(answers[0]?.status).toBe(201);
      expect(service.charges).toHaveLength(before + 1);
    }
  });
});
