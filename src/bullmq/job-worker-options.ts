import type { ConnectionOptions, WorkerOptions } from "bullmq";
import type { AdGenClient } from "../client.ts";
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
import type { PausedEvent } from "./brakes.ts";
import { connectionRule, requireConnection } from "./fleet-names.ts";
import type { DecideUnknown } from "./meet-unknown.ts";

/** Largest number of requests in a time, for all workers of the fleet together. */
export interface FleetLimit {
  /** Number of requests of each kind: submissions, and looks. */
  readonly max: number;
  /** The time, in milliseconds. */
  readonly durationMs: number;
}

/** Options of a worker. `connection` and `client` are required. */
export interface JobWorkerOptions<S extends ClientSchemas = ClientSchemas> {
  /**
   * Connection of BullMQ: `{ host, port }`, `{ url }`, or a Redis client with
   * `maxRetriesPerRequest: null`.
   */
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
   * Length of the first list of recent jobs, in search of candidates; longer ones follow.
   * @assumed A4
   * @default the service's own number
   */
  readonly candidateLimit?: number | undefined;
  /**
   * Called for a submission of which nobody knows whether it made a job, once, with the recent
   * jobs that may be it. `undefined` in their place: they could not be listed. What it throws is
   * printed, and the submission is held.
   * @default holds it
   */
  readonly onUnknown?: DecideUnknown | undefined;
  /**
   * Called when this worker has stopped the fleet: after a 401, a 402, or a 429 that asks for more
   * than a minute. It is called after three unknown outcomes in a row, too.
   */
  readonly onPaused?: ((event: PausedEvent) => void) | undefined;
  /** Prints a warning when a crash of Redis could lose an intent. @default true */
  readonly warnOfDurability?: boolean | undefined;
  /** Options of both BullMQ workers: `lockDuration`, `metrics`, `telemetry`, and others. */
  readonly worker?: Partial<Omit<WorkerOptions, "connection" | "prefix" | "limiter">> | undefined;
}

/** Allows a client. */
export const clientRule: Rule<AdGenClient> = (value, name, refuse) =>
  typeof (value as AdGenClient | undefined)?.jobs?.submit === "function"
    ? (value as AdGenClient)
    : refuse(`${name} must be what createClient gave, got ${describeValue(value)}`);

const workerOptionsRule: Rule<Partial<WorkerOptions>> = (value, name, refuse) =>
  isObject(value) ? value : refuse(`${name} must be options of BullMQ's Worker`);

const limitRule: Rule<FleetLimit> = (value, name, refuse) => {
  const rules = { max: wholeNumber(1, 1_000_000), durationMs: milliseconds() };
  const { max, durationMs } = group(rules)(value, name, refuse);
  return max === undefined || durationMs === undefined
    ? refuse(`${name} needs both max and durationMs: ${name}: { max: 60, durationMs: 60_000 }`)
    : { max, durationMs };
};

const workerRules = () => ({
  connection: connectionRule,
  client: clientRule,
  name: text(),
  prefix: text(),
  concurrency: wholeNumber(1, 1_000),
  lookConcurrency: wholeNumber(1, 1_000),
  limit: limitRule,
  submitTimeoutMs: milliseconds(),
  timeoutMs: milliseconds(0),
  targetDelayMs: milliseconds(),
  settleMs: milliseconds(0),
  candidateLimit: wholeNumber(1, 1_000_000),
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

/** Checks and fills the options of a worker. */
export const resolveWorkerOptions = (options: unknown) => {
  const owner = "startJobWorker";
  const config = checkOptions(owner, workerRules(), options, refuseOption, defaults);
  const { client = refuseOption(`${owner} needs a client`) } = config;
  return { ...config, connection: requireConnection(owner, config.connection), client };
};
