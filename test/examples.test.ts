// Runs each program of examples/ against the mock, and checks what it prints and costs.
import { spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import {
  copyFileSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { createClient, type FinishedJob } from "adgen-sdk";
import { connectMock } from "adgen-sdk/mocks/connect";
import { startMockServer } from "adgen-sdk/mocks/server";
import { createMemoryStore, type RecordStore } from "adgen-sdk/submissions";
import { Queue } from "bullmq";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Order } from "../examples/lambda-and-cron.ts";
import { createSqliteStore } from "../examples/sqlite-store.ts";
import { redisPath } from "../tools/runtimes.ts";
import { type RedisServer, startRedis } from "./bullmq/redis-server.ts";
import { pause } from "./helpers/client.ts";
import { writeRecipe } from "./helpers/doc-blocks.ts";
import { letRealTimePass, useExampleScene } from "./helpers/example-scene.ts";
import { runCommand, writeNpx } from "./helpers/run-command.ts";
import { testRecordStore } from "./submissions/store-promises.ts";

const fromSource = `--import=${pathToFileURL(resolve("test/helpers/from-source.ts")).href}`;
test("every example is run here, or by the test that is named here", () => {
  const elsewhere = {
    "queue.ts": "below, in processes of its own",
    "with-mock.ts": "below, in a process of its own",
    "page/server.ts": "test/page/example-page.test.ts",
    "page/use-order.ts": "test/page/example-page.test.ts",
    "durable-object.ts": "tools/first-hour",
    "page/order-store-svelte.ts": "tools/first-hour",
    "page/use-order-query.ts": "tools/first-hour",
    "page/use-order-vue.ts": "tools/first-hour",
    "testing/jest-jsdom.test.js": "tools/first-hour",
    "testing/mocha.test.js": "tools/first-hour",
    "testing/node-test.test.js": "below, in a process of its own",
    "testing/playwright.spec.ts": "tools/first-hour",
    "testing/conftest.py": "below, in a process of its own",
    "testing/test_ads.py": "below, in a process of its own",
  };
  const own = readFileSync("test/examples.test.ts", "utf8");
  const files = globSync("examples/{*,page/*,testing/*}.{ts,js,py}");
  const untested = files
    .map((file) => file.replace("examples/", ""))
    .filter((file) => !(file in elsewhere) && !own.includes(`"${file}"`))
    .filter((file) => !own.includes(`../examples/${file}"`));
  expect(untested).toEqual([]);
});

describe("the program", () => {
  const scene = useExampleScene();
  const { run, account } = scene;

  test("make-ads.ts saves its ads, and pays for nothing in a second run", async () => {
    await using server = await scene.openServer();
    await run("make-ads.ts");
    const [first, second] = server.service.account("test-key").charges.map(({ jobId }) => jobId);
    const files = [`${first}-1.svg`, `${first}-2.svg`, `${second}-1.svg`, `${second}-2.svg`];
    const paths = files.map((name) => join(scene.folder, "ads", name));
    const printed = [
      ...["Lemonade, ice cold: 2 pictures", ...paths.slice(0, 2)],
      ...["Iced tea in the shade: 2 pictures", ...paths.slice(2)],
    ];
    expect(scene.printed).toEqual(printed);
    for (const path of paths) expect(readFileSync(path, "latin1").slice(0, 4)).toBe("<svg");
    await run("make-ads.ts");
    expect(scene.printed).toEqual([...printed, ...printed]);
    account().assertCharges([{ amount: 2 }, { amount: 2 }]);
  });

  test("typed-results.ts types results, and hands a paid result that doesn't fit to its caller", async () => {
    await run("typed-results.ts");
    expect(scene.printed).toEqual(["1080 × 1080"]);
    const result = { images: [] };
    scene.service.jobs.next({ result });
    const misfit = { code: "decode", lastJob: { result } };
    await expect(run("typed-results.ts")).rejects.toMatchObject(misfit);
    account().assertCharges([{ amount: 1 }, { amount: 1 }]);
  });

  test("errors-in-words.ts tells a user that credits are used up, and of other failures", async () => {
    const file = "errors-in-words.ts";
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

  test("progress-bar.ts shows how far a video of ten minutes is", async () => {
    vi.useFakeTimers();
    scene.open({ timeline: { queuedMs: 20_000, processingMs: 580_000 } });
    const percents: number[] = [];
    vi.spyOn(process.stdout, "write").mockImplementation((text) => {
      const [, percent] = /(\d+) %/.exec(String(text)) ?? [];
      return percents.push(Number(percent)) > 0;
    });
    const program = run("progress-bar.ts");
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

  test("download-files.ts downloads all files of the jobs that completed", async () => {
    await using server = await scene.openServer();
    const ad = { action: "generate-ad", prompt: "Lemonade", variations: 2 } as const;
    const client = createClient();
    server.service.jobs.next({ fail: "moderation" }, { after: 3 });
    for (let count = 0; count < 4; count += 1) await client.jobs.submitAndPoll(ad);
    const folder = join(scene.folder, "ads");
    await run("download-files.ts");
    const files = readdirSync(folder).map((name) => join(folder, name));
    expect(files).toHaveLength(6);
    for (const file of files) expect(readFileSync(file).toString("latin1", 0, 4)).toBe("<svg");
    account().assertCharges(Array(4).fill({ amount: 2 }));
  });

  describe("a batch from a CSV file", () => {
    const writeRows = (...ids: readonly number[]): string => {
      const path = join(scene.folder, "rows.csv");
      writeFileSync(path, ids.map((id) => `${id},"Ad ${id}, ice cold"\r\n`).join(""));
      return path;
    };
    const range = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, index) => from + index);
    const promptsOf = (service = scene.service) =>
      service
        .account("test-key")
        .charges.map(({ jobId }) => service.jobs.inspect(jobId)?.request["prompt"]);

    test("batch-from-csv.ts makes each row once, eight at once, in two runs with a changed file", async () => {
      const image = { monthly: 70, purchased: 0 };
      scene.open({ accounts: { "test-key": { credits: { image } } } });
      const rows = readFileSync(writeRows(...range(0, 100)), "utf8");
      writeFileSync(join(scene.folder, "rows.csv"), `id,prompt\r\n${rows}`);
      let most = 0;
      vi.stubGlobal("fetch", async (...request: Parameters<typeof fetch>) => {
        const response = await scene.service.fetch(...request);
        const { queued, processing } = account().counts.jobs;
        most = Math.max(most, queued + processing);
        // The first polls wait for eight jobs, however slow the disk is.
        while (request[1]?.method === "GET" && account().jobs.count < 8) await pause(1);
        return response;
      });
      await run("batch-from-csv.ts");
      expect(scene.printed.filter((line) => line.endsWith(" completed"))).toHaveLength(70);
      expect(scene.printed.at(-1)).toBe("30 rows are left: run it again");
      account().grant({ image: { purchased: 100 } });
      writeRows(...range(90, 110), ...range(0, 90));
      await run("batch-from-csv.ts");
      expect(scene.printed.at(-1)).toMatch(/ completed$/);
      expect(new Set(promptsOf()).size).toBe(110);
      expect(promptsOf()).toHaveLength(110);
      expect(promptsOf()).toContain("Ad 0, ice cold");
      expect(most).toBe(8);
    });

    test("batch-from-csv.ts pays for nothing if a line of the file is not understood", async () => {
      writeFileSync(join(scene.folder, "rows.csv"), "1,Lemonade\n2 Iced tea\n");
      await expect(run("batch-from-csv.ts")).rejects.toThrow("Line 2 must be an id, a comma");
      expect(account().charges).toEqual([]);
    });

    test("batch-from-csv.ts spends no more than its budget in all runs together", async () => {
      account().grant({ image: { purchased: 1_000 } });
      writeRows(...range(0, 150));
      await run("batch-from-csv.ts");
      writeRows(...range(150, 300));
      await run("batch-from-csv.ts");
      expect(scene.printed).toContainEqual(
        expect.stringMatching(/^299 payment_required, (refused|not-sent): /),
      );
      expect(promptsOf()).toHaveLength(200);
    });

    test.each(["SIGINT", "SIGKILL"] as const)(
      "batch-from-csv.ts goes on after %s",
      async (signal) => {
        vi.unstubAllGlobals();
        await using server = await startMockServer({
          timeline: { queuedMs: 100, processingMs: 100 },
        });
        const { service } = server;
        service.faults.play(
          { kind: "latency", ms: 50 },
          { operation: "jobs.submit", times: Number.POSITIVE_INFINITY },
        );
        const args = [
          fromSource,
          resolve("examples/batch-from-csv.ts"),
          writeRows(...range(0, 40)),
        ];
        const env = {
          ...process.env,
          ...{ ADGEN_BASE_URL: server.url, STATE_DIRECTORY: scene.folder },
        };
        const first = spawn(process.execPath, args, { env, stdio: "ignore" });
        const ended = once(first, "close");
        await vi.waitUntil(() => service.jobs.all.length >= 10, { timeout: 60_000 });
        first.kill(signal);
        await ended;
        const before = promptsOf(service).length;
        expect(before).toBeLessThan(40);
        const { output } = await runCommand(scene.folder, [process.execPath, ...args], env);
        // What was under way at a kill waits for a person's decision; Ctrl-C leaves nothing in doubt.
        const doubts = output.match(/ in_doubt, unknown: /gm)?.length ?? 0;
        if (signal === "SIGINT") expect(doubts, output).toBe(0);
        const prompts = promptsOf(service);
        expect(new Set(prompts).size).toBe(prompts.length);
        const completed = output.match(/ completed$/gm)?.length ?? 0;
        expect(completed + doubts, output).toBe(40);
      },
    );
  });

  describe("a server of orders", () => {
    const openOrders = async (store: RecordStore) => {
      type Exports = typeof import("../examples/orders-endpoint.ts");
      const { createOrders } = await run<Exports>("orders-endpoint.ts");
      const orders = createOrders(store, ({ headers }) => headers.get("x-user") ?? undefined);
      const headersOf = (user: string): HeadersInit => (user === "" ? {} : { "x-user": user });
      const post = async (order: unknown, user: string) => {
        const init = { method: "POST", body: JSON.stringify(order), headers: headersOf(user) };
        const response = await orders.request("/orders", init);
        return { ...(await response.json()), status: response.status };
      };
      return {
        post,
        order: (id: string, prompt: string, user: string) => post({ id, prompt }, user),
        look: async (id: string, user: string) => {
          const response = await orders.request(`/orders/${id}`, { headers: headersOf(user) });
          return [response.status, (await response.json()).state];
        },
      };
    };

    test("orders-endpoint.ts pays each order of a user once, and knows it after a restart", async () => {
      const store = createMemoryStore();
      const { post, order, look } = await openOrders(store);
      expect(await order("1", "Lemonade", "")).toMatchObject({ status: 401 });
      expect(await look("1", "anna")).toEqual([404, "unknown"]);
      const wrongs = [{ id: "1" }, { prompt: "Lemonade" }, { id: 1, prompt: "Lemonade" }, null];
      for (const wrong of wrongs) expect(await post(wrong, "anna")).toMatchObject({ status: 400 });
      const copies = Array.from({ length: 20 }, () => order("1", "Lemonade", "anna"));
      const [first, ...others] = await Promise.all(copies);
      expect(first).toMatchObject({ status: 202, job_id: account().charges[0]?.jobId });
      for (const other of others) expect(other).toEqual(first);
      const restarted = await openOrders(store);
      await restarted.look("1", "anna");
      expect(await restarted.look("1", "anna")).toEqual([200, "completed"]);
      expect(await restarted.order("1", "Lemonade", "anna")).toEqual(first);
      expect(await order("1", "Iced tea", "anna")).toMatchObject({ status: 422 });
      expect(await look("1", "bob")).toEqual([404, "unknown"]);
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
      expect(await order("3", "Lemonade", "bob")).toMatchObject({ status: 202 });
      account().assertCharges(Array(4).fill({ amount: 1 }));
    });

    test("tenants.ts serves each tenant by its own account, with one limit for all", async () => {
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
      type Exports = typeof import("../examples/tenants.ts");
      const { openTenant } = await run<Exports>("tenants.ts");
      const makers = [await openTenant("acme", "acme"), await openTenant("umbra", "umbra")];
      const orders = Array.from({ length: 6 }, (_, order) => `order-${order}`);
      const makeAll = (): Promise<FinishedJob[]> =>
        Promise.all(makers.flatMap((make) => orders.map((order) => make(order, "Lemonade"))));
      const jobs = await makeAll();
      expect((await makeAll()).map(({ job_id }) => job_id)).toEqual(
        jobs.map(({ job_id }) => job_id),
      );
      expect(new Set(jobs.map(({ job_id }) => job_id)).size).toBe(12);
      expect(most).toBe(4);
      for (const key of ["acme", "umbra"]) {
        scene.service.account(key).assertCharges(Array(6).fill({ amount: 1 }));
      }
    });
  });

  test("a Lambda and a cron job pay each order once, and leave submissions in doubt to a person", async () => {
    const rows = new Map<string, Order>();
    const table = {
      save: async (order: Order) => void rows.set(order.id, order),
      open: async () => [...rows.values()].filter(({ state }) => /new|waiting/.test(state)),
    };
    const store = createMemoryStore();
    type Exports = typeof import("../examples/lambda-and-cron.ts");
    const open = async () => (await run<Exports>("lambda-and-cron.ts")).createOrders(table, store);
    const states = () => [...rows.values()].map(({ state }) => state);
    const { accept } = await open();
    await accept("order-1", "Lemonade");
    await accept("order-1", "Lemonade");
    scene.service.faults.play({ kind: "reset", accepted: true }, { operation: "jobs.submit" });
    await accept("order-2", "Iced tea");
    // The Lambda of the third order ended after it kept the order, and before it was paid.
    await table.save({ id: "order-3", prompt: "Root beer", state: "new" });
    expect(states()).toEqual(["waiting", "for a person", "new"]);
    scene.service.jobs.next({ fail: "moderation" });
    for (let minute = 1; minute <= 3; minute += 1) {
      expect(await (await open()).runEveryMinute()).toEqual(["order-2"]);
    }
    expect(states()).toEqual(["completed", "for a person", "failed"]);
    await accept("order-1", "Another prompt");
    await table.save({ id: "order-4", prompt: "Cola", state: "waiting", jobId: "job_gone" });
    await (await open()).runEveryMinute();
    expect(states()).toEqual(["for a person", "for a person", "failed", "for a person"]);
    account().assertCharges(Array(3).fill({ amount: 1 }));
  });

  test("a bot makes an ad once for a repeated webhook, and bounds each user's month", async () => {
    const said: string[] = [];
    vi.stubGlobal("fetch", async (...[request, init]: Parameters<typeof fetch>) => {
      if (!String(request).includes("slack.com")) return scene.service.fetch(request, init);
      said.push(JSON.parse(String(init?.body)).text);
      return new Response();
    });
    vi.stubEnv("SLACK_SIGNING_SECRET", "secret");
    const open = () => run<typeof import("../examples/chat-bot.ts")>("chat-bot.ts");
    let { answer, proxy } = await open();
    const mention = async (event_id: string, user: string, secret = "secret") => {
      const event = { type: "app_mention", user, channel: "C1", text: "<@U0> Lemonade" };
      const body = JSON.stringify({ event_id, event });
      const time = `${Math.floor(Date.now() / 1000)}`;
      const digest = createHmac("sha256", secret).update(`v0:${time}:${body}`).digest("hex");
      const signature = { "x-slack-request-timestamp": time, "x-slack-signature": `v0=${digest}` };
      const init = { method: "POST", body, headers: signature };
      return (await answer(new Request("https://bot.test", init))).status;
    };
    expect(await mention("Ev1", "anna", "wrong")).toBe(403);
    expect(await mention("Ev1", "anna")).toBe(200);
    expect(await mention("Ev1", "anna")).toBe(200);
    await vi.waitUntil(() => said.length > 0, { timeout: 60_000 });
    expect(said[0]).toMatch(/^data:image/);
    ({ answer, proxy } = await open());
    expect(await mention("Ev1", "anna")).toBe(200);
    await vi.waitUntil(() => said.length > 1, { timeout: 60_000 });
    expect(said).toHaveLength(2);
    expect(said[1]).toBe(said[0]);
    account().assertCharges([{ amount: 1 }]);
    expect(await proxy.usage("anna")).toMatchObject([{ window: "month", used: 1, limit: 50 }, {}]);

    for (let count = 2; count <= 51; count += 1) await mention(`Ev${count}`, "anna");
    await mention("Ev99", "bob");
    await vi.waitUntil(() => said.length === 53, { timeout: 60_000 });
    expect(said.filter((text) => text === "You have used up your month.")).toHaveLength(1);
    expect(account().charges).toHaveLength(51);
  });

  // test/runtimes/slots-in-chromium.test.ts and test/page keep an order over a reload.

  test.skipIf(redisPath === undefined)("three workers of a queue pay each order once", async () => {
    const redis: RedisServer = await startRedis("no");
    await using server = await startMockServer();
    const url = `redis://127.0.0.1:${redis.port}`;
    const env = { ...process.env, REDIS_URL: url, ADGEN_BASE_URL: server.url };
    const args = [fromSource, resolve("examples/queue.ts")];
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
      await redis.close();
    }
    server.service.account("test-key").assertCharges(Array(12).fill({ amount: 1 }));
  });

  test.each([
    ["the guide", "docs/guides/hooks.md", "spans.ts"],
    ["the example", "examples", "logs-and-spans.ts"],
  ])("the spans of %s have an event for each request", async (_, from, file) => {
    await using server = await startMockServer();
    const folder = from.endsWith(".md") ? writeRecipe(from) : resolve(".tmp/recipes/spans");
    mkdirSync(folder, { recursive: true });
    if (from === "examples") copyFileSync(`examples/${file}`, join(folder, file));
    const program = `
    import { AsyncLocalStorage } from "node:async_hooks";
    import { context, ROOT_CONTEXT, trace } from "@opentelemetry/api";
    import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
    import { createClient, pollJob } from "adgen-sdk";
    import { hooks, inSpan } from "./${file}";
    const store = new AsyncLocalStorage();
    const withContext = (inner, run, self, ...given) => store.run(inner, () => run.apply(self, given));
    const active = () => store.getStore() ?? ROOT_CONTEXT;
    context.setGlobalContextManager({ active, with: withContext, bind: (_, target) => target });
    const onEnd = ({ name, attributes, status, events }) =>
      console.log("span " + JSON.stringify({ name, ...attributes, error: status.message, events: events.map(({ name }) => name) }));
    const processor = { onStart() {}, onEnd, forceFlush: async () => {}, shutdown: async () => {} };
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
    const client = createClient({ hooks });
    const job = await inSpan("submit", {}, () => client.jobs.submit({ action: "generate-ad", prompt: "a secret", variations: 2 }));
    await inSpan("wait", {}, () => pollJob(client, job));
    const dear = { action: "video-a-2-pro", duration: 60 };
    await inSpan("submit", { "adgen.action": dear.action }, () => client.jobs.submit(dear)).catch(() => {});
    const { counts } = await import("./${file}");
    if (counts) console.log("counts " + [...counts].map((pair) => pair.join(" ")).join(", "));`;
    writeFileSync(join(folder, "main.mjs"), program);
    const env = { ADGEN_BASE_URL: server.url, ADGEN_API_KEY: "test-key" };
    const { output } = await runCommand(folder, [process.execPath, fromSource, "main.mjs"], env);
    const spans = [...output.matchAll(/^span (.*)$/gm)].map(([, line = ""]) => JSON.parse(line));
    const [charge, ...more] = server.service.account("test-key").charges;
    expect(more).toEqual([]);
    const job = { "adgen.job_id": charge?.jobId };
    const refused = { "adgen.outcome": "refused", error: "payment_required" };
    const [submission, wait] = ["jobs.submit", "jobs.get"];
    expect(spans, output).toMatchObject([
      { name: "submit", ...job, "adgen.status": "queued", events: [submission] },
      { name: "wait", ...job, "adgen.status": "completed", events: [wait, wait] },
      { "adgen.action": "video-a-2-pro", ...refused, events: [submission] },
    ]);
    expect(output).not.toMatch(/test-key|a secret/);
    if (from !== "examples") return;
    const counts = "jobs.submit 202 1, jobs.get 200 2, jobs.submit payment_required 1";
    expect(output).toContain(`counts ${counts}`);
    expect(output).toMatch(/"operation":"jobs.get",.*"status":200/);
  });

  test("the demo shows a batch, an ad, two refusals and a bill", async () => {
    vi.unstubAllGlobals();
    await run("demo.ts");
    const printed = scene.printed.join("\n");
    expect(printed).toMatch(/9 of 12 +completed/);
    expect(printed).toMatch(/completed +100 %\n {2}saved +ad_/);
    expect(printed).toMatch(/BadRequestError +one of \d+ actions/);
    expect(printed).toMatch(/PaymentRequiredError +60 s/);
    expect(printed).toMatch(/13 jobs +16 credits\n {2}left +0 monthly +49 purchased$/);
  });

  test("with-mock.ts lets an example run without a service", async () => {
    const preload = ["--import", resolve("examples/with-mock.ts")];
    const program = resolve("examples/make-ads.ts");
    const args = [process.execPath, fromSource, ...preload, program];
    const { status, output } = await runCommand(scene.folder, args);
    expect(status, output).toBe(0);
    expect(output.match(/\.svg$/gm)).toHaveLength(4);
  });
});

describe("the store in SQLite", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  testRecordStore("sqlite-store.ts", async () => {
    const path = join(mkdtempSync(join(tmpdir(), "adgen-sqlite-")), "records.db");
    return {
      stores: [createSqliteStore(path), createSqliteStore(path)],
      pass: async (ms) => void vi.advanceTimersByTime(ms),
    };
  });
});

// Importing a suite inside `describe` declares its tests there.
describe("a suite of vitest", async () => {
  await import("../examples/testing/vitest.test.ts");
  await import("../examples/testing/own-handlers.test.ts");
});

test("the suite of node:test passes", async () => {
  const file = resolve("examples/testing/node-test.test.js");
  const end = await runCommand(".", [process.execPath, fromSource, "--test", file]);
  expect(end.output).toMatch(/pass 2\b/);
  expect(end.status).toBe(0);
});

test.skipIf(spawnSync("python3", ["-m", "pytest", "--version"]).status !== 0)(
  "the suite of pytest passes",
  async () => {
    const npx = writeNpx(resolve(".tmp/recipes/pytest"));
    const env = { ...npx, PYTHONDONTWRITEBYTECODE: "1" };
    const pytest = ["python3", "-m", "pytest", "-q", "-p", "no:cacheprovider"];
    const end = await runCommand(resolve("examples/testing"), pytest, env);
    expect(end).toEqual({ status: 0, output: expect.stringMatching(/4 passed/) });
  },
);

test("the mock of Docker Compose starts from its seeds, and answers by the container's name", async () => {
  const compose = readFileSync("examples/compose/compose.yaml", "utf8");
  const [, list = ""] = /command: (\["--seed.*\])/.exec(compose) ?? [];
  const flags: string[] = JSON.parse(list.replace("/seed.json", "examples/compose/seed.json"));
  const [, host = ""] =
    /ENTRYPOINT \["adgen-mock", "--host", "(.*)"\]/.exec(
      readFileSync("examples/compose/Dockerfile", "utf8"),
    ) ?? [];
  const args = ["mocks/server/cli.ts", "--host", host, ...flags, "--port", "0"];
  const mock = spawn(process.execPath, [fromSource, ...args]);
  try {
    let greeting = "";
    for await (const chunk of mock.stdout) {
      greeting += chunk;
      if (greeting.includes("ADGEN_API_KEY")) break;
    }
    const [, port] = /listens on http:\/\/[^\s:]+:(\d+)/.exec(greeting) ?? [];
    const url = `http://127.0.0.1:${port}`;
    expect(await connectMock(url).account("test-key").credits()).toMatchObject({
      image: { monthly: 20 },
    });
    const { status, output } = await runCommand(".", [
      ...["curl", "-s", "-o", "/dev/null", "-w", "%{http_code}"],
      ...["-H", `Host: adgen:${port}`, `${url}/__mock/`],
    ]);
    expect([status, output]).toEqual([0, "200"]);
  } finally {
    mock.kill();
  }
});
