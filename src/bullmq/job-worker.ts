import { Queue, Worker } from "bullmq";
import type { FinishedJob } from "../contract/jobs.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { checkOptions, milliseconds, refuseArgument } from "../options/rules.ts";
import { createLearnedDurations } from "../polling/schedule/durations.ts";
import { sleep } from "../sleep.ts";
import { createBrakes } from "./brakes.ts";
import { findDurabilityProblem } from "./durability.ts";
import { disconnect, nameFleet, patientConnection } from "./fleet-names.ts";
import { type JobWorkerOptions, resolveWorkerOptions } from "./job-worker-options.ts";
import { createMeetUnknown } from "./meet-unknown.ts";
import { createPollStep } from "./poll-step.ts";
import { createRecords } from "./records.ts";
import { shareDurations } from "./shared-durations.ts";
import type { LookData, SubmissionData } from "./submission.ts";
import { createSubmitStep, type SubmissionAnswer } from "./submit-step.ts";
import { runAtMost } from "./within-time.ts";

/** Options of the end of a worker. */
export interface CloseOptions {
  /**
   * Time for what has begun, in milliseconds.
   * @default ten seconds more than `submitTimeoutMs`
   */
  readonly timeoutMs?: number | undefined;
}

/** A worker of a fleet: two BullMQ workers. */
export interface JobWorker {
  /** BullMQ's worker of the submissions. */
  readonly submissions: Worker<SubmissionData, SubmissionAnswer>;
  /** BullMQ's worker of the looks. */
  readonly looks: Worker<LookData, FinishedJob>;
  /**
   * Ends the worker when what it has begun is done: call it on SIGTERM. After its time, as where
   * Redis is away, it ends all the same. What was under way then is told as after a worker's death,
   * which loses nothing.
   */
  close(options?: CloseOptions): Promise<void>;
}

/** A submission ends within its time; its record needs a moment more. */
const closeMarginMs = 10_000;

/** Time in which Redis takes leave of the connections. */
const disconnectMs = 500;

/** A worker that the service has slowed looks so often whether somebody has lifted that. */
const maximumRateLimitDelay = 500;

/** BullMQ obeys a rate limit only in workers that have one of their own. This one limits nothing. */
const noLimit = { max: 1_000_000_000, duration: 1_000 };

/** A worker that dies does no harm here: its jobs may come back as often as workers die. */
const manyDeaths = 10_000;

/**
 * Starts a worker of a fleet: it submits what is in the queue, and looks until the jobs finish.
 * A submission is sent at most once, unless it was provably refused or never sent.
 *
 * @throws `ConfigError` (`config`) that names an option which is missing or makes no sense.
 * @see API v1, sections 3 and 4
 * @example
 * const worker = startJobWorker({ connection: { host: "127.0.0.1", port: 6379 }, client });
 * process.once("SIGTERM", () => worker.close());
 */
export const startJobWorker = <S extends ClientSchemas>(
  options: JobWorkerOptions<S>,
): JobWorker => {
  const config = resolveWorkerOptions(options);
  const { client, timeoutMs, submitTimeoutMs, settleMs } = config;
  const names = nameFleet(config.name, config.prefix);
  const shared = { connection: patientConnection(config.connection), prefix: names.prefix };
  const queues = {
    submissions: new Queue(names.submissions, shared),
    looks: new Queue(names.looks, shared),
  };
  const connect = () => queues.submissions.getBackend().client;
  const records = createRecords(names, connect);
  const brakes = createBrakes(queues, config.onPaused);
  // Memories are told apart by identity, and the client may be of another copy of the package.
  const learned = createLearnedDurations(client.jobs.durations.toJSON());
  const durations = shareDurations(learned, names.key("durations"), connect);
  const { onUnknown, candidateLimit } = config;
  const waits = { submitTimeoutMs, settleMs };
  const unknown = { client, records, brakes, onUnknown, candidateLimit, ...waits };
  const meetUnknown = createMeetUnknown(unknown);
  const { targetDelayMs } = config;
  const polling = { client, brakes, learned, durations, timeoutMs, targetDelayMs };
  const { poll, firstWait } = createPollStep(polling);
  const onContradiction = (message: string) => submissions.emit("error", new Error(message));
  const submitting = {
    ...{ client, records, queues, brakes, submitTimeoutMs, firstWait, meetUnknown },
    onContradiction,
  };

  const { limit } = config;
  const limiter = limit ? { max: limit.max, duration: limit.durationMs } : noLimit;
  const plain = { maxStalledCount: manyDeaths, maximumRateLimitDelay };
  const own = { ...plain, ...config.worker, ...shared, limiter };
  const submissions = new Worker<SubmissionData, SubmissionAnswer>(
    names.submissions,
    createSubmitStep(submitting),
    { ...own, concurrency: config.concurrency },
  );
  const looks = new Worker<LookData, FinishedJob>(names.looks, poll, {
    ...own,
    concurrency: config.lookConcurrency,
  });
  queues.submissions.on("error", (error) => submissions.emit("error", error));
  queues.looks.on("error", (error) => looks.emit("error", error));
  const warn = async (): Promise<void> => {
    if (!config.warnOfDurability) return;
    const problem = await findDurabilityProblem(await connect());
    if (problem !== undefined) console.warn(problem);
  };
  // Redis may be down; the workers' "error" events tell.
  const warned = warn().catch(() => {});
  /** Takes no more, and ends what has begun. */
  const finish = async (): Promise<void> => {
    // A connection that is closed in the middle of the question would look like an odd Redis.
    const enough = new AbortController();
    await Promise.race([warned, sleep(2_000, enough.signal)]);
    enough.abort();
    await Promise.all([submissions.pause(), looks.pause()]);
  };
  const disconnectAll = async (isDone: boolean): Promise<void> => {
    await Promise.all([submissions.close(!isDone), looks.close(!isDone)]);
    await Promise.all([queues.submissions.close(), queues.looks.close()]);
  };
  return {
    submissions,
    looks,
    async close(closeOptions = {}) {
      const defaults = { timeoutMs: submitTimeoutMs + closeMarginMs };
      const rules = { timeoutMs: milliseconds(0) };
      // As the listener of a signal it gets that signal's name.
      const options = typeof closeOptions === "string" ? {} : closeOptions;
      const given = checkOptions("close", rules, options, refuseArgument, defaults);
      const isDone = await runAtMost(given.timeoutMs, finish);
      if (await runAtMost(disconnectMs, () => disconnectAll(isDone))) return;
      for (const queue of [queues.submissions, queues.looks]) disconnect(queue);
    },
  };
};
