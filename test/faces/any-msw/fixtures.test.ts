// With each MSW that the package accepts: see the project "msw2" in vitest.config.ts.
import { HttpResponse, http } from "msw";
import { afterAll, test as base, describe, expect, expectTypeOf, vi } from "vitest";
import { createMockService } from "../../../mocks/index.ts";
import { mockFixtures } from "../../../mocks/node.ts";
import { listen } from "../../helpers/http-server.ts";
import { createAsk, globalFetch } from "../../mocks/ask.ts";

const ask = (apiKey: string, origin?: string) => createAsk(globalFetch, apiKey, origin);

const test = base.extend(
  mockFixtures({ account: { credits: { image: { monthly: 3 }, video: {} } } }),
);

describe("a test with the fixture", () => {
  test("has a service, an account and a client of its own", async ({
    service,
    account,
    client,
    apiKey,
  }) => {
    const job = await client.jobs.submit({ action: "generate-ad", variations: 2 });
    expect(service.accounts).toEqual([account]);
    expect(account.key).toBe(apiKey);
    expect(apiKey).toMatch(/^test-[a-z-]*an-account-and-a-client-of-its-own-[a-z0-9]+$/);
    expectTypeOf(client.jobs.submit).toBeFunction();
    expectTypeOf(client).not.toBeAny();
    expect(account.credits.image).toEqual({ monthly: 1, purchased: 0 });
    account.assertCharges([{ jobId: job.job_id, amount: 2 }]);
  });

  test("begins anew, with ids that depend on nothing but its name", async ({ client, account }) => {
    expect(account.charges).toEqual([]);
    const job = await client.jobs.submit({ action: "generate-ad", variations: 2 });
    const alone = createMockService({ accounts: { [account.key]: {} } });
    const { data } = await createAsk(alone, account.key)("POST", "/v1/jobs", { action: "copy-ad" });
    expect(job.job_id).toBe(data.job_id);
    expect(await client.jobs.get(job)).toMatchObject({ status: "processing" });
  });

  test("is asked with its key at any origin, and journals no request of an unknown key", async ({
    mock,
    apiKey,
    service,
  }) => {
    service.faults.play({ kind: "reset" });
    expect((await ask("test-nobody")("GET", "/v1/jobs")).status).toBe(401);
    expect((await fetch(`${mock.baseUrl}/v1/jobs`)).status).toBe(401);
    expect(service.journal.entries).toEqual([]);
    const asked = ask(apiKey, "http://localhost:4010");
    await expect(asked("GET", "/v1/brands")).rejects.toThrow();
    expect((await asked("GET", "/v1/brands")).status).toBe(200);
    expect(service.journal.entries).toHaveLength(2);
  });

  test("is asked with the key of an account that it adds", async ({ service, apiKey }) => {
    const added = service.addAccount(`${apiKey}-second`);
    expect((await ask(added.key)("POST", "/v1/jobs", { action: "copy-ad" })).status).toBe(202);
    expect(service.journal.entries).toHaveLength(1);
    expect((await ask(apiKey)("GET", "/v1/jobs")).data).toEqual({ jobs: [] });
  });

  test("answers by handlers of its own", async ({ mock, apiKey }) => {
    mock.use(
      http.get("*/v1/jobs", () => HttpResponse.json({ data: "mine" })),
      http.get("https://collect.test/", () => HttpResponse.json({ data: "collected" })),
    );
    expect((await ask(apiKey)("GET", "/v1/jobs")).data).toBe("mine");
    expect((await ask(apiKey, "https://collect.test")("GET", "/")).data).toBe("collected");
    expect((await ask(apiKey)("GET", "/v1/brands")).data).toEqual({ brands: [] });
  });
});

const letGo: string[] = [];

test("a test ends without waiting for a stalled request", async ({ service, apiKey }) => {
  service.faults.play({ kind: "stall" });
  ask(apiKey)("GET", "/v1/jobs").catch(() => letGo.push("let go"));
  while (service.journal.entries.length === 0) await new Promise(setImmediate);
});

// The fixtures end the request after the test.
afterAll(async () => {
  await vi.waitFor(() => expect(letGo).toEqual(["let go"]), 60_000);
});

describe.concurrent("tests that run at the same time", () => {
  let arrived = 0;
  /** All are under way before any goes on. */
  const meet = async (): Promise<void> => {
    arrived += 1;
    await vi.waitUntil(() => arrived === 4, 60_000);
  };
  const keys = new Set<string>();
  const ids = new Set<string>();

  test.for([1, 2, 3])("see only their own: %i", async (variations, { client, account, expect }) => {
    await meet();
    keys.add(account.key);
    const job = await client.jobs.submit({ action: "generate-ad", variations });
    ids.add(job.job_id);
    expect(account.charges).toMatchObject([{ amount: variations }]);
    expect((await client.jobs.list()).items).toMatchObject([{ job_id: job.job_id }]);
  });

  test("see only their own: 3", async ({ client, account, expect }) => {
    await meet();
    keys.add(account.key);
    expect((await client.jobs.list()).items).toEqual([]);
  });

  afterAll(() => {
    // One name is there twice.
    expect([keys.size, ids.size]).toEqual([4, 3]);
  });
});

const open = base.extend(mockFixtures({ onUnhandled: "bypass" }));

open("a test whose fixture lets others through reaches them, and passes", async () => {
  const other = await listen((response) => response.end('{"data":"real"}'));
  expect(await (await fetch(other.url)).json()).toEqual({ data: "real" });
});

const fixed = base.extend(
  mockFixtures({
    apiKey: "test-app-key",
    baseUrl: "https://ads.test/api",
    timeline: { queuedMs: 1_000, processingMs: 1_000 },
    createClient: ({ baseUrl, apiKey }) => ({ speak: () => `${baseUrl} ${apiKey}` }),
  }),
);

fixed(
  "a fixture uses the caller's client, key, base URL and options of the service",
  async ({ client, apiKey, service }) => {
    expectTypeOf(client).toEqualTypeOf<{ speak: () => string }>();
    expect([client.speak(), apiKey]).toEqual(["https://ads.test/api test-app-key", "test-app-key"]);
    const { status, data, headers } = await ask(apiKey)("POST", "/api/v1/jobs", {
      action: "copy-ad",
    });
    expect([status, headers.get("retry-after")]).toEqual([202, "0"]);
    service.clock.advance(2_000);
    expect(service.jobs.all).toMatchObject([{ job_id: data.job_id }]);
  },
);
