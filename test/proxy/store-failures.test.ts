import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createMemoryStore } from "../../src/proxy.ts";
import { failure } from "../helpers/answers.ts";
import { withStore } from "./failing-store.ts";
import { dataOf, failureOf, openProxy, sameOf } from "./proxy-under-test.ts";
import type { StoreCall } from "./test-store.ts";

// The counts of a day begin anew at midnight: no test may run into it.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1) });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Lets so much time go by that nobody waits for the answer to an earlier request. */
const goOn = (): void => {
  vi.setSystemTime(Date.now() + 100_000);
};

const gone = (): never => {
  throw new Error("READONLY redis at 10.0.0.7");
};

/** Ways in which one step fails. */
const ways: [how: string, meet: (call: StoreCall) => unknown][] = [
  ["throws", gone],
  ["rejects", () => Promise.reject(new Error("redis at 10.0.0.7"))],
  [
    "rejects when it is done",
    async ({ go }) => {
      await go();
      throw new Error("lost");
    },
  ],
  ["is too slow", ({ go }) => new Promise((done) => setTimeout(() => done(go()), 40))],
  ["gives something else", () => ({ value: 7 })],
];

describe("a submission whose store", () => {
  test.each(ways)("%s at any one step is charged once at most", async (how, meet) => {
    const play = async (failing: number): Promise<void> => {
      const stage = await withStore((call) => (call.number === failing ? meet(call) : call.go()));
      const { submit, service, fail, heal } = stage;
      fail();
      const first = await submit("ann", {}, "call-1");
      const sent = service.posts().length;
      if (sent === 1) expect(failureOf(first)).toMatchObject({ status: 202, success: true });
      else expect(failureOf(first)).toMatchObject({ status: 503, data: null });
      expect(first.body).not.toMatch(/redis|10\.0/);
      goOn();
      const again = await submit("ann", {}, "call-1");
      // A store that says it has written cannot be caught at a lie.
      const isHonest = how !== "gives something else";
      if (sent === 1 && isHonest) expect(sameOf(again)).toEqual(sameOf(first));
      heal();
      goOn();
      const { status } = failureOf(await submit("ann", {}, "call-1"));
      expect([202, 502, 503]).toContain(status);
      expect(service.posts().length).toBeLessThanOrEqual(1);
      expect((await stage.used())[0]).toBeGreaterThanOrEqual(service.charges.length);
      expect((await stage.used())[0]).toBeLessThanOrEqual(2);
    };
    await Promise.all([1, 2, 3, 4, 5].map(play));
  });

  test.each(ways)("%s from any step on is charged once at most", async (_, meet) => {
    const play = async (failing: number): Promise<void> => {
      const stage = await withStore((call) => (call.number >= failing ? meet(call) : call.go()));
      const { submit, service, fail, heal } = stage;
      fail();
      const first = await submit("ann", {}, "call-1");
      expect(first.status).toBe(service.posts().length === 1 ? 202 : 503);
      goOn();
      await submit("ann", {}, "call-1");
      heal();
      goOn();
      await submit("ann", {}, "call-1");
      expect(service.posts().length).toBeLessThanOrEqual(1);
    };
    await Promise.all([1, 2, 3, 4, 5].map(play));
  });

  test("fails before the request left says so: it is not known of an earlier one", async () => {
    const { submit, ask, service, fail } = await withStore(gone);
    fail();
    expect(failureOf(await submit("ann", {}, "call-1"))).toMatchObject({
      ...{ status: 503, outcome: "unknown", data: null },
    });
    expect(failureOf(await submit("ann"))).toMatchObject({ status: 503, outcome: "not-sent" });
    expect((await ask("ann")).status).toBe(503);
    expect(service.arrivals()).toBe(0);
  });

  test("fails when this call is surely the first says that nothing was sent", async () => {
    const { submit, service, fail, heal, used } = await withStore((call) =>
      call.step === "add" ? gone() : call.go(),
    );
    fail();
    expect(failureOf(await submit("ann", {}, "call-1"))).toMatchObject({
      ...{ status: 503, outcome: "not-sent" },
    });
    heal();
    expect((await submit("ann", {}, "call-1")).status).toBe(202);
    expect(service.posts()).toHaveLength(1);
    expect(await used()).toEqual([1, 1]);
  });

  test("fails after the service's answer gets what it missed, when it is back", async () => {
    const { submit, ask, service, memory, fail, heal } = await withStore(gone);
    const { promise, resolve } = Promise.withResolvers<void>();
    service.play({ until: promise });
    const submitted = submit("ann", {}, "call-1");
    await expect.poll(() => service.posts().length).toBe(1);
    fail();
    resolve();
    expect((await submitted).status).toBe(202);
    expect([...memory.values.keys()].some((key) => key.startsWith("job:"))).toBe(false);
    expect(sameOf(await submit("ann", {}, "call-1"))).toEqual(sameOf(await submitted));
    heal();
    await expect.poll(() => [...memory.values.keys()]).toContain("job:job-1");
    expect((await ask("ann", { path: "/v1/jobs/job-1" })).status).toBe(200);
    expect((await ask("eve", { path: "/v1/jobs/job-1" })).status).toBe(404);
    expect(dataOf(await ask("ann")).data["jobs"]).toHaveLength(1);
  });

  test("is full refuses, and what is there stays", async () => {
    const { submit, ask, service, fail } = await withStore((call) =>
      ["setIfAbsent", "set", "add"].includes(call.step) ? gone() : call.go(),
    );
    await submit("ann", {}, "call-1");
    fail();
    expect((await submit("ann", {}, "call-2")).status).toBe(503);
    expect((await submit("bob", {}, "call-2")).status).toBe(503);
    expect((await ask("ann", { path: "/v1/jobs/job-1" })).status).toBe(200);
    expect(service.posts()).toHaveLength(1);
  });
});

describe("a service that answers with somebody else's job", () => {
  /** Ann has a job; the answer to Eve's submission names it, and the store fails at these steps. */
  const submitAsEve = async (fails: (call: StoreCall) => boolean) => {
    const stage = await withStore((call) => (fails(call) ? gone() : call.go()));
    await stage.submit("ann");
    const { promise, resolve } = Promise.withResolvers<void>();
    stage.service.play({ until: promise, edit: (text) => text.replace("job-2", "job-1") });
    const submitted = stage.submit("eve", {}, "call-1");
    await expect.poll(() => stage.service.posts().length).toBe(2);
    stage.fail();
    resolve();
    const look = async (owner: string) =>
      (await stage.ask(owner, { path: "/v1/jobs/job-1" })).status;
    return { ...stage, answered: await submitted, look };
  };

  test("leaves it to its owner while the store takes no new one", async () => {
    const { look } = await submitAsEve(({ step }) => step !== "get");
    expect([await look("ann"), await look("eve")]).toEqual([200, 404]);
  });

  test("leaves it to its owner when the store is back, and to nobody before", async () => {
    const { look, heal } = await submitAsEve(() => true);
    expect([await look("ann"), await look("eve")]).toEqual([503, 503]);
    heal();
    expect([await look("ann"), await look("eve")]).toEqual([200, 404]);
  });

  test.each<[string, (call: StoreCall) => boolean]>([
    ["does not tell whose it is", ({ step }) => step === "get"],
    ["answers the second attempt to write", ({ number }) => number === 1],
  ])("shows nothing of it when the store %s", async (_, fails) => {
    const { answered, look, heal } = await submitAsEve(fails);
    expect(failureOf(answered)).toMatchObject({ status: 502, outcome: "unknown", data: null });
    expect(answered.body).not.toContain("job-1");
    heal();
    expect([await look("ann"), await look("eve")]).toEqual([200, 404]);
  });
});

describe("a memory store that is full", () => {
  test("refuses a submission before it is sent, also one without a call id", async () => {
    const store = createMemoryStore({ maxEntries: 8 });
    const { submit, service } = await openProxy({ store });
    const named = (place: number) => (place % 2 ? `call-${place}` : undefined);
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, place) => submit("ann", {}, named(place))),
    );
    const taken = all.filter(({ status }) => status === 202);
    expect(taken.length).toBeGreaterThan(0);
    expect(service.arrivals()).toBe(taken.length);
    for (const answered of all.filter((one) => !taken.includes(one))) {
      expect(failureOf(answered)).toMatchObject({ status: 503, data: null });
    }
    expect(failureOf(await submit("ann"))).toMatchObject({ status: 503, outcome: "not-sent" });
    // Another process on the store knows every job that was paid.
    const other = await openProxy({ store, baseUrl: service.url });
    for (const { body } of taken) {
      const path = `/v1/jobs/${dataOf({ body }).data["job_id"]}`;
      expect((await other.ask("ann", { path })).status).toBe(200);
    }
  });

  test("is not filled by submissions that a limit or the service refuses", async () => {
    const store = createMemoryStore({ maxEntries: 20 });
    const limits = (owner: string) => [{ windowMs: 86_400_000, jobs: owner === "eve" ? 0 : 7 }];
    const { submit, make, service } = await openProxy({ store, limits });
    for (let place = 0; place < 30; place++) expect((await submit("eve")).status).toBe(402);
    expect((await submit("ann")).status).toBe(202);
    service.play(...Array.from({ length: 30 }, () => ({ answer: failure(400) })));
    for (let place = 0; place < 30; place++) expect((await submit("ann")).status).toBe(400);
    expect((await submit("ann")).status).toBe(202);
    await make("bob", "/v1/brands", { name: "Bob's" });
  });

  test("gives back what was reserved for a submission that it has no room for", async () => {
    const store = createMemoryStore({ maxEntries: 2 });
    const limits = [{ windowMs: 86_400_000, jobs: 1 }];
    const { submit, proxy } = await openProxy({ store, limits });
    await store.set("other", "1", {});
    expect(failureOf(await submit("ann"))).toMatchObject({ status: 503, outcome: "not-sent" });
    expect(await proxy.usage("ann")).toMatchObject([{ used: 0 }]);
    await store.remove("other");
    expect((await submit("ann")).status).toBe(202);
  });

  test("has room again when the time of its jobs is over", async () => {
    vi.useFakeTimers({ toFake: ["Date", "performance"] });
    const store = createMemoryStore({ maxEntries: 2 });
    const { submit } = await openProxy({ store, jobTtlMs: 60_000 });
    expect((await submit("ann")).status).toBe(202);
    expect((await submit("ann")).status).toBe(503);
    vi.advanceTimersByTime(600_000);
    expect((await submit("ann")).status).toBe(202);
  });
});

describe("a process that died in the middle of a submission", () => {
  test("leaves a call that is in doubt, and is never made again", async () => {
    const { submit, service, memory } = await openProxy();
    await submit("ann", {}, "call-1");
    const [key = ""] = [...memory.values.keys()].filter((name) => name.startsWith("call:"));
    const { value, until } = memory.values.get(key) ?? { value: "", until: 0 };
    const { answer, ...begun } = JSON.parse(value);
    memory.values.set(key, { value: JSON.stringify(begun), until });
    goOn();
    for (let repeat = 0; repeat < 2; repeat++) {
      expect(failureOf(await submit("ann", {}, "call-1"))).toMatchObject({
        ...{ status: 502, outcome: "unknown", data: null },
      });
    }
    expect((await submit("ann", { prompt: "Another" }, "call-1")).status).toBe(409);
    expect(service.posts()).toHaveLength(1);
  });
});
