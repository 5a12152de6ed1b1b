// The programs of examples/tasks: what each does, and what it costs.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient, type FinishedJob } from "adgen-sdk";
import { startMockServer } from "adgen-sdk/mocks/server";
import { createMemoryStore, type RecordStore } from "adgen-sdk/submissions";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { redisPath } from "../tools/redis.ts";
import { type RedisServer, startRedis } from "./bullmq/redis-server.ts";
import { pause } from "./helpers/client.ts";
import { writeRecipe } from "./helpers/recipes.ts";
import { runCommand } from "./helpers/run-command.ts";
import { letRealTimePass, useTaskScene } from "./helpers/task-scene.ts";

const scene = useTaskScene();
const { run, account } = scene;

type Answer = (request: Request) => Promise<Response>;
const shop = "https://shop.test";
const post = (path: string, body: unknown, user?: string) =>
  new Request(shop + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: user === undefined ? {} : { "x-user": user },
  });

describe("a script", () => {
  test("prints the URLs of an ad", async () => {
    await run("an-ad-and-its-urls.ts");
    expect(scene.printed).toEqual(Array(3).fill(expect.stringMatching(/^data:image\/svg\+xml/)));
    account().assertCharges([{ action: "generate-ad", amount: 3 }]);
  });

  test("gives results types, and a paid one that does not fit to its caller", async () => {
    await run("results-with-types.ts");
    expect(scene.printed).toEqual(["1080 × 1080"]);
    const result = { images: [] };
    scene.service.jobs.next({ result });
    const misfit = { code: "decode", lastJob: { result } };
    await expect(run("results-with-types.ts")).rejects.toMatchObject(misfit);
    account().assertCharges([{ amount: 1 }, { amount: 1 }]);
  });

  test("says in words that credits are used up, and what else may happen", async () => {
    const file = "out-of-credits-in-words.ts";
    await run(file);
    scene.service.faults.play({ kind: "rate-limit", retryAfterMs: 600_000 });
    await run(file);
    scene.service.faults.play({ kind: "reset" });
    await run(file);
    account().assertCharges([]);
    account().grant({ video: { purchased: 1_000 } });
    await run(file);
    expect(scene.printed).toEqual([
      "You have no credits left. Buy some to make this video.",
      "Many people are making ads right now. Please try again in a minute.",
      "We are checking whether your ad is being made.",
      expect.stringMatching(/^Ordered: job_/),
    ]);
    account().assertCharges([{ action: "video-a-2-pro", amount: 120 }]);
  });

  test("draws a bar that tells the minutes of a video of ten", async () => {
    vi.useFakeTimers();
    scene.open({ timeline: { queuedMs: 20_000, processingMs: 580_000 } });
    const percents: number[] = [];
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      const [, percent] = /(\d+) %/.exec(String(text)) ?? [];
      return percents.push(Number(percent)) > 0;
    });
    const program = run("a-progress-bar.ts");
    while (scene.service.jobs.all.length === 0) await letRealTimePass();
    for (let minute = 1; minute <= 9; minute += 1) {
      await vi.advanceTimersByTimeAsync(60_000);
      expect(Math.abs((percents.at(-1) ?? 0) - 10 * minute)).toBeLessThanOrEqual(5);
    }
    await vi.advanceTimersByTimeAsync(90_000);
    await program;
    expect(percents.at(-1)).toBe(100);
    expect(percents).toEqual(percents.toSorted((one, other) => one - other));
    account().assertCharges([{ action: "video-b-3-0", amount: 15 }]);
  });

  test("cancels a wait, and goes on with its job", async () => {
    await run("../cancel-a-job.ts");
    const [charge] = account().charges;
    expect(scene.printed).toEqual([
      "processing",
      `AbortError: somebody pressed Cancel, while waiting for ${charge?.jobId}`,
      "completed all the same",
    ]);
    account().assertCharges([{ amount: 1 }]);
  });

  test("makes 200 rows, eight at once, and each once in two runs", async () => {
    const image = { monthly: 120, purchased: 0 };
    scene.open({ accounts: { "test-key": { credits: { image } } } });
    const rows = Array.from({ length: 200 }, (_, id) => ({ id: `${id}`, prompt: `Ad ${id}` }));
    writeFileSync(join(scene.folder, "rows.json"), JSON.stringify(rows));
    let most = 0;
    vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
      const response = await scene.service.fetch(...request);
      const { queued, processing } = account().counts.jobs;
      most = Math.max(most, queued + processing);
      // The first polls wait for eight jobs, however slow the disk is.
      while (request[1]?.method === "GET" && account().jobs.count < 8) await pause(1);
      return response;
    });
    const saved = () => readdirSync(scene.folder).filter((name) => name.startsWith("row-"));

    await run("two-hundred-rows-eight-at-once.ts");
    expect(saved()).toHaveLength(120);
    expect(scene.printed).toContain("row-199 payment_required");
    expect(account().charges).toHaveLength(120);
    account().grant({ image: { purchased: 100 } });
    await run("two-hundred-rows-eight-at-once.ts");
    expect(saved()).toHaveLength(200);
    const prompts = account().charges.map(
      ({ jobId }) => scene.service.jobs.inspect(jobId)?.request["prompt"],
    );
    expect(prompts).toHaveLength(200);
    expect(new Set(prompts).size).toBe(200);
    expect(most).toBe(8);
  });

  test("downloads all files, and in a second run those that are missing", async () => {
    vi.unstubAllGlobals();
    await using server = await startMockServer({});
    scene.service = server.service;
    vi.stubEnv("ADGEN_BASE_URL", server.url);
    const ad = { action: "generate-ad", prompt: "Lemonade", variations: 2 } as const;
    const client = createClient();
    server.service.jobs.next({ fail: "moderation" }, { after: 3 });
    for (let count = 0; count < 4; count += 1) await client.jobs.submitAndPoll(ad);
    const asked: string[] = [];
    const { fetch } = globalThis;
    vi.stubGlobal("fetch", (...[url, init]: Parameters<typeof fetch>) => {
      if (!String(url).includes("/v1/")) asked.push(String(url));
      return fetch(url, init);
    });

    const folder = join(scene.folder, "ads");
    const files = () => readdirSync(folder).map((name) => join(folder, name));
    await run("download-all-files.ts");
    expect(files()).toHaveLength(6);
    for (const file of files()) expect(readFileSync(file).toString("latin1", 0, 4)).toBe("<svg");
    expect(asked).toHaveLength(6);
    rmSync(files()[0] ?? "");
    await run("download-all-files.ts");
    expect(files()).toHaveLength(6);
    expect(asked).toHaveLength(7);
    account().assertCharges(Array(4).fill({ amount: 2 }));
  });

  test("prints the library", async () => {
    const brands = [
      { id: "brand_1", name: "Acme" },
      { id: "brand_2", name: "Umbra" },
    ];
    const savedAds = [{ id: "ad_1", brand_id: "brand_1", headline: "Ice-cold" }];
    scene.open({ accounts: { "test-key": { brands, savedAds } } });
    await run("the-library.ts");
    expect(scene.printed.sort()).toEqual(["Acme: Ice-cold", "Umbra: "]);
    account().assertCharges([]);
  });

  test("makes a span of a submission and of a wait, with an event for each request", async () => {
    await using server = await startMockServer();
    const folder = writeRecipe("docs/guides/hooks.md");
    const program = `
      import { AsyncLocalStorage } from "node:async_hooks";
      import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
      import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
      import { createClient, pollJob } from "adgen-sdk";
      import { hooks, inSpan } from "./spans.ts";
      const store = new AsyncLocalStorage();
      const withContext = (inner, run, self, ...given) => store.run(inner, () => run.apply(self, given));
      const active = () => store.getStore() ?? ROOT_CONTEXT;
      context.setGlobalContextManager({ active, with: withContext, bind: (_, target) => target });
      const onEnd = ({ name, attributes, status, events }) =>
        console.log(JSON.stringify({ name, ...attributes, error: status.message, events: events.map(({ name }) => name) }));
      const processor = { onStart() {}, onEnd, forceFlush: async () => {}, shutdown: async () => {} };
      trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
      const client = createClient({ hooks });
      const job = await inSpan("submit", {}, () => client.jobs.submit({ action: "generate-ad", variations: 2 }));
      await inSpan("wait", {}, () => pollJob(client, job));
      const dear = { action: "video-a-2-pro", duration: 60 };
      await inSpan("submit", { "adgen.action": dear.action }, () => client.jobs.submit(dear)).catch(() => {});`;
    writeFileSync(join(folder, "main.mjs"), program);
    const env = { ADGEN_BASE_URL: server.url, ADGEN_API_KEY: "test-key" };
    const from = `--import=${pathToFileURL(resolve("test/helpers/from-source.ts")).href}`;
    const { output } = await runCommand(folder, [process.execPath, from, "main.mjs"], env);
    const spans = output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    const [charge, ...more] = server.service.account("test-key").charges;
    expect(more).toEqual([]);
    const job = { "adgen.job_id": charge?.jobId };
    const refused = { "adgen.outcome": "refused", error: "payment_required" };
    expect(spans).toMatchObject([
      { name: "submit", ...job, "adgen.status": "queued", events: ["jobs.submit"] },
      { name: "wait", ...job, "adgen.status": "completed", events: ["jobs.get", "jobs.get"] },
      {
        name: "submit",
        "adgen.action": "video-a-2-pro",
        ...refused,
        events: Array(2).fill("jobs.submit"),
      },
    ]);
  });
});

describe("a server", () => {
  const ordersOf = (answer: Answer) => ({
    order: async (id: string, prompt: string, user?: string) => {
      const response = await answer(post("/ads", { order_id: id, prompt }, user));
      return { ...(await response.json()), status: response.status };
    },
    look: async (id: string, user: string) => {
      const request = new Request(`${shop}/ads/${id}`, { headers: { "x-user": user } });
      const response = await answer(request);
      return [response.status, (await response.json()).state];
    },
  });

  test("pays each order of a user once, whatever happens to it", async () => {
    const { createAdRoutes } = (await run("a-route-that-pays-once.ts")) as {
      createAdRoutes(store: RecordStore, userOf: (request: Request) => string | undefined): Answer;
    };
    const userOf = ({ headers }: Request) => headers.get("x-user") ?? undefined;
    const { order, look } = ordersOf(createAdRoutes(createMemoryStore(), userOf));
    expect(await order("1", "Lemonade")).toMatchObject({ status: 401 });
    expect(await look("1", "anna")).toEqual([404, "free"]);
    const copies = Array.from({ length: 20 }, () => order("1", "Lemonade", "anna"));
    const [first, ...others] = await Promise.all(copies);
    expect(first).toMatchObject({ status: 201, job_id: account().charges[0]?.jobId });
    for (const other of others) expect(other).toEqual(first);
    expect(await look("1", "anna")).toEqual([200, "settled"]);
    expect(await order("1", "Iced tea", "anna")).toMatchObject({ status: 422 });
    expect(account().charges).toHaveLength(1);

    const ofBob = await order("1", "Lemonade", "bob");
    expect(ofBob.job_id).not.toBe(first?.job_id);
    scene.service.faults.play({ kind: "reset", accepted: true }, { operation: "jobs.submit" });
    expect(await order("2", "Lemonade", "bob")).toMatchObject({ status: 503 });
    expect(await order("2", "Lemonade", "bob")).toMatchObject({ status: 409, error: "in_doubt" });
    expect(await look("2", "bob")).toEqual([200, "in-doubt"]);
    account().setCredits({ image: {} });
    expect(await order("3", "Lemonade", "bob")).toMatchObject({ status: 402 });
    account().grant({ image: { purchased: 5 } });
    expect(await order("3", "Lemonade", "bob")).toMatchObject({ status: 201 });
    account().assertCharges(Array(4).fill({ amount: 1 }));
  });

  test("bounds what a user spends in a month of the calendar", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 10, 30, 22, 59) });
    const { answer } = (await run("a-budget-for-a-month.ts")) as { answer: Answer };
    const headers = { "x-user": "anna" };
    const fetch = (request: Request) => answer(request);
    const client = createClient({ baseUrl: `${shop}/adgen`, apiKey: null, headers, fetch });
    const ads = { action: "generate-ad", prompt: "Lemonade", variations: 10 } as const;
    for (let count = 0; count < 5; count += 1) await client.jobs.submit(ads);
    const refusal = { code: "payment_required", limit: { kind: "imageCredits", limit: 50 } };
    await expect(client.jobs.submit(ads)).rejects.toMatchObject(refusal);
    const usage = async () => (await answer(new Request(`${shop}/budget`, { headers }))).json();
    expect(await usage()).toMatchObject([
      { used: 50, limit: 50 },
      { used: 0, limit: 120 },
    ]);
    expect(account().charges).toHaveLength(5);

    vi.setSystemTime(Date.UTC(2026, 11, 1));
    await client.jobs.submit(ads);
    expect(await usage()).toMatchObject([{ used: 10 }, { used: 0 }]);
    account().assertCharges(Array(6).fill({ amount: 10 }));
  });

  test("saves the brand of a form, or says what is wrong", async () => {
    const { saveBrand } = (await run("a-form-for-brands.ts")) as {
      saveBrand(form: FormData): Promise<Record<string, string>>;
    };
    const save = (fields: Record<string, string>) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.set(name, value);
      return saveBrand(form);
    };
    expect(await save({ name: " " })).toEqual({ problem: "Please give the brand a name." });
    const { id = "" } = await save({ name: "Acme", color: "#4a3fcf" });
    expect(await save({ id, name: "Acme Lemonade" })).toMatchObject({ id });
    expect(await save({ id: "brand_x", name: "x" })).toEqual({ problem: "The brand is gone." });
    expect(account().brands).toMatchObject([{ id, name: "Acme Lemonade" }]);
    account().assertCharges([]);
  });

  test("serves tenants, each by its own account, with one limit for all", async () => {
    scene.open({ accounts: { acme: {}, umbra: {} } });
    let [open, most, posts] = [0, 0, 0];
    vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
      if (request[1]?.method !== "POST") return scene.service.fetch(...request);
      posts += 1;
      most = Math.max(most, ++open);
      while (posts < 4) await pause(1); // the first four wait for each other
      open -= 1;
      return scene.service.fetch(...request);
    });
    const { openTenant } = (await run("tenants.ts")) as {
      openTenant(
        name: string,
        apiKey: string,
      ): Promise<(order: string, prompt: string) => Promise<FinishedJob>>;
    };
    const makers = [await openTenant("acme", "acme"), await openTenant("umbra", "umbra")];
    const orders = Array.from({ length: 6 }, (_, order) => `order-${order}`);
    const makeAll = () =>
      Promise.all(makers.flatMap((make) => orders.map((order) => make(order, "Lemonade"))));
    const jobs = await makeAll();
    expect((await makeAll()).map(({ job_id }) => job_id)).toEqual(jobs.map(({ job_id }) => job_id));
    expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(12);
    expect(most).toBe(4);
    for (const key of ["acme", "umbra"]) {
      scene.service.account(key).assertCharges(Array(6).fill({ amount: 1 }));
    }
  });
});

// test/runtimes/slots-in-chromium.test.ts keeps an order over a reload.

describe.skipIf(redisPath === undefined)("on many machines", () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis("no");
  });
  afterAll(() => redis.close());

  test("two servers pay each order once", async () => {
    vi.stubEnv("REDIS_URL", `redis://127.0.0.1:${redis.port}`);
    vi.spyOn(console, "warn").mockImplementation(() => {});
    const connected = vi.spyOn(Redis.prototype, "connect");
    const servers = [
      await run("two-servers-that-pay-once.ts"),
      await run("two-servers-that-pay-once.ts"),
    ] as { answer: Answer }[];
    const body = { order_id: "1", prompt: "Lemonade" };
    const answers = Array.from({ length: 10 }, (_, at) =>
      servers[at % 2]?.answer(post("/ads", body, "anna")).then((response) => response?.json()),
    );
    const jobs = await Promise.all(answers);
    expect(new Set(jobs.map(({ job_id }) => job_id))).toEqual(
      new Set([account().charges[0]?.jobId]),
    );
    account().assertCharges([{ amount: 1 }]);
    expect(connected.mock.contexts).toHaveLength(2);
    for (const connection of connected.mock.contexts) (connection as Redis).disconnect();
  });

  test("three workers pay each order once", async () => {
    await using server = await startMockServer();
    const url = `redis://127.0.0.1:${redis.port}`;
    const env = { ...process.env, REDIS_URL: url, ADGEN_BASE_URL: server.url };
    const from = pathToFileURL(resolve("test/helpers/from-source.ts")).href;
    const args = ["--import", from, "examples/tasks/a-queue-with-three-workers.ts"];
    const workers = [1, 2, 3].map(() => spawn(process.execPath, args, { env }));
    const queue = new Queue("ads", { connection: { url }, defaultJobOptions: { priority: 1 } });
    try {
      const ids = Array.from({ length: 12 }, (_, id) => `order-${id}`);
      for (const jobId of [...ids, ...ids]) {
        await queue.add("ad", { request: { action: "generate-ad" } }, { jobId });
      }
      const areDone = async () => (await queue.getCompletedCount()) === 12;
      await vi.waitUntil(areDone, { timeout: 60_000, interval: 20 });
    } finally {
      const ended = workers.map((worker) => once(worker, "close"));
      for (const worker of workers) worker.kill();
      await Promise.all(ended);
      await queue.close();
    }
    server.service.account("test-key").assertCharges(Array(12).fill({ amount: 1 }));
  });
});

// Suites: importing them here declares their tests here.
describe("a suite", async () => {
  await import("../examples/tasks/a-suite-of-your-own.test.ts");
  await import("../examples/tasks/the-exact-request.test.ts");
  await import("../examples/tasks/the-third-poll-fails.test.ts");
});
