// The module of the guide about tracing, in programs that print its spans.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startMockServer } from "adgen-sdk/mocks/server";
import { expect, test } from "vitest";
import { bunPath } from "../../tools/runtimes.ts";
import { writeRecipe } from "../helpers/recipes.ts";
import { runCommand } from "../helpers/run-command.ts";

const program = `
import { trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "./contexts.mjs";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import { createClient, pollJob } from "adgen-sdk";
import { context } from "@opentelemetry/api";

const printer = {
  onStart() {},
  onEnd: ({ name, attributes, parentSpanContext, status }) =>
    console.log(parentSpanContext ? "  " + name : name, attributes, status),
  forceFlush: async () => {},
  shutdown: async () => {},
};
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [printer] }));
context.setGlobalContextManager(new AsyncLocalStorageContextManager());

const client = createClient();
const job = await client.jobs.submit({ action: "generate-ad", variations: 2 });
await pollJob(client, job);

await trace.getTracer("app").startActiveSpan("order", async (span) => {
  await client.jobs.get("job_none").catch(() => {});
  span.end();
});
`;

/** As OpenTelemetry's own manager for Node, which the tests do not install. */
const contexts = `
import { AsyncLocalStorage } from "node:async_hooks";
import { ROOT_CONTEXT } from "@opentelemetry/api";

const store = new AsyncLocalStorage();
export class AsyncLocalStorageContextManager {
  active = () => store.getStore() ?? ROOT_CONTEXT;
  with = (context, run, self, ...args) => store.run(context, () => run.apply(self, args));
  bind = (_, target) => target;
  enable = () => this;
  disable = () => this;
}
`;

test.each([
  ["by the guide's import", 'import "./tracing.ts";', []],
  ["by a flag of Node", "", ["--import=adgen-sdk/opentelemetry"]],
  [
    "when it is loaded twice, as two copies are",
    'await import("adgen-sdk/opentelemetry"); await import("./copy.ts");',
    [],
  ],
])("prints a span for each submission, poll and wait, %s", async (_, loading, flags) => {
  await using mock = await startMockServer({ accounts: { key: {} }, timeline: "per-poll" });
  const fromSource = pathToFileURL(resolve("test/helpers/from-source.ts")).href;
  const folder = writeRecipe("docs/guides/tracing.md");
  writeFileSync(join(folder, "contexts.mjs"), contexts);
  const copied = pathToFileURL(resolve("src/opentelemetry.ts")).href;
  writeFileSync(join(folder, "copy.ts"), `import "${copied}?copy";`);
  writeFileSync(join(folder, "main.mjs"), `${loading}\n${program}`);
  const command = [process.execPath, `--import=${fromSource}`, ...flags, "main.mjs"];
  const env = { ADGEN_BASE_URL: mock.url, ADGEN_API_KEY: "key" };
  const { status, output } = await runCommand(folder, command, env);
  expect(status, output).toBe(0);
  expect(output.match(/^ *(?:adgen \w+|order)/gm)).toEqual([
    ...["adgen submit", "  adgen poll", "  adgen poll", "adgen wait", "  adgen poll", "order"],
  ]);
  const { jobId } = mock.service.account("key").charges[0] ?? {};
  expect(output.split(`'adgen.job_id': '${jobId}'`)).toHaveLength(5);
  for (const fact of [
    "'adgen.action': 'generate-ad'",
    "'adgen.credits': 2",
    "'adgen.credit_kind': 'image'",
    "'adgen.outcome': 'accepted'",
    "'adgen.attempts': 1",
    "'adgen.status': 'completed'",
    "'adgen.polls': 2",
    "code: 2, message: 'not_found'",
  ]) {
    expect(output).toContain(fact);
  }
});

test("a tracer that throws ends nothing", async () => {
  await using mock = await startMockServer({ accounts: { key: {} }, timeline: "per-poll" });
  const fromSource = pathToFileURL(resolve("test/helpers/from-source.ts")).href;
  const folder = writeRecipe("docs/guides/tracing.md", undefined, "tracing-that-throws");
  const throwing = `
import { trace } from "@opentelemetry/api";
import "./tracing.ts";
import { createClient } from "adgen-sdk";

const fail = (what) => () => {
  throw new Error(what);
};
const spans = [fail("at the start"), () => ({ setAttribute: fail("at the end") })];
trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan: () => spans.shift()() }) });
const client = createClient();
for (const variations of [1, 2]) {
  const job = await client.jobs.submit({ action: "generate-ad", variations });
  console.log(job.status);
}
`;
  writeFileSync(join(folder, "main.mjs"), throwing);
  const command = [process.execPath, `--import=${fromSource}`, "main.mjs"];
  const env = { ADGEN_BASE_URL: mock.url, ADGEN_API_KEY: "key" };
  const { status, output } = await runCommand(folder, command, env);
  expect(status, output).toBe(0);
  expect(output.match(/^queued|adgen-sdk: a span failed Error: at the \w+/gm)?.sort()).toEqual([
    "adgen-sdk: a span failed Error: at the end",
    "adgen-sdk: a span failed Error: at the start",
    "queued",
    "queued",
  ]);
});

// Skipped where npm has installed no Bun for the machine.
test.skipIf(!bunPath)("Bun forgets no subscriber before the client is loaded", async () => {
  await using mock = await startMockServer({ accounts: { key: {} }, timeline: "per-poll" });
  const folder = writeRecipe("docs/guides/tracing.md", undefined, "tracing-in-bun");
  const late = `
import { trace } from "@opentelemetry/api";
import "${resolve("src/opentelemetry.ts")}";

await undefined;
Bun.gc(true);
const { createClient } = await import("${resolve("src/index.ts")}");
const startSpan = (name) => ({ setAttribute() {}, end: () => console.log(name) });
trace.setGlobalTracerProvider({ getTracer: () => ({ startSpan }) });
await createClient().jobs.submit({ action: "generate-ad" });
`;
  writeFileSync(join(folder, "main.mjs"), late);
  const env = { ADGEN_BASE_URL: mock.url, ADGEN_API_KEY: "key" };
  const { status, output } = await runCommand(folder, [bunPath as string, "main.mjs"], env);
  expect(output).toBe("adgen submit\n");
  expect(status).toBe(0);
});
