import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { failure } from "../helpers/answers.ts";
import { limits, withStore } from "./failing-store.ts";
import { dataOf, failureOf, openProxy, sameOf } from "./proxy-under-test.ts";
import { createMapStore, type StoreCall, watchStore } from "./test-store.ts";

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
      String(call.args[0]).startsWith("limit:") ? gone() : call.go(),
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
    expect([...memory.values.keys()].some((key) => key.startsWith("owner:"))).toBe(false);
    expect(sameOf(await submit("ann", {}, "call-1"))).toEqual(sameOf(await submitted));
    heal();
    await expect.poll(() => [...memory.values.keys()]).toContain("owner:job:job-1");
    expect((await ask("ann", { path: "/v1/jobs/job-1" })).status).toBe(200);
    expect((await ask("eve", { path: "/v1/jobs/job-1" })).status).toBe(404);
    expect(dataOf(await ask("ann")).data["jobs"]).toHaveLength(1);
  });

  test("is full refuses, and what is there stays", async () => {
    const { submit, ask, service, fail } = await withStore((call) =>
      call.step === "swap" ? gone() : call.go(),
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

describe("a store that is full", () => {
  /** A store that takes no more than so many records. */
  const createSmallStore = (most: number) => {
    const memory = createMapStore();
    const store = watchStore(memory.store, ({ step, args: [id, , next], go }) => {
      const isNew = !memory.values.has(String(id)) && next !== undefined;
      if (step === "swap" && isNew && memory.values.size >= most) throw new Error("OOM");
      return go();
    });
    return { ...memory, store };
  };

  test("refuses a submission before it is sent, also one without a call id", async () => {
    const { store } = createSmallStore(0);
    const { submit, proxy, service } = await openProxy({ store, limits });
    expect(failureOf(await submit("ann"))).toMatchObject({ status: 503, outcome: "not-sent" });
    expect((await submit("ann", {}, "call-1")).status).toBe(503);
    expect(service.arrivals()).toBe(0);
    expect(await proxy.usage("ann")).toMatchObject([{ used: 0 }, { used: 0 }]);
  });

  test("knows the owner of a job that it had just room for", async () => {
    const { store } = createSmallStore(1);
    const { submit, service } = await openProxy({ store });
    const submitted = await submit("ann");
    expect(submitted.status).toBe(202);
    const other = await openProxy({ store, baseUrl: service.url });
    const path = `/v1/jobs/${dataOf(submitted).data["job_id"]}`;
    await expect.poll(async () => (await other.ask("ann", { path })).status).toBe(200);
  });

  test("is not filled by submissions that a limit or the service refuses", async () => {
    const { store } = createSmallStore(20);
    const own = (owner: string) => [{ windowMs: 86_400_000, jobs: owner === "eve" ? 0 : 7 }];
    const { submit, make, service } = await openProxy({ store, limits: own });
    for (let place = 0; place < 30; place++) expect((await submit("eve")).status).toBe(402);
    expect((await submit("ann")).status).toBe(202);
    service.play(...Array.from({ length: 30 }, () => ({ answer: failure(400) })));
    for (let place = 0; place < 30; place++) expect((await submit("ann")).status).toBe(400);
    expect((await submit("ann")).status).toBe(202);
    await make("bob", "/v1/brands", { name: "Bob's" });
  });
});
