import { createClient, PaymentRequiredError } from "adgen-sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { OwnerLimit } from "../../src/proxy.ts";
import { failure, reset } from "../helpers/answers.ts";
import type { Fault } from "./fake-service.ts";
import { failureOf, gate, openProxy, withLimit } from "./proxy-under-test.ts";
import { createMapStore, watchStore } from "./test-store.ts";

const day = 86_400_000;

afterEach(() => {
  vi.useRealTimers();
});

describe("a limit of jobs", () => {
  test("lets exactly seven of fifty at once through", async () => {
    const { submit, service, used } = await withLimit({ jobs: 7 });
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => submit("ann", {}, `call-${index}`)),
    );
    expect(answers.filter(({ status }) => status === 202)).toHaveLength(7);
    expect(answers.filter(({ status }) => status === 402)).toHaveLength(43);
    expect(service.charges).toHaveLength(7);
    expect(await used()).toEqual([7]);
    expect(await used("bob")).toEqual([0]);
  });

  test("is not used up meanwhile by a picture that another limit refuses", async () => {
    const held = gate();
    const store = watchStore(createMapStore().store, async ({ args: [id], go }) => {
      if (String(id).startsWith(`limit:ann:${2 * day}:`)) await held.promise;
      return go();
    });
    const limits = [
      { windowMs: day, jobs: 1 },
      { windowMs: 2 * day, imageCredits: 1 },
    ];
    const { submit } = await openProxy({ limits, store });
    const picture = submit("ann", { action: "generate-ad", variations: 2 });
    const text = submit("ann", { action: "generate-ad-copy" });
    expect((await text).status).toBe(202);
    held.open();
    expect((await picture).status).toBe(402);
  });

  test("refuses in words of its own, and says when it is over", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    vi.setSystemTime(Date.UTC(2026, 0, 1, 23, 59, 0));
    const { submit, service } = await withLimit({ jobs: 1 });
    await submit("ann", {}, "call-1");
    const refused = await submit("ann", {}, "call-2");
    expect(failureOf(refused)).toMatchObject({ status: 402, outcome: "refused", data: null });
    expect(failureOf(refused).error).toMatch(/limit/i);
    expect(Number(refused.headers["retry-after"])).toBe(60);
    expect(service.posts()).toHaveLength(1);
    vi.setSystemTime(Date.UTC(2026, 0, 2, 0, 0, 1));
    expect((await submit("ann", {}, "call-3")).status).toBe(202);
    expect((await submit("ann", {}, "call-4")).status).toBe(402);
  });

  test("says which one it is beside its words, and the client's error has it", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1, 12) });
    const { submit, proxy, service } = await withLimit({ jobs: 1 });
    await submit("ann");
    const limit = { kind: "jobs", limit: 1, windowMs: day, endsAt: Date.UTC(2026, 0, 2) };
    expect(JSON.parse((await submit("ann")).body)).toMatchObject({ success: false, limit });
    const page = createClient({
      ...{ baseUrl: "http://proxy", apiKey: null, fetch: proxy.fetchAs("ann") },
    });
    const refused = await page.jobs.submit({ action: "generate-ad" }).catch(Object);
    expect(refused).toBeInstanceOf(PaymentRequiredError);
    expect(refused).toMatchObject({ limit, outcome: "refused" });
    // The service's own credits are no limit of the app.
    service.play({ answer: failure(402) });
    const bob = createClient({
      ...{ baseUrl: "http://proxy", apiKey: null, fetch: proxy.fetchAs("bob") },
    });
    const poor = await bob.jobs.submit({ action: "generate-ad" }).catch(Object);
    expect(poor).toBeInstanceOf(PaymentRequiredError);
    expect(poor).not.toHaveProperty("limit");
  });

  test("refuses a call id, and never lets it through later unnoticed", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const { submit, service } = await withLimit({ jobs: 1 });
    await submit("ann", {}, "call-1");
    expect((await submit("ann", {}, "call-2")).status).toBe(402);
    vi.setSystemTime(Date.now() + day);
    const again = await Promise.all([submit("ann", {}, "call-2"), submit("ann", {}, "call-2")]);
    expect(again[0].body).toBe(again[1].body);
    expect(service.charges.length).toBeLessThanOrEqual(2);
  });

  test("counts a repeated submission once", async () => {
    const { submit, used } = await withLimit({ jobs: 7 });
    for (let repeat = 0; repeat < 3; repeat++) await submit("ann", {}, "call-1");
    await Promise.all([submit("ann", {}, "call-2"), submit("ann", {}, "call-2")]);
    expect(await used()).toEqual([2]);
  });

  test("does not count brands and ads, and leaves reads alone", async () => {
    const { ask, make } = await withLimit({ jobs: 0 });
    const brand = await make("ann", "/v1/brands", { name: "Mine" });
    await make("ann", "/v1/saved-ads", { brand_id: brand });
    expect((await ask("ann")).status).toBe(200);
  });

  test("stands once for each window, or the proxy does not start", async () => {
    const one: OwnerLimit = { windowMs: day, jobs: 7 };
    await expect(openProxy({ limits: [one, { ...one, jobs: 5 }] })).rejects.toMatchObject({
      code: "config",
      message: expect.stringContaining("limits[1] limits jobs"),
    });
    const others = [one, { windowMs: day, imageCredits: 7 }, { windowMs: 2 * day, jobs: 7 }];
    const { submit } = await openProxy({ limits: others });
    expect((await submit("ann")).status).toBe(202);
  });

  test("of 0 lets nothing through", async () => {
    const { submit, service } = await withLimit({ jobs: 0 });
    expect((await submit("ann")).status).toBe(402);
    expect(service.arrivals()).toBe(0);
  });
});

describe("an amount that was reserved", () => {
  const back: [what: string, fault: Fault][] = [
    ["400", { answer: failure(400) }],
    ["402", { answer: failure(402) }],
    ["404", { answer: failure(404) }],
    ["429", { answer: failure(429) }],
  ];
  test.each(back)("is given back after a %s", async (_, fault) => {
    const { submit, service, used } = await withLimit({ imageCredits: 5, jobs: 1 });
    service.play(fault);
    expect((await submit("ann", { variations: 5 }, "call-1")).status).toBeGreaterThan(399);
    expect((await used()).sort()).toEqual([0, 0]);
    expect((await submit("ann", { variations: 5 }, "call-2")).status).toBe(202);
    expect((await used()).sort()).toEqual([1, 5]);
  });

  test("is given back when nobody was there, and by one limit that refuses to the others", async () => {
    const { submit, proxy } = await openProxy({
      baseUrl: "http://127.0.0.1:1",
      limits: [
        { windowMs: day, imageCredits: 5 },
        { windowMs: 2 * day, imageCredits: 3 },
        { windowMs: 3 * day, jobs: 2 },
      ],
    });
    const used = async () => (await proxy.usage("ann")).map(({ used }) => used);
    const refused = await submit("ann", { variations: 2 });
    expect(failureOf(refused)).toMatchObject({ outcome: "not-sent" });
    expect(await used()).toEqual([0, 0, 0]);
    expect((await submit("ann", { variations: 4 })).status).toBe(402);
    expect(await used()).toEqual([0, 0, 0]);
  });

  const kept: [what: string, fault: Fault][] = [
    ["500", { answer: failure(500) }],
    ["reset", { answer: reset, charges: true }],
    ["redirect", { answer: (response) => void response.writeHead(302).end() }],
  ];
  test.each(kept)("is kept after a %s: the job may exist", async (_, fault) => {
    const { submit, service, used } = await withLimit({ jobs: 1 });
    service.play(fault);
    expect(failureOf(await submit("ann", {}, "call-1"))).toMatchObject({ outcome: "unknown" });
    expect(await used()).toEqual([1]);
    expect((await submit("ann", {}, "call-2")).status).toBe(402);
  });

  test("is not given back twice", async () => {
    const { submit, service, used } = await withLimit({ jobs: 3 });
    await submit("ann", {}, "call-1");
    service.play({ answer: failure(402) });
    for (let repeat = 0; repeat < 3; repeat++) await submit("ann", {}, "call-2");
    expect(await used()).toEqual([1]);
  });
});

describe("a function of limits", () => {
  test("says them for each owner", async () => {
    const { submit, proxy } = await openProxy({
      limits: async (owner) => (owner === "ann" ? [{ windowMs: day, jobs: 1 }] : []),
    });
    for (const owner of ["ann", "bob"]) await submit(owner);
    expect((await submit("ann")).status).toBe(402);
    expect((await submit("bob")).status).toBe(202);
    expect(await proxy.usage("ann")).toMatchObject([{ kind: "jobs", used: 1, limit: 1 }]);
  });

  const broken: [how: string, limits: () => unknown][] = [
    [
      "throws",
      () => {
        throw new Error("the plan of ann is secret");
      },
    ],
    ["rejects", () => Promise.reject(new Error("the plan of ann is secret"))],
    ["gives nothing", () => undefined],
    ["gives no limit", () => [{ jobs: 7 }]],
    ["gives a limit of NaN", () => [{ windowMs: day, jobs: Number.NaN }]],
    ["gives one limit twice", () => [1, 2].map((jobs) => ({ windowMs: day, jobs }))],
  ];
  test.each(broken)("that %s lets nothing through", async (_, limits) => {
    const { submit, service, errors } = await openProxy({ limits: limits as () => OwnerLimit[] });
    const answered = await submit("ann");
    expect(failureOf(answered)).toMatchObject({ outcome: "not-sent", data: null });
    expect([500, 503]).toContain(answered.status);
    expect(answered.body).not.toContain("secret");
    expect(service.arrivals()).toBe(0);
    expect(errors).toMatchObject([{ part: "limits" }]);
  });
});
