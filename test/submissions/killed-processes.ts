import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { onTestFinished } from "vitest";
import type { OpenSubmissions } from "../../src/client/options/submissions.ts";
import { failure, queued, resetConnection, success } from "../helpers/answers.ts";
import { type Answer, listen } from "../helpers/http-server.ts";

/**
 * Bundles a child's program into a temporary folder, because one file starts in a third of the time.
 */
export const bundleChild = async (program: string): Promise<string> => {
  const folder = mkdtempSync(join(tmpdir(), "adgen-child-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const outfile = join(folder, "child.mjs");
  const require = "import { createRequire } from 'node:module';";
  await build({
    entryPoints: [`test/${program}.ts`],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    logLevel: "error",
    banner: { js: `${require} const require = createRequire(import.meta.url);` },
  });
  return outfile;
};

interface KillOptions {
  /** Time for which the process is stopped at some of its requests, in milliseconds. Default: 0 */
  readonly stopMs?: number;
  /** Maximum number of requests before the kill. Default: 12 */
  readonly maxRequests?: number;
  /** Kills the process at once. */
  readonly signal?: AbortSignal;
  /** Path of the runtime. Default: the runtime of this process */
  readonly runtime?: string;
}

/**
 * Runs a program that submits and prints each of its requests, and kills it. Most kills come at one of
 * the requests, and some while the program recovers.
 */
export const runUntilKilled = (
  args: readonly string[],
  { stopMs = 0, maxRequests = 12, signal, runtime = process.execPath }: KillOptions = {},
): Promise<void> =>
  new Promise((resolve, reject) => {
    const child = spawn(runtime, args, { stdio: ["ignore", "pipe", "pipe"] });
    const kill = (): void => void child.kill("SIGKILL");
    signal?.addEventListener("abort", kill);
    const lives = () => Math.ceil(maxRequests * Math.random());
    let left = lives();
    const goOn = (): void => {
      child.kill("SIGCONT");
      left = lives();
    };
    if (Math.random() < 0.2) setTimeout(kill, 300 * Math.random());
    child.stdout.on("data", () => {
      if (--left !== 0) return;
      if (stopMs === 0 || Math.random() < 0.7) setTimeout(kill, 20 * Math.random());
      else if (child.kill("SIGSTOP")) setTimeout(goOn, stopMs);
    });
    let errors = "";
    child.stderr.on("data", (chunk) => {
      errors += chunk;
    });
    child.on("error", reject);
    child.on("close", (_, name) => {
      if (name === "SIGKILL") resolve();
      else reject(new Error(`It ended by itself: ${errors}`));
    });
  });

/** A job that was charged. */
interface Charged {
  readonly job_id: string;
  readonly prompt: string;
  readonly status: "queued";
}

/** Report of a process: the open submissions, and the jobs of settled ids, by their prompts. */
interface Report extends OpenSubmissions {
  readonly answered: Readonly<Record<string, string>>;
}

const isNamed = (job: Charged, { answered, unknown, underWay }: Report): boolean =>
  answered[job.prompt] === job.job_id ||
  underWay.some(({ request }) => request["prompt"] === job.prompt) ||
  unknown.some(
    ({ request, candidates = [] }) =>
      request["prompt"] === job.prompt && candidates.some(({ job_id }) => job_id === job.job_id),
  );

/** Starts a service that charges, loses answers at random, and checks the reports of processes. */
export const listenCharging = async () => {
  // This ledger outlives the processes that submit.
  const charged: Charged[] = [];
  /** Ids of the jobs that processes received as answers. */
  const got: string[] = [];
  const problems: string[] = [];
  const counts = { requests: 0, recoveries: 0, unknown: 0 };

  /**
   * Checks that a recovery names all jobs that were charged before it. The jobs that a process had
   * received by then must be the answers of their ids.
   */
  const check = (before: { charged: number; got: number }, told: Report): void => {
    counts.recoveries++;
    counts.unknown += told.unknown.length;
    for (const line of told.damaged) problems.push(`damaged: ${JSON.stringify(line)}`);
    for (const job of charged.slice(0, before.charged)) {
      if (!isNamed(job, told)) problems.push(`lost: ${job.job_id} of ${job.prompt}`);
    }
    for (const jobId of got.slice(0, before.got)) {
      if (!Object.values(told.answered).includes(jobId)) problems.push(`forgotten: ${jobId}`);
    }
  };

  /** Checks an answer that a process received: each prompt must have one job. */
  const compare = (prompt: string, jobId: string): void => {
    got.push(jobId);
    const job = charged.find((one) => one.prompt === prompt);
    if (job?.job_id !== jobId) problems.push(`${prompt} got ${jobId}, and made ${job?.job_id}`);
  };

  const submit = (prompt: string): Answer => {
    counts.requests++;
    const chance = Math.random();
    if (chance < 0.05) return failure(402);
    if (chance < 0.1) return failure(429, "slow down", { "retry-after": "0" });
    const job_id = `job-${counts.requests}`;
    if (charged.some((job) => job.prompt === prompt)) problems.push(`charged twice: ${prompt}`);
    charged.push({ job_id, prompt, status: "queued" });
    if (chance < 0.15) return failure(500);
    return chance < 0.2 ? resetConnection : queued(job_id);
  };

  const server = await listen((response, request) => {
    const [, place, what] = request.url.split("/");
    const told = JSON.parse(request.body || "{}");
    if (place === "told") {
      if (what === "got") compare(told.prompt, told.jobId);
      if (what === "recovered") check(told.before, told);
      success({ charged: charged.map(({ prompt }) => prompt), got: got.length })(response, request);
    } else if (request.method === "POST") {
      const reply = submit(told.prompt);
      setTimeout(() => reply(response, request), 10 * Math.random());
    } else success({ jobs: charged.toReversed() })(response, request);
  });
  return { url: server.url, charged, problems, counts, check };
};
