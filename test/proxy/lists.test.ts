import { beforeAll, describe, expect, test } from "vitest";
import type { ProxyOptions } from "../../src/proxy.ts";
import { success } from "../helpers/answers.ts";
import { dataOf, openProxy } from "./proxy-under-test.ts";
import { createMapStore, watchStore } from "./test-store.ts";

/** Two people with two things of each kind. */
const withThings = async (options: Partial<ProxyOptions> = {}) => {
  const stage = await openProxy(options);
  const of = async (owner: string) => {
    const brand = await stage.make(owner, "/v1/brands", { name: owner });
    const ad = await stage.make(owner, "/v1/saved-ads", { name: owner, brand_id: brand });
    const jobs: string[] = [];
    for (const prompt of ["one", "two"]) {
      jobs.unshift(await stage.make(owner, "/v1/jobs", { action: "generate-ad", prompt }));
    }
    return { brand, ad, jobs };
  };
  const [ann, bob] = [await of("ann"), await of("bob")];
  const list = async (owner: string, path = "/v1/jobs") => {
    const answered = await stage.ask(owner, { path });
    expect(answered.status).toBe(200);
    return dataOf(answered).data;
  };
  return { ...stage, ann, bob, list };
};

const ids = (items: unknown): unknown[] =>
  (items as { id?: string; job_id?: string }[]).map(({ id, job_id }) => job_id ?? id);

describe("a list", () => {
  let stage: Awaited<ReturnType<typeof withThings>>;
  beforeAll(async () => {
    stage = await withThings();
  });

  test("shows one's own things, and no other field", async () => {
    const { list, ann, bob } = stage;
    for (const [owner, { jobs, brand, ad }] of [
      ["ann", ann],
      ["bob", bob],
    ] as const) {
      const found = await list(owner);
      expect(Object.keys(found)).toEqual(["jobs"]);
      expect(ids(found["jobs"])).toEqual(jobs);
      const brands = await list(owner, "/v1/brands");
      expect(Object.keys(brands)).toEqual(["brands"]);
      expect(ids(brands["brands"])).toEqual([brand]);
      const ads = await list(owner, `/v1/brands/${brand}/ads`);
      expect(Object.keys(ads)).toEqual(["ads"]);
      expect(ids(ads["ads"])).toEqual([ad]);
    }
  });

  test("of a stranger is empty", async () => {
    const { list } = stage;
    expect(await list("eve")).toEqual({ jobs: [] });
    expect(await list("eve", "/v1/brands")).toEqual({ brands: [] });
  });

  test.each([
    ["/v1/jobs", "job-3", "job-7"],
    ["/v1/brands", "brand-1", "brand-5"],
  ])(
    "of %s shows none of somebody else, whatever the store has on it",
    async (path, own, foreign) => {
      const memory = createMapStore();
      const keys = [foreign, own].map((id) => `owner:${path.slice(4, -1)}:${id}`);
      const store = watchStore(memory.store, ({ step, go }) =>
        step === "list" ? Promise.all(keys.map(memory.store.get)) : go(),
      );
      const { list } = await withThings({ store });
      expect(ids((await list("ann", path))[path.slice(4)])).toEqual([own]);
    },
  );

  test("loses what is deleted", async () => {
    const { ask, ann, memory } = await withThings();
    const keys = [`owner:ad:${ann.ad}`, `owner:brand:${ann.brand}`];
    for (const key of keys) expect(memory.values.has(key)).toBe(true);
    for (const path of [`/v1/saved-ads/${ann.ad}`, `/v1/brands/${ann.brand}`]) {
      expect((await ask("ann", { method: "DELETE", path })).status).toBe(200);
    }
    for (const key of keys) expect(memory.values.has(key)).toBe(false);
  });

  test("of brands shows none that has gone to somebody else", async () => {
    const { list, ask, ann, proxy, service } = await withThings();
    const brand = service.state.things.brands.get(ann.brand) ?? {};
    await ask("ann", { method: "DELETE", path: `/v1/brands/${ann.brand}` });
    // It is restored.
    service.state.things.brands.set(ann.brand, brand);
    expect(await proxy.claim("brand", ann.brand, "bob")).toBe(true);
    expect(ids((await list("ann", "/v1/brands"))["brands"])).toEqual([]);
    expect(ids((await list("bob", "/v1/brands"))["brands"])).toContain(ann.brand);
  });

  test("holds at most as many as are asked for, and others do not take their place", async () => {
    const { list, ask, ann } = stage;
    expect(ids((await list("ann", "/v1/jobs?limit=1"))["jobs"])).toEqual([ann.jobs[0]]);
    expect(ids((await list("ann", "/v1/jobs?limit=2"))["jobs"])).toEqual(ann.jobs);
    for (const limit of ["", "-1", "1.5", "NaN", "1e400", "two", "0x10"]) {
      expect([limit, (await ask("ann", { path: `/v1/jobs?limit=${limit}` })).status]).toEqual([
        limit,
        400,
      ]);
    }
  });

  test.each([
    "owner=bob",
    "cursor=job-1",
    "limit=1&limit=5",
    "limit=1&page=2",
    "Limit=1",
    "brand_id=brand-5",
  ])("is not asked for with %s", async (query) => {
    const { ask, service } = stage;
    const before = service.arrivals();
    const answered = await ask("ann", { path: `/v1/jobs?${query}` });
    expect(answered.status).toBe(400);
    expect(service.arrivals()).toBe(before);
  });

  test("finds one's own running jobs that the service's page no longer has", async () => {
    const { list, ann, service } = stage;
    service.play({ answer: success({ jobs: [], total: 4 }) });
    expect(ids((await list("ann"))["jobs"])).toEqual(ann.jobs);
  });

  const odd: [what: string, data: unknown][] = [
    [
      "a bare array",
      [
        { job_id: "job-7", prompt: "secret" },
        { job_id: "job-3", status: "queued" },
      ],
    ],
    ["items without ids", { jobs: [{ prompt: "secret", status: "queued" }] }],
    ["ids of numbers", { jobs: [{ job_id: 7, prompt: "secret" }] }],
    [
      "ids of the prototype",
      { jobs: [{ job_id: "__proto__", prompt: "secret", status: "queued" }] },
    ],
    ["nothing", null],
  ];
  test.each(odd)("that the service gives as %s shows nothing of others", async (_, data) => {
    const { ask, service } = stage;
    service.play({ answer: success(data) });
    const { body, status } = await ask("ann");
    expect([200, 502]).toContain(status);
    expect(body).not.toMatch(/secret|job-7|job-8|bob/);
  });

  test("of ads shows none that is not one's own, or of another brand", async () => {
    const { list, ann, service } = stage;
    const ads = [
      { id: ann.ad, brand_id: ann.brand },
      { id: "ad-6", brand_id: "brand-5" },
    ];
    service.play({ answer: success({ ads }) });
    expect(ids((await list("ann", `/v1/brands/${ann.brand}/ads`))["ads"])).toEqual([ann.ad]);
  });
});
