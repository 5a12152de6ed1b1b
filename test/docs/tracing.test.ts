// The module of the guide about tracing, in a program that prints its spans.
import { writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { startMockServer } from "adgen-sdk/mocks/server";
import { expect, test } from "vitest";
import { writeRecipe } from "../helpers/recipes.ts";
import { runCommand } from "../helpers/run-command.ts";

const program = `
import { trace } from "@opentelemetry/api";
import { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import "./adgen-spans.ts";
import { createClient, pollJob } from "adgen-sdk";

const printer = {
  onStart() {},
  onEnd: ({ name, attributes, parentSpanContext }) =>
    console.log(parentSpanContext ? "  " + name : name, attributes),
  forceFlush: async () => {},
  shutdown: async () => {},
};
trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [printer] }));

const client = createClient();
const job = await client.jobs.submit({ action: "generate-ad", variations: 2 });
await pollJob(client, job);
`;

test("prints a span for the submission, and for the wait with its polls", async () => {
  await using mock = await startMockServer({ accounts: { key: {} }, timeline: "per-poll" });
  const fromSource = pathToFileURL(resolve("test/helpers/from-source.ts")).href;
  const folder = writeRecipe("docs/guides/tracing.md");
  writeFileSync(join(folder, "main.mjs"), program);
  const command = [process.execPath, `--import=${fromSource}`, "main.mjs"];
  const env = { ADGEN_BASE_URL: mock.url, ADGEN_API_KEY: "key" };
  const { status, output } = await runCommand(folder, command, env);
  expect(status, output).toBe(0);
  expect(output.match(/^ *adgen \w+/gm)).toEqual([
    "adgen submit",
    "  adgen poll",
    "  adgen poll",
    "adgen wait",
  ]);
  const { jobId } = mock.service.account("key").charges[0] ?? {};
  expect(output.split(`'adgen.job_id': '${jobId}'`)).toHaveLength(5);
  for (const fact of [
    "'adgen.credits': 2",
    "'adgen.outcome': 'accepted'",
    "'adgen.attempts': 1",
    "'adgen.status': 'completed'",
    "'adgen.polls': 2",
  ]) {
    expect(output).toContain(fact);
  }
});
