import { createClient } from "adgen-sdk";
import { createSubmissions, recoverJobs } from "adgen-sdk/submissions";
import { beforeAll, describe, expect, test } from "vitest";
import { failure, reset, success } from "../helpers/answers.ts";
import { secretKey } from "./fake-service.ts";
import { dataOf, openProxy, openWithThings, type ProxyUnderTest } from "./proxy-under-test.ts";

/** Ann has brand-1, ad-2 in it, job-3 and job-4; Bob has brand-5, ad-6, job-7 and job-8. */
const withThings = () => openWithThings("ann", "bob");

describe("a list", () => {
  let stage: ProxyUnderTest;
  beforeAll(async () => {
    stage = await withThings();
  });

  test("a list shows only the owner's things, the newest first", async () => {
    const rows: [owner: string, path: string, field: string, ids: string[]][] = [
      ["ann", "/v1/jobs", "jobs", ["job-4", "job-3"]],
      ["ann", "/v1/brands", "brands", ["brand-1"]],
      ["ann", "/v1/brands/brand-1/ads", "ads", ["ad-2"]],
      ["bob", "/v1/jobs", "jobs", ["job-8", "job-7"]],
      ["bob", "/v1/brands", "brands", ["brand-5"]],
      ["bob", "/v1/brands/brand-5/ads", "ads", ["ad-6"]],
      ["eve", "/v1/jobs", "jobs", []],
      ["eve", "/v1/brands", "brands", []],
    ];
    for (const [owner, path, field, ids] of rows) {
      expect(await stage.list(owner, path)).toEqual(ids);
      expect(Object.keys(dataOf(await stage.ask(owner, { path })).data)).toEqual([field]);
    }
  });

  test("a list of brands leaves out deleted brands, and brands that belong to somebody else now", async () => {
    const { list, ask, memory, proxy, service } = await withThings();
    const keys = ["owner:ad:ad-2", "owner:brand:brand-1"];
    for (const key of keys) expect(memory.values.has(key)).toBe(true);
    const brand = service.state.things.brands.get("brand-1") ?? {};
    for (const path of ["/v1/saved-ads/ad-2", "/v1/brands/brand-1"]) {
      expect((await ask("ann", { method: "DELETE", path })).status).toBe(200);
    }
    for (const key of keys) expect(memory.values.has(key)).toBe(false);
    // It is restored.
    service.state.things.brands.set("brand-1", brand);
    expect(await proxy.claim("brand", "brand-1", "bob")).toBe(true);
    expect(await list("ann", "/v1/brands")).toEqual([]);
    expect(await list("bob", "/v1/brands")).toEqual(["brand-1", "brand-5"]);
  });

  test("a list has as many of the owner's things as the page asks for", async () => {
    expect(await stage.list("ann", "/v1/jobs?limit=1")).toEqual(["job-4"]);
    expect(await stage.list("ann", "/v1/jobs?limit=2")).toEqual(["job-4", "job-3"]);
    for (const [status, shown] of [
      [404, 200],
      [503, 503],
    ] as const) {
      stage.service.play({ answer: failure(status) });
      expect(await stage.statusOf("ann", "/v1/jobs?limit=1")).toBe(shown);
    }
    const ads = [
      { id: "ad-2", brand_id: "brand-1" },
      { id: "ad-6", brand_id: "brand-5" },
    ];
    stage.service.play({ answer: success({ ads }) });
    expect(await stage.list("ann", "/v1/brands/brand-1/ads")).toEqual(["ad-2"]);
  });

  const secret = { name: "secret" };
  const odd: [what: string, data: unknown][] = [
    ["a bare array", [{ id: "brand-5", name: "secret" }, { id: "brand-1" }]],
    ["items without ids", { brands: [secret] }],
    ["ids of numbers", { brands: [{ id: 7, name: "secret" }] }],
    ["ids of the prototype", { brands: [{ id: "__proto__", ...secret }] }],
    ["nothing", null],
  ];
  test.each(odd)("a list that the service answers with %s shows nothing of other owners", async (_, data) => {
    stage.service.play({ answer: success(data) });
    const { body, status } = await stage.ask("ann", { path: "/v1/brands" });
    expect(status).toBeOneOf([200, 502]);
    expect(body).not.toMatch(/secret|brand-5|bob/);
  });
});

test("a client that shares a proxy's store doesn't see the submissions of its users", async () => {
  const { memory, service, submit } = await openProxy();
  const submissions = createSubmissions(memory.store);
  const client = createClient({ baseUrl: service.url, apiKey: secretKey, submissions });
  await submit("ann", {}, "call-1");
  await submit("ann");
  const held = service.hold();
  const ann = submit("ann", {}, "call-2");
  await held.begun;
  const { underWay, unknown } = await recoverJobs(client);
  expect({ underWay, unknown }).toEqual({ underWay: [], unknown: [] });
  held.open();
  expect((await ann).status).toBe(202);
  service.play({ answer: reset, charges: true });
  const request = { action: "generate-ad", prompt: "The server's" } as const;
  await expect(client.jobs.submit(request, { once: "order-17" })).rejects.toThrow();
  const [doubt, ...others] = (await recoverJobs(client)).unknown;
  expect(doubt?.candidates?.map(({ job_id: id }) => id)).toEqual(["job-4"]);
  expect(others).toEqual([]);
});
