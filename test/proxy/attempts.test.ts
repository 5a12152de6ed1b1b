import { afterEach, describe, expect, test, vi } from "vitest";
import { failure } from "../helpers/answers.ts";
import { withStore } from "./failing-store.ts";
import { failureOf, gate, openProxy, type ProxyUnderTest, sameOf } from "./proxy-under-test.ts";
import { createMapStore, watchStore } from "./test-store.ts";

afterEach(() => {
  vi.useRealTimers();
});

/** Lets time go by on the clocks alone. */
const pass = (ms: number): void => {
  if (!vi.isFakeTimers()) vi.useFakeTimers({ toFake: ["Date"] });
  vi.setSystemTime(Date.now() + ms);
};

describe("at the end of its window, a call id", () => {
  const window = { callWindowMs: 60_000, timeoutMs: 5_000, storeTimeoutMs: 1_000 };

  test("still gives the answer of its last attempt, which was paid", async () => {
    const { submit, service } = await openProxy(window);
    service.play({ answer: failure(429) });
    expect((await submit("ann", {}, "call-1")).status).toBe(429);
    pass(59_000);
    const paid = await submit("ann", {}, "call-1");
    expect(paid.status).toBe(202);
    // The window of the attempt that was paid is its own.
    for (const ms of [2_000, 30_000, 27_000]) {
      pass(ms);
      expect(sameOf(await submit("ann", {}, "call-1"))).toEqual(sameOf(paid));
    }
    expect(service.charges).toHaveLength(1);
  });
});

test("a call id is sent again after each of a hundred refusals, and paid once", async () => {
  const { submit, service, memory } = await openProxy();
  service.play(...Array.from({ length: 100 }, () => ({ answer: failure(429) })));
  for (let tries = 0; tries < 100; tries++) {
    const refused = await submit("ann", {}, "call-1");
    expect(failureOf(refused)).toMatchObject({ status: 429, outcome: "refused" });
    // Nothing is kept of what was not carried out.
    expect(memory.values.size).toBe(0);
  }
  const paid = await submit("ann", {}, "call-1");
  expect(paid.status).toBe(202);
  expect(sameOf(await submit("ann", {}, "call-1"))).toEqual(sameOf(paid));
  expect(service.charges).toHaveLength(1);
});

describe("a store that stood still, and wrote the record of a call too late", () => {
  const begins = (next: unknown) => JSON.stringify(next ?? "").includes("sending");

  test("learns that nothing was sent, and the same id is sent", async () => {
    const standing = gate();
    const written = gate();
    const { submit, service, fail, heal, memory } = await withStore(async ({ go, step, args }) => {
      if (step !== "swap" || !begins(args[2])) throw new Error("the store stands still");
      await standing.promise;
      const value = await go();
      written.open();
      return value;
    });
    fail();
    const late = failureOf(await submit("ann", {}, "call-1"));
    expect(late).toMatchObject({ status: 503, outcome: "unknown" });
    heal();
    standing.open();
    await written.promise;
    await expect.poll(() => memory.values.size).toBe(0);
    expect((await submit("ann", {}, "call-1")).status).toBe(202);
    expect((await submit("ann", {}, "call-1")).status).toBe(202);
    expect(service.charges).toHaveLength(1);
  });

  test("keeps the record of another request, which was sent", async () => {
    const { store, callOf } = createMapStore();
    let isLate = true;
    const other = await openProxy({ store });
    const held = gate();
    other.service.play({ until: held.promise });
    const one = await openProxy({
      ...{ baseUrl: other.service.url, storeTimeoutMs: 25 },
      store: watchStore(store, async ({ go, step }) => {
        if (step !== "swap" || !isLate) return go();
        isLate = false;
        throw new Error("lost");
      }),
    });
    const sent = other.submit("ann", {}, "call-1");
    await expect.poll(() => other.service.posts().length).toBe(1);
    expect((await one.submit("ann", {}, "call-1")).status).toBe(503);
    await new Promise((soon) => setTimeout(soon, 150));
    expect(callOf("ann", "call-1").text).toContain("sending");
    const repeat = one.submit("ann", {}, "call-1");
    held.open();
    expect(sameOf(await repeat)).toEqual(sameOf(await sent));
    expect(other.service.charges).toHaveLength(1);
  });
});

test("a call that waited in vain for another process is not sent: its page may know that end", async () => {
  const { store } = createMapStore();
  const held = gate();
  const reached = gate();
  const one = await openProxy({
    limits: [{ windowMs: 86_400_000, jobs: 7 }],
    store: watchStore(store, async ({ go, args: [id] }) => {
      if (!String(id).startsWith("limit:")) return go();
      reached.open();
      await held.promise;
      throw new Error("gone");
    }),
  });
  let polls = 0;
  const other = await openProxy({
    baseUrl: one.service.url,
    store: watchStore(store, ({ go }) => {
      polls++;
      return go();
    }),
  });
  const first = one.submit("ann", {}, "call-1");
  await reached.promise;
  const second = other.submit("ann", {}, "call-1");
  await expect.poll(() => polls).toBeGreaterThan(0);
  held.open();
  for (const answered of [await first, await second]) {
    expect(failureOf(answered)).toMatchObject({ status: 503, outcome: "not-sent" });
  }
  expect(one.service.arrivals()).toBe(0);
  expect((await other.submit("ann", {}, "call-1")).status).toBe(202);
  expect(one.service.charges).toHaveLength(1);
});

describe("a call whose store is slow", () => {
  const brands = Array.from({ length: 5 }, (_, index) => `brand-${index + 1}`);

  /** Submits with brands that are Ann's; each question to the store takes four seconds. */
  const submitSlowly = async ({ submit, memory }: ProxyUnderTest) => {
    for (const brand of brands) {
      const text = JSON.stringify({ owner: "ann", at: Date.now() });
      await memory.store.swap(`owner:brand:${brand}`, "", { rev: "1", text });
    }
    return submit("ann", { brand_id: brands }, "call-1");
  };

  test("is not sent when its repeat would be told that it is lost", async () => {
    const memory = createMapStore();
    const store = watchStore(memory.store, ({ go, args: [key] }) => {
      if (String(key).startsWith("owner:brand:")) pass(4_000);
      return go();
    });
    const stage = await openProxy({ store });
    expect(failureOf(await submitSlowly({ ...stage, memory }))).toMatchObject({
      ...{ status: 503, outcome: "not-sent" },
      error: "the proxy's store is too slow, so this request was not sent",
    });
    expect(stage.service.arrivals()).toBe(0);
  });
});
