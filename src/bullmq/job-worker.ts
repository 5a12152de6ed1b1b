import { type ConnectionOptions, Queue, Worker, type WorkerOptions } from "bullmq";
import type { AdGenClient } from "../client.ts";
import type { FinishedJob } from "../contract/jobs.ts";
import { describeValue } from "../errors/text.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import {
  checkOptions,
  flag,
  func,
  group,
  isObject,
  milliseconds,
  type Rule,
  refuseOption,
  text,
  wholeNumber,
} from "../options/rules.ts";
import { createBrakes, type PausedEvent } from "./brakes.ts";
import { findDurabilityProblem } from "./durability.ts";
import { connectionRule, nameFleet, patientConnection } from "./fleet-names.ts";
import { createLookStep } from "./look-step.ts";
import { createLookTimes } from "./look-times.ts";
import { createMeetUnknown, type DecideUnknown } from "./meet-unknown.ts";
import { createRecords } from "./records.ts";
import { shareDurations } from "./shared-durations.ts";
import type { LookData, SubmissionData } from "./submission.ts";
import { createSubmitStep, type SubmissionAnswer } from "./submit-step.ts";

/** Largest number of requests in a time, for all workers of the fleet together. */
export interface FleetLimit {
  /** Number of requests of each kind: submissions, and looks. */
  readonly max: number;
  /** The time, in milliseconds. */
  readonly durationMs: number;
}

/** Options of a worker. `connection` and `client` are required. */
export interface JobWorkerOptions<S extends ClientSchemas = ClientSchemas> {
  /** Connection of BullMQ: `{ host, port }`, or a client with `maxRetriesPerRequest: null`. */
  readonly connection: ConnectionOptions;
  /** Client that submits and looks. Its schemas check the results. */
  readonly client: AdGenClient<S>;
  /** Name of the fleet; the same as the queue's. @default "adgen" */
  readonly name?: string | undefined;
  /** BullMQ's prefix of all keys. In a cluster it holds a hash tag: `"{adgen}"`. @default "bull" */
  readonly prefix?: string | undefined;
  /** Largest number of submissions under way at once in this worker, 1 to 1000. @default 4 */
  readonly concurrency?: number | undefined;
  /** Largest number of looks under way at once in this worker, 1 to 1000. @default 16 */
  readonly lookConcurrency?: number | undefined;
  /** Rate that all workers keep together. Give all the same. @default none */
  readonly limit?: FleetLimit | undefined;
  /** Time for one submission, in milliseconds. @default 60000 */
  readonly submitTimeoutMs?: number | undefined;
  /**
   * Time from the submission in which a job must finish, in milliseconds. A last look is made when
   * it is over.
   * @default 1860000 (31 minutes)
   */
  readonly timeoutMs?: number | undefined;
  /** Mean delay to aim at, in milliseconds, from a job's end to the look that sees it. */
  readonly targetDelayMs?: number | undefined;
  /**
   * Time that the service may take to list a new job, in milliseconds. Candidates of a lost
   * submission are listed after it.
   * @default 10000
   */
  readonly settleMs?: number | undefined;
  /**
   * Called for a submission of which nobody knows whether it made a job, once, with the recent
   * jobs that may be it. `undefined` in their place: they could not be listed. What it throws is
   * printed, and the submission is held.
   * @default holds it
   */
  readonly onUnknown?: DecideUnknown | undefined;
  /** Called when this worker has paused the fleet after a 401 or a 402. */
  readonly onPaused?: ((event: PausedEvent) => void) | undefined;
  /** Prints a warning when a crash of Redis could lose an intent. @default true */
  readonly warnOfDurability?: boolean | undefined;
  /** Options of both BullMQ workers: `lockDuration`, `metrics`, `telemetry`, and others. */
  readonly worker?: Partial<Omit<WorkerOptions, "connection" | "prefix" | "limiter">> | undefined;
}

/** A worker of a fleet: two BullMQ workers. */
export interface JobWorker {
  /** BullMQ's worker of the submissions. */
  readonly submissions: Worker<SubmissionData, SubmissionAnswer>;
  /** BullMQ's worker of the looks. */
  readonly looks: Worker<LookData, FinishedJob>;
  /** Ends the worker when what it has begun is done: call it on SIGTERM. */
  close(): Promise<void>;
}

const clientRule: Rule<AdGenClient> = (value, name, refuse) =>
  typeof (value as AdGenClient | undefined)?.jobs?.submit === "function"
    ? (value as AdGenClient)
    : refuse(`${name} must be what createClient gave, got ${describeValue(value)}`);

const workerOptionsRule: Rule<Partial<WorkerOptions>> = (value, name, refuse) =>
  isObject(value) ? value : refuse(`${name} must be options of BullMQ's Worker`);

const workerRules = () => ({
  connection: connectionRule,
  client: clientRule,
  name: text(),
  prefix: text(),
  concurrency: wholeNumber(1, 1_000),
  lookConcurrency: wholeNumber(1, 1_000),
  limit: group({ max: wholeNumber(1, 1_000_000), durationMs: milliseconds() }),
  submitTimeoutMs: milliseconds(),
  timeoutMs: milliseconds(0),
  targetDelayMs: milliseconds(),
  settleMs: milliseconds(0),
  onUnknown: func<DecideUnknown>(),
  onPaused: func<(event: PausedEvent) => void>(),
  warnOfDurability: flag(),
  worker: workerOptionsRule,
});

const defaults = {
  concurrency: 4,
  lookConcurrency: 16,
  submitTimeoutMs: 60_000,
  timeoutMs: 31 * 60_000,
  settleMs: 10_000,
  warnOfDurability: true,
};

/** BullMQ obeys a rate limit only in workers that have one of their own. This one limits nothing. */
const noLimit = { max: 1_000_000_000, duration: 1_000 };

/** A worker that dies does no harm here: its jobs may come back as often as workers die. */
const manyDeaths = 10_000;

/**
 * Starts a worker of a fleet: it submits what is in the queue, and looks until the jobs finish.
 * A submission is sent at most once, unless it was provably refused or never sent.
 *
 * @throws {@link ConfigError} (`config`) that names an option which is missing or makes no sense.
 * @see API v1, sections 3 and 4
 * @example
 * const worker = startJobWorker({ connection: { host: "127.0.0.1", port: 6379 }, client });
 * process.once("SIGTERM", () => worker.close());
 */
export const startJobWorker = <S extends ClientSchemas>(
  options: JobWorkerOptions<S>,
): JobWorker => {
  const config = checkOptions("startJobWorker", workerRules(), options, refuseOption, defaults);
  const { client, timeoutMs, submitTimeoutMs, settleMs } = config;
  if (config.connection === undefined) return refuseOption("startJobWorker needs a connection");
  if (client === undefined) return refuseOption("startJobWorker needs a client");
  const names = nameFleet(config.name, config.prefix);
  const shared = { connection: patientConnection(config.connection), prefix: names.prefix };
  const queues = {
    submissions: new Queue(names.submissions, shared),
    looks: new Queue(names.looks, shared),
  };
  const connect = () => queues.submissions.getBackend().client;
  const records = createRecords(names, connect);
  const brakes = createBrakes(queues, config.onPaused);
  const durations = shareDurations(client.jobs.durations, names.key("durations"), connect);
  const times = createLookTimes(client.jobs.durations, config.targetDelayMs);
  const { onUnknown } = config;
  const unknown = { client, records, brakes, onUnknown, submitTimeoutMs, settleMs };
  const meetUnknown = createMeetUnknown(unknown);
  const firstWait = times.first;
  const submitting = { client, records, queues, brakes, submitTimeoutMs, firstWait, meetUnknown };
  const looking = { client, brakes, times, durations, timeoutMs };

  const { limit } = config;
  const limiter = limit ? { max: limit.max ?? 1, duration: limit.durationMs ?? 1_000 } : noLimit;
  const own = { maxStalledCount: manyDeaths, ...config.worker, ...shared, limiter };
  const submissions = new Worker<SubmissionData, SubmissionAnswer>(
    names.submissions,
    createSubmitStep(submitting),
    { ...own, concurrency: config.concurrency },
  );
  const looks = new Worker<LookData, FinishedJob>(names.looks, createLookStep(looking), {
    ...own,
    concurrency: config.lookConcurrency,
  });
  if (config.warnOfDurability) {
    const warn = async (): Promise<void> => {
      const problem = await findDurabilityProblem(await connect());
      if (problem !== undefined) console.warn(problem);
    };
    // Redis may be down; the workers' "error" events tell.
    warn().catch(() => {});
  }
  return {
    submissions,
    looks,
    async close() {
      await Promise.all([submissions.close(), looks.close()]);
      await Promise.all([queues.submissions.close(), queues.looks.close()]);
    },
  };
};
