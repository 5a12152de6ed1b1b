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
   * Time since the submission's answer, in milliseconds. Since the wait began, where another client
   * has submitted the job.
   */
  readonly elapsedMs: number;
  /** Number of polls so far, failed ones included. */
  readonly polls: number;
  /**
   * How long the job may take, in milliseconds: your option, or the median of the last 20 jobs of its
   * action that this client has seen completed. Absent: neither is known.
   */
  readonly expectedMs?: number | undefined;
  /** Part of `expectedMs` that is over: at most 0.99 before the job has finished, and then 1. */
  readonly fraction?: number | undefined;
}

/** Options of a wait; everything in it is optional. */
export interface PollOptions<R = unknown> {
  /**
   * Forces a pace: the first wait between two polls, in milliseconds, ±20 %. Each further one is
   * half as long again, up to `maxIntervalMs`. Without it, a job is polled every 2 seconds, and once it
   * is older than 20, every tenth of its age; but not before the quickest of the last 20 jobs of its
   * action had finished, once this client has seen five.
   *
   * With either pace, a `Retry-After` of a minute at most, beside an unfinished job, takes the
   * wait's place. After a failure, a `Retry-After` may only lengthen it. From the 21st poll on, two
   * polls are at least 100 ms apart.
   */
  intervalMs?: number | undefined;
  /**
   * The longest wait between two polls, in milliseconds; no less than `intervalMs`. Without
   * `intervalMs`, less than 100 counts as 100.
   * @default 10000, or `intervalMs` where that is more
   */
  maxIntervalMs?: number | undefined;
  /** How long the job may take, in milliseconds, for its progress. @default what other jobs took */
  expectedMs?: number | undefined;
  /**
   * The time for the whole wait, in milliseconds, 0 to 2147483647; jobs expire after 30 minutes.
   * A last poll is made when it is over. It gets up to a quarter of the time, between 500 ms and
   * 5 seconds. Zero polls once. In `submitAndPoll` it begins with the submission's answer.
   * @default 1860000 (31 minutes)
   */
  timeoutMs?: number | undefined;
  /**
   * Subscribes the wait to something that knows sooner than a poll that its job has changed, such as a
   * webhook. Called once for each job, when its wait begins: keep `pollNow` under `jobId`, and return
   * a function that ends the subscription. `pollNow` makes the wait poll at once, but at least
   * 100 ms after its last poll.
   */
  // biome-ignore lint/suspicious/noConfusingVoidType: a subscription without an end returns nothing
  wake?: ((pollNow: () => void, jobId: string) => (() => void) | void) | undefined;
  /** Ends the wait with an `AbortedError` within 100 ms. The job itself goes on. */
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

/** A longest wait of zero would be a hot loop. A pace that is forced has a bound of its own. */
const minMaxIntervalMs = 100;
/** Jobs expire after 30 minutes. */
export const defaultWaitMs: number = 31 * 60_000;

/**
 * Checks the options of a wait.
 *
 * @param owner - Name of the function that takes them, for refusals
 * @param own - Rules of options that this function has besides
 * @param rules - Rules of the options of a wait that it has
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
