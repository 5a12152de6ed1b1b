/**
 * The table of the programs that the README and the guides show. Each is played with the packed
 * package in an empty folder. Other runners and package managers have tables of their own.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "adgen-sdk";
import { chromium, type Page } from "playwright";
import { missingResults } from "../../test/helpers/doc-blocks.ts";
import { chromiumLaunch, chromiumMissing, chromiumPath } from "../chromium.ts";
import { redisMissing, redisPath } from "../runtimes.ts";
import { cut, filesOf, firstPrograms } from "./cut-blocks.ts";
import { examples } from "./examples.ts";
import { guardSettings } from "./guards.ts";
import { installs } from "./installs.ts";
import { nextExample, nextWithSlashes } from "./next-example.ts";
import {
  fourPictures,
  type Place,
  readmeProgram,
  readmeTest,
  type Setting,
  somePassed,
} from "./play-setting.ts";
import { isThere, runWell, until } from "./processes.ts";
import { newestRunners, olderRunners } from "./runners.ts";

const vitest = { vitest: "5.1.0", msw: "3.0.5" };

/** Checks the types by each `--moduleResolution` in `ways`, with the `--module` that fits it. */
const typeChecked = (typescript: string, files: string, ways: Record<string, string>): Setting => {
  const flags = "--strict --noEmit --target es2022 --types node --moduleResolution";
  const checks = Object.entries(ways).map(([way, module]) => [
    `npx tsc ${files} ${flags} ${way} --module ${module}`,
    /^$/,
  ]);
  return {
    name: `TypeScript ${typescript}: ${Object.keys(ways).join(", ")}`,
    packages: { typescript, "@types/node": "24.19.2", ...vitest },
    copies: { "first.ts": readmeProgram, "first.test.ts": readmeTest },
    runs: { ...Object.fromEntries(checks), "node first.ts": fourPictures },
    spends: 4,
  };
};

/** Runs one program of each guide, which must print the results in the comments of its lines. */
const playGuides = async ({ folder, env, check }: Place): Promise<void> => {
  for (const { path, code } of firstPrograms) {
    const isSuite = code.includes('from "vitest"');
    const file = `${path.replace(/\W/g, "-")}${isSuite ? ".test" : ""}.ts`;
    writeFileSync(join(folder, file), code);
    await check(path, async () => {
      const command = isSuite ? `npx vitest run ${file}` : `node --import ./one-line.js ${file}`;
      const output = await runWell(command, folder, { ...env, STATE_DIRECTORY: folder });
      const lines = output.split("\n").map((line) => [line.replaceAll("'", '"')]);
      assert.deepEqual(missingResults(code, lines), [], output);
    });
  }
};

const sharedServer = "docs/testing/server.md";
const inCron = "STATE_DIRECTORY=. node cron.ts";
const openDb = 'import { DatabaseSync } from "node:sqlite"; const db = new DatabaseSync("ads.db");';
const redis = `"${redisPath ?? redisMissing}" --bind 127.0.0.1 --appendonly yes --appendfsync always`;

/** Prints the spans of the guide's module. The guide leaves the span provider to its reader. */
const printedSpans = `
import { trace } from "@opentelemetry/api";
import * as sdk from "@opentelemetry/sdk-trace-base";
import { createClient } from "adgen-sdk";
import { hooks, inSpan } from "./spans.ts";

const printer = new sdk.SimpleSpanProcessor(new sdk.ConsoleSpanExporter());
trace.setGlobalTracerProvider(new sdk.BasicTracerProvider({ spanProcessors: [printer] }));
const { jobs } = createClient({ hooks });
await inSpan("order", {}, () => jobs.submitAndPoll({ action: "generate-ad", variations: 2 }));
`;

/** Runs the guide's worker, and serves a Redis over HTTP, by which the worker reaches it. */
const workerHost = `
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { Redis } from "ioredis";
import { Miniflare } from "miniflare";

const redis = new Redis({ path: "redis.sock" });
const server = createServer(async (request, response) => {
  response.end(JSON.stringify({ result: await redis.call(...(await json(request))) }));
});
server.listen(0, "127.0.0.1", async () => {
  const REDIS_REST_URL = "http://127.0.0.1:" + server.address().port;
  const { ADGEN_BASE_URL, ADGEN_API_KEY } = process.env;
  const miniflare = new Miniflare({
    modules: true,
    scriptPath: "built.js",
    compatibilityDate: "2026-07-01",
    bindings: { ADGEN_BASE_URL, ADGEN_API_KEY, REDIS_REST_URL, REDIS_REST_TOKEN: "token" },
  });
  console.log("ready", String(await miniflare.ready));
});
`;

/** Bundles a worker as Cloudflare's own tool does. */
const bundleWorker = (file: string) =>
  `npx esbuild ${file} --outfile=built.js --bundle --format=esm --log-level=warning ` +
  "--conditions=workerd,worker,browser '--external:cloudflare:*'";

/** Orders twice by the same id, as a page does when a visitor comes back. */
const orderTwice = async ([, url]: RegExpExecArray): Promise<void> => {
  const headers = { cookie: "session=anna-signed-in" };
  const client = createClient({ baseUrl: `${url}adgen`, apiKey: null, callIds: true, headers });
  const request = { action: "generate-ad", prompt: "Lemonade" } as const;
  const job = await client.jobs.submitAndPoll(request, { once: "order-17" });
  const again = await client.jobs.submit(request, { once: "order-17" });
  assert.deepEqual([job.status, again.job_id], ["completed", job.job_id]);
};

const proxies = "docs/guides/pages.md";
const onVite = { vite: "8.3.8", "@hono/node-server": "2.1.8" };
const react = { react: "19.3.1", "react-dom": "19.3.1" };
const reactTypes = { "@types/node": "24.19.2", "@types/react": "19.3.0" };
const address = /http:\/\/localhost:\d+/;

/** Opens the page as the user of the guides' session, orders, and sees the picture. */
const visit =
  (order: (page: Page) => Promise<unknown>) =>
  async ([url]: RegExpExecArray): Promise<void> => {
    if (chromiumPath === undefined) throw new Error(chromiumMissing);
    const browser = await chromium.launch(chromiumLaunch);
    try {
      const context = await browser.newContext();
      context.setDefaultTimeout(60_000);
      await context.addCookies([{ name: "session", value: "anna-signed-in", url }]);
      const page = await context.newPage();
      await page.goto(url);
      await order(page);
      await page.waitForFunction(() => (document.images[0]?.naturalWidth ?? 0) > 0);
    } finally {
      await browser.close();
    }
  };

/** Fills in the form, and sends it. */
const send = async (page: Page): Promise<void> => {
  await page.fill("[name=prompt]", "Lemonade");
  await page.click("button");
};

const programs: readonly Setting[] = [
  {
    name: "Node, ES modules",
    copies: { "first.js": readmeProgram },
    runs: { "node first.js": fourPictures },
    spends: 4,
  },
  {
    name: "Node, CommonJS",
    type: "commonjs",
    copies: filesOf("docs/guides/runtimes.md", "first.cjs"),
    runs: { "node first.cjs": /^completed$/m },
    spends: 1,
  },
  typeChecked("7.0.2", "*.ts", { nodenext: "nodenext", node16: "node16", bundler: "esnext" }),
  // Vitest and MSW do not support `node10`, so the test file is left out.
  typeChecked("5.9.3", "first.ts", { node10: "esnext" }),
  {
    name: "Guides: the first program of each",
    packages: vitest,
    files: {
      "one-line.js": `import { inspect } from "node:util";
Object.assign(inspect.defaultOptions, { breakLength: Infinity, compact: true });`,
    },
    mock: "--timeline per-poll",
    play: playGuides,
  },
  {
    name: "Vitest, one server for many tests",
    packages: vitest,
    copies: filesOf(sharedServer, "mock-server.ts", "vitest.config.ts", "ads.test.ts"),
    runs: { "npx vitest run": somePassed },
  },
  {
    name: "Python",
    copies: filesOf("docs/testing/python.md", "test_ads.py"),
    runs: { "python3 -m unittest test_ads": /^OK$/m },
  },
  {
    name: "OpenTelemetry",
    packages: { "@opentelemetry/api": "1.9.1", "@opentelemetry/sdk-trace-base": "2.12.1" },
    copies: filesOf("docs/guides/hooks.md", "spans.ts"),
    files: { "main.js": printedSpans },
    runs: { "node main.js": /order.*completed/s },
    spends: 2,
  },
  {
    name: "Cron and SQLite",
    copies: filesOf("docs/guides/durable-engines.md", "cron.ts", "submit-once.ts"),
    files: {
      "order.js": `${openDb} db.exec("INSERT INTO ads (prompt) VALUES ('Lemonade')");`,
      "show.js": `${openDb} console.log(db.prepare("SELECT job FROM ads").get().job);`,
    },
    runs: {
      [`${inCron} && node order.js`]: /^$/,
      [`for run in 1 2 3 4 5; do ${inCron}; sleep 2; done`]: /^$/,
      "node show.js": /"status":"completed"/,
    },
    spends: 1,
  },
  {
    name: "BullMQ",
    packages: { bullmq: "6.7.0", ioredis: "6.0.0" },
    copies: filesOf("docs/guides/fleet.md", "ads.ts"),
    starts: {
      [`${redis} --port 6379`]: /ready to accept/i,
      "node ads.ts": /order-1138: completed as job_/,
    },
    spends: 1,
  },
  {
    name: "workerd",
    packages: { miniflare: "4.20260730.0", ioredis: "6.0.0", esbuild: "0.28.2" },
    copies: filesOf(proxies, "worker.ts", "session.ts"),
    files: { "host.js": workerHost },
    runs: { [bundleWorker("worker.ts")]: /^$/ },
    starts: {
      [`${redis} --port 0 --unixsocket redis.sock`]: /ready to accept/i,
      "node host.js": /ready (http\S+)/,
    },
    use: orderTwice,
    spends: 1,
  },
  {
    name: "Vite, ten minutes",
    packages: onVite,
    copies: filesOf(proxies, "vite.config.ts", "page.ts"),
    runs: { [/^echo .*$/m.exec(cut(`${proxies} > sh`))?.[0] ?? "exit 1 # no echo there"]: /^$/ },
    starts: { "npx vite": address },
    use: visit(send),
    spends: 1,
  },
  {
    name: "Vite, React and Express",
    packages: { ...onVite, ...react, express: "5.3.0" },
    copies: filesOf(proxies, "session.ts", "proxy.ts", "express.ts", "use-order.ts"),
    from: "test/page/children/react-page",
    mock: "--timeline 2000,20000", // time for a reload in between
    starts: { "node express.ts": /^/, "npx vite": address },
    use: visit(async (page) => {
      await until("Express", () => isThere("http://localhost:3000"));
      await page.click("button");
      await page.getByText("waiting").waitFor();
      await page.reload();
      await page.getByText("waiting").waitFor();
    }),
    spends: 1,
  },
  {
    name: "Next.js",
    packages: { next: "16.4.6", typescript: "6.0.3", ...react, ...reactTypes },
    copies: filesOf(proxies, "lib/adgen.ts", "app/adgen/[...path]/route.ts", "app/actions.ts"),
    from: "test/page/children/next-page",
    runs: { "npx next build": /Compiled successfully/ },
    starts: { "npx next start --port 0": address },
    use: visit(async (page) => {
      const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
      await send(page);
      await answered;
      await page.reload();
    }),
    spends: 1,
  },
];

/** The table, in parts: all that is tried with the packed package. */
export const parts: Readonly<Record<string, readonly Setting[]>> = {
  "first hour": programs,
  "first hour, runners": newestRunners,
  "older runners": olderRunners,
  guards: guardSettings,
  installs,
  examples: [...examples, nextExample, nextWithSlashes],
};
