import type { Job } from "../../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import {
  abortSignalRule,
  type Checked,
  checkOptions,
  functionRule,
  millisecondsRule,
  type OptionRules,
  type Refuse,
  refuseArgument,
} from "../options/rules.ts";

/** Progress of a wait. */
export interface WaitProgress {
  /**
   * Time since the submission's response, in milliseconds. For a job that another client submitted,
   * it counts from the beginning of the wait.
   */
  readonly elapsedMs: number;
  /** Number of polls so far, failed ones included. */
  readonly polls: number;
  /**
   * How long the job may take, in milliseconds: your option, or the median of the last 20 jobs of
   * its action that this client has seen completed. Absent if neither is known.
   */
  readonly expectedMs?: number | undefined;
  /** Elapsed share of `expectedMs`: at most 0.99 before the job has finished, and then 1. */
  readonly fraction?: number | undefined;
}

/** Options of a wait; everything in it is optional. */
export interface PollOptions<R = unknown> {
  /**
   * Forces a pace: the first wait between two polls, in milliseconds, ±20 %. Each further wait is
   * half as long again, up to `maxIntervalMs`. Without this option, a job is polled every 2
   * seconds, and once it is older than 20 seconds, every tenth of its age. Once this client has
   * seen five jobs of the action completed, it makes no poll before the quickest of the last 20
   * would have finished.
   *
   * With either pace, a `Retry-After` of up to a minute beside an unfinished job replaces the wait.
   * After a failure, a `Retry-After` may only lengthen the wait. From the 21st poll on, two polls
   * are at least 100 ms apart.
   */
  intervalMs?: number | undefined;
  /**
   * The longest wait between two polls, in milliseconds. It must not be less than `intervalMs`.
   * Without `intervalMs`, less than 100 counts as 100.
   * @default 10000, or `intervalMs` where that is more
   */
  maxIntervalMs?: number | undefined;
  /**
   * How long the job may take, in milliseconds; only its progress depends on it. @default the time
   * that other jobs of the action took
   */
  expectedMs?: number | undefined;
  /**
   * The time for the whole wait, in milliseconds, 0 to 2147483647; jobs expire after 30 minutes.
   * When it is over, the job is polled once more. This last poll gets a quarter of the time,
   * between 500 ms and 5 seconds. With zero, the job is polled once. In `submitAndPoll`, the time
   * begins with the submission's response.
   * @default 1860000 (31 minutes)
   */
  timeoutMs?: number | undefined;
  /**
   * Subscribes the wait to a source that learns of changes sooner than a poll, such as a webhook.
   * It is called once for each job, when its wait begins: store `pollNow` under `jobId`, and return
   * a function that ends the subscription. `pollNow` makes the wait poll at once, but not within
   * 100 ms of its last poll.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a subscription without an end returns nothing
  wake?: ((pollNow: () => void, jobId: string) => (() => void) | void) | undefined;
  /** Ends the wait with an `AbortedError` within 100 ms. The job itself continues. */
  signal?: AbortSignal | undefined;
  /**
   * Observer of the job after every poll, the finished job included, and of the wait's progress.
   * What it throws is printed.
   */
  onUpdate?: ((job: Job<R>, progress: WaitProgress) => void) | undefined;
  /** Observer of every poll that failed and is waited out. What it throws is printed. */
  onPollFailed?: ((error: AnyAdGenError) => void) | undefined;
}

/** The checked options of a wait. */
export type PollConfig = Readonly<Omit<PollOptions, "timeoutMs">> & { readonly timeoutMs: number };

/** The rules of {@link PollOptions}. */
export const pollRules = () => ({
  intervalMs: millisecondsRule(0),
  maxIntervalMs: millisecondsRule(0),
  expectedMs: millisecondsRule(),
  timeoutMs: millisecondsRule(0),
  wake: functionRule<NonNullable<PollOptions["wake"]>>(),
  signal: abortSignalRule(),
  onUpdate: functionRule<NonNullable<PollOptions["onUpdate"]>>(),
  onPollFailed: functionRule<NonNullable<PollOptions["onPollFailed"]>>(),
});

/**
 * Lowest value that `maxIntervalMs` takes effect with, because zero would cause a busy loop. A
 * forced pace has a lower bound of its own.
 */
const minMaxIntervalMs = 100;
/** Jobs expire after 30 minutes. */
export const defaultWaitMs: number = 31 * 60_000;

/**
 * Checks the options of a wait.
 *
 * @param owner - Name of the function that takes them, for refusals
 * @param own - Rules of the function's own options
 * @param rules - Rules of the wait's options that the function takes
 */
export const resolvePollOptions = <Own extends OptionRules = Record<never, never>>(
  owner: string,
  options: unknown = {},
  refuse: Refuse = refuseArgument,
  own?: Own,
  rules: OptionRules = pollRules(),
): PollConfig & Checked<Own> => {
  const all: OptionRules = { ...rules, ...own };
  const given: object = checkOptions(owner, all, options, refuse, { timeoutMs: defaultWaitMs });
  // Each rule has returned its own type.
  const config = given as PollConfig & Checked<Own>;
  const { intervalMs, maxIntervalMs } = config;
  if (maxIntervalMs === undefined) return config;
  if (intervalMs === undefined) {
    return { ...config, maxIntervalMs: Math.max(maxIntervalMs, minMaxIntervalMs) };
  }
  if (maxIntervalMs < intervalMs) {
    refuse(`maxIntervalMs (${maxIntervalMs}) must be at least intervalMs (${intervalMs})`);
  }
  return config;
};
