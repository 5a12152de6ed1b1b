/**
 * `npm run conformance`: holds the service at a base URL against the API's document and against
 * what the mock assumes.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type AskService, askBy } from "./exchange.ts";
import { describeOutcome, describeSummary, summarize, toJson } from "./report.ts";
import { runScript } from "./script.ts";

const help = `Usage: npm run conformance -- --base-url <url> --key <key> [options]

Goes through the API's document at a real service and says where it differs from the document,
and from what this repository assumes where the document is silent. It creates brands and saved
ads and deletes them again. It submits free jobs (generate-ad-copy), which cannot be deleted.
Nothing that costs credits is submitted without --spend.

  --base-url <url>     the service, or $ADGEN_BASE_URL
  --key <key>          an API key, or $ADGEN_API_KEY
  --second-key <key>   of another account, to see that it is kept apart, or $ADGEN_SECOND_KEY
  --poor-key <key>     of an account without credits, to see a 402, or $ADGEN_POOR_KEY
  --spend              also submit jobs that cost credits: 15 image credits and 4 short videos,
                       more where the service takes what it should refuse
  --mock               also check what only the mock promises
  --timeout-ms <n>     for each request, 100 to 600000 (default 30000)
  --poll-ms <n>        for a job to finish, 0 to 3600000 (default 120000)
  --json               print the report as JSON, at the end
  --help

Ends with 0; with 1 when something differs from the document; with 2 when it cannot begin;
with 130 when it was interrupted; what it made is deleted then, too.
`;

const readOptions = () => {
  const { values } = parseArgs({
    options: {
      "base-url": { type: "string" },
      key: { type: "string" },
      "second-key": { type: "string" },
      "poor-key": { type: "string" },
      spend: { type: "boolean", default: false },
      mock: { type: "boolean", default: false },
      "timeout-ms": { type: "string", default: "30000" },
      "poll-ms": { type: "string", default: "120000" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return undefined;
  const required = (name: string, value: string | undefined): string => {
    if (!value) throw new Error(`--${name} is missing`);
    return value;
  };
  const milliseconds = (name: "timeout-ms" | "poll-ms", min: number, max: number): number => {
    const value = Number(values[name]);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new Error(`--${name} must be a whole number from ${min} to ${max}`);
  };
  const baseUrl = required("base-url", values["base-url"] ?? process.env["ADGEN_BASE_URL"]);
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.search || url.hash || url.username) {
    throw new Error("--base-url must be an absolute http(s) URL without query, fragment or user");
  }
  const first = required("key", values.key ?? process.env["ADGEN_API_KEY"]);
  const second = values["second-key"] ?? process.env["ADGEN_SECOND_KEY"];
  const poor = values["poor-key"] ?? process.env["ADGEN_POOR_KEY"];
  const keys = { first, ...(second && { second }), ...(poor && { poor }) };
  if (Object.values(keys).some((key) => !/^[\x21-\x7e]+$/.test(key))) {
    throw new Error("Keys are made of printable characters");
  }
  return {
    baseUrl: url.origin + url.pathname.replace(/\/+$/, ""),
    keys,
    spend: values.spend,
    mock: values.mock,
    json: values.json,
    timeoutMs: milliseconds("timeout-ms", 100, 600_000),
    pollTimeoutMs: milliseconds("poll-ms", 0, 3_600_000),
  };
};

const longestPauseMs = 60_000;

/** Too many requests are nobody's mistake: waits as long as it is told to, and asks again. */
const patient =
  (ask: AskService): AskService =>
  async (question) => {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await ask(question);
      const pauseMs = Number(reply.headers["retry-after"] ?? attempt) * 1000;
      if (reply.status !== 429 || attempt > 5 || !(pauseMs <= longestPauseMs)) return reply;
      await wait(pauseMs);
    }
  };

type Options = NonNullable<ReturnType<typeof readOptions>>;

const main = async ({ baseUrl, timeoutMs, json, ...options }: Options): Promise<number> => {
  /** A service may repeat a key; a report may be passed on. */
  const print = (text: string): void => {
    const hidden = Object.values(options.keys).reduce(
      (shown, key) => shown.replaceAll(key, "***"),
      text,
    );
    console.log(hidden);
  };

  const stop = new AbortController();
  // The second Ctrl-C ends the process, as ever.
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, () => {
      console.error("Stopping: deleting what was made …");
      stop.abort();
    });
  }

  // A request is never broken off for Ctrl-C: what it has made could not be deleted then.
  const ask = patient(
    askBy(fetch, baseUrl, () => ({ signal: AbortSignal.timeout(timeoutMs), redirect: "manual" })),
  );
  await requireAccess(baseUrl, options.keys.first, timeoutMs);
  const report = await runScript(ask, {
    ...options,
    label: `Conformance ${randomUUID().slice(0, 8)}`,
    signal: stop.signal,
    ...(!json && { onOutcome: (outcome) => print(describeOutcome(outcome)) }),
  });

  const summary = summarize(report.outcomes);
  if (json) print(JSON.stringify({ baseUrl, ...toJson(report) }, null, 2));
  else print(`\n${describeSummary(summary)}`);
  for (const path of report.left) console.error(`Could not be deleted: ${path}`);
  if (stop.signal.aborted) return 130;
  return summary.documented > 0 ? 1 : 0;
};

/** Nothing could be learned from a service that is not there, or lets nobody in. */
const requireAccess = async (baseUrl: string, key: string, timeoutMs: number): Promise<void> => {
  const headers = { authorization: `Bearer ${key}` };
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${baseUrl}/v1/jobs`, { headers, signal, redirect: "manual" }).catch(
    (error: Error) => {
      throw new Error(`${baseUrl} cannot be reached: ${error.message}`);
    },
  );
  await response.body?.cancel();
  if (response.status === 401) throw new Error(`${baseUrl} refuses the key: 401`);
};

try {
  const options = readOptions();
  if (options === undefined) console.log(help);
  process.exitCode = options === undefined ? 0 : await main(options);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
