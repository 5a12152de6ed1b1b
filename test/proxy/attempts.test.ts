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
    // Until the first attempt is forgotten the last one is not, either.
    for (const ms of [2_000, 30_000, 29_000, 5_000, 10_000]) {
      pass(ms);
      expect(sameOf(await submit("ann", {}, "call-1"))).toEqual(sameOf(paid));
    }
    expect(service.charges).toHaveLength(1);
  });

  test("gives the answer of the last of many attempts", async () => {
    const { submit, service } = await openProxy(window);
    const words = ["one", "two", "three"];
    service.play(...words.map((error) => ({ answer: failure(429, error) })));
    for (const error of words) {
      expect(failureOf(await submit("ann", {}, "call-1"))).toMatchObject({ status: 429, error });
      pass(1_000);
    }
    pass(60_000);
    expect(failureOf(await submit("ann", {}, "call-1"))).toMatchObject({ error: "three" });
    expect(service.arrivals()).toBe(3);
  });

  /** Submits in vain; the writer's clock, and not the store's, is ahead. */
  const refuseAhead = async (aheadMs: number) => {
    const stage = await openProxy(window);
    stage.service.play({ answer: failure(429) });
    expect((await stage.submit("ann", {}, "call-1")).status).toBe(429);
    for (const entry of stage.memory.values.values()) {
      const { at, ...record } = JSON.parse(entry.value);
      entry.value = JSON.stringify({ ...record, at: at + aheadMs });
    }
    return stage;
  };

  test("is paid once after a clock that was ahead", async () => {
    const { submit, service } = await refuseAhead(100_000);
    pass(135_000);
    const paid = await submit("ann", {}, "call-1");
    expect(paid.status).toBe(202);
    for (const ms of [4_000, 2_000, 30_000, 23_000]) {
      pass(ms);
      expect(sameOf(await submit("ann", {}, "call-1"))).toEqual(sameOf(paid));
    }
    expect(service.charges).toHaveLength(1);
  });

  test("is paid by its third attempt, and says so, after a clock that was ahead", async () => {
    const { submit, service } = await refuseAhead(100_000);
    service.play({ answer: failure(429) });
    pass(41_000);
    expect((await submit("ann", {}, "call-1")).status).toBe(429);
    pass(118_000);
    const paid = await submit("ann", {}, "call-1");
    expect(paid.status).toBe(202);
    for (const ms of [10_000, 20_000, 29_000]) {
      pass(ms);
      expect(sameOf(await submit("ann", {}, "call-1"))).toEqual(sameOf(paid));
    }
    expect(service.charges).toHaveLength(1);
  });

  test("of a clock that was far ahead is not tried again", async () => {
    const { submit, service } = await refuseAhead(1_000_000);
    pass(1_000);
    expect((await submit("ann", {}, "call-1")).status).toBe(429);
    expect(service.arrivals()).toBe(1);
  });

  test("stays in doubt when the process of a later attempt has died", async () => {
    const { submit, service, memory } = await openProxy(window);
    service.play({ answer: failure(429) });
    await submit("ann", {}, "call-1");
    pass(1_000);
    await submit("ann", {}, "call-1");
    const [, key = ""] = [...memory.values.keys()].filter((name) => name.startsWith("call:"));
    const { value, until } = memory.values.get(key) ?? { value: "", until: 0 };
    const { answer, ...begun } = JSON.parse(value);
    memory.values.set(key, { value: JSON.stringify(begun), until });
    pass(65_000);
    expect(failureOf(await submit("ann", {}, "call-1"))).toMatchObject({ outcome: "unknown" });
    expect(service.charges).toHaveLength(1);
  });
});

test("a call id that was tried a hundred times in vain says so", async () => {
  const { submit, service, memory } = await openProxy();
  service.play(...[1, 2].map(() => ({ answer: failure(429) })));
  await submit("ann", {}, "call-1");
  const key = "call:ann:call-1";
  const record = memory.values.get(key) ?? { value: "", until: 0 };
  for (let attempt = 2; attempt < 100; attempt++) memory.values.set(`${key}:${attempt}`, record);
  expect((await submit("ann", {}, "call-1")).status).toBe(429);
  expect(failureOf(await submit("ann", {}, "call-1"))).toMatchObject({
    ...{ status: 409, outcome: "refused" },
    error: expect.stringContaining("was tried 100 times in vain: take a new one"),
  });
  expect(service.arrivals()).toBe(2);
});

describe("a store that stood still, and wrote the record of a call too late", () => {
  const begins = (value: unknown) => typeof value === "string" && !value.includes('"answer"');

  test("learns that nothing was sent, and the same id is sent", async () => {
    const standing = gate();
    const { submit, service, fail, heal, memory } = await withStore(async ({ go, step, args }) => {
      if (step !== "setIfAbsent" || !begins(args[1])) throw new Error("the store stands still");
      await standing.promise;
      return go();
    });
    fail();
    const late = failureOf(await submit("ann", {}, "call-1"));
    expect(late).toMatchObject({ status: 503, outcome: "unknown" });
    heal();
    standing.open();
    const record = () => memory.values.get("call:ann:call-1")?.value ?? "";
    await expect.poll(() => record().includes('"adgen-outcome":"not-sent"')).toBe(true);
    expect((await submit("ann", {}, "call-1")).status).toBe(202);
    expect((await submit("ann", {}, "call-1")).status).toBe(202);
    expect(service.charges).toHaveLength(1);
  });

  test("keeps the record of another request, which was sent", async () => {
    const { store, values } = createMapStore();
    let isLate = true;
    const other = await openProxy({ store });
    const held = gate();
    other.service.play({ until: held.promise });
    const one = await openProxy({
      ...{ baseUrl: other.service.url, storeTimeoutMs: 25 },
      store: watchStore(store, async ({ go, step }) => {
        if (step !== "setIfAbsent" || !isLate) return go();
        isLate = false;
        throw new Error("lost");
      }),
    });
    const sent = other.submit("ann", {}, "call-1");
    await expect.poll(() => other.service.posts().length).toBe(1);
    expect((await one.submit("ann", {}, "call-1")).status).toBe(503);
    await new Promise((soon) => setTimeout(soon, 150));
    expect(values.get("call:ann:call-1")?.value).not.toContain("not-sent");
    const repeat = one.submit("ann", {}, "call-1");
    held.open();
    expect(sameOf(await repeat)).toEqual(sameOf(await sent));
    expect(other.service.charges).toHaveLength(1);
  });
});

describe("a call whose store is slow", () => {
  const brands = Array.from({ length: 5 }, (_, index) => `brand-${index + 1}`);

  /** Submits with brands that are Ann's; each question to the store takes four seconds. */
  const submitSlowly = async ({ submit, memory }: ProxyUnderTest) => {
    for (const brand of brands) {
      const record = JSON.stringify({ owner: "ann", at: Date.now() });
      await memory.store.set(`brand:${brand}`, record, {});
    }
    return submit("ann", { brand_id: brands }, "call-1");
  };

  test("is not sent when its repeat would be told that it is lost", async () => {
    const memory = createMapStore();
    const store = watchStore(memory.store, ({ go, args: [key] }) => {
      if (String(key).startsWith("brand:")) pass(4_000);
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
