import type { Job } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import {
  abortSignal,
  type Checked,
  checkOptions,
  func,
  milliseconds,
  type Refuse,
  type Rules,
  refuseArgument,
} from "../options/rules.ts";

/** Options of a wait; everything in it is optional. */
export interface PollOptions<R = unknown> {
  /**
   * The first wait between two looks, in milliseconds, ±20 %. Each further one is half as long
   * again, up to `maxIntervalMs`. A `Retry-After` of a minute at most, beside an unfinished job,
   * takes its place; after a failure, a `Retry-After` may only lengthen it. From the 21st look on,
   * two looks are at least 100 ms apart.
   * @default 1000
   */
  intervalMs?: number | undefined;
  /**
   * The longest wait between two looks, in milliseconds, ±20 %; no less than `intervalMs`.
   * @default 10000, or `intervalMs` where that is more
   */
  maxIntervalMs?: number | undefined;
  /**
   * The time for the whole wait, in milliseconds, 0 to 2147483647; jobs expire after 30 minutes.
   * A last look is made when it is over. It gets up to a quarter of the time, between 500 ms and
   * 5 seconds. Zero looks once. In `submitAndPoll` it begins with the submission's answer.
   * @default 1860000 (31 minutes)
   */
  timeoutMs?: number | undefined;
  /** Ends the wait with an `AbortedError` within 100 ms. The job itself goes on. */
  signal?: AbortSignal | undefined;
  /** Observer of the job after every look, the finished job included. What it throws is printed. */
  onUpdate?: ((job: Job<R>) => void) | undefined;
  /** Observer of every look that failed and is waited out. What it throws is printed. */
  onLookFailed?: ((error: AnyAdGenError) => void) | undefined;
}

/** The options that a wait uses: every one checked and filled in. */
export interface PollConfig {
  readonly intervalMs: number;
  readonly maxIntervalMs: number;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  readonly onUpdate?: ((job: Job) => void) | undefined;
  readonly onLookFailed?: ((error: AnyAdGenError) => void) | undefined;
}

const pollRules = () => ({
  intervalMs: milliseconds(0),
  maxIntervalMs: milliseconds(0),
  timeoutMs: milliseconds(0),
  signal: abortSignal(),
  onUpdate: func<(job: Job) => void>(),
  onLookFailed: func<(error: AnyAdGenError) => void>(),
});

const defaultIntervalMs = 1_000;
const defaultMaxIntervalMs = 10_000;
const defaults = { timeoutMs: 31 * 60_000 };

/**
 * Checks and fills the options of a wait.
 *
 * @param owner - Name of the function that takes them, for refusals
 * @param own - Rules of options that this function has besides
 */
export const resolvePollOptions = <Own extends Rules = Record<never, never>>(
  owner: string,
  options: unknown = {},
  refuse: Refuse = refuseArgument,
  own?: Own,
): PollConfig & Checked<Own> => {
  const rules = { ...pollRules(), ...own };
  const given = checkOptions<typeof rules, typeof defaults>(
    owner,
    rules,
    options,
    refuse,
    defaults,
  );
  const { maxIntervalMs = Number.POSITIVE_INFINITY } = given;
  const { intervalMs = Math.min(defaultIntervalMs, maxIntervalMs) } = given;
  if (maxIntervalMs < intervalMs) {
    refuse(`maxIntervalMs (${maxIntervalMs}) must be at least intervalMs (${intervalMs})`);
  }
  const config: PollConfig = {
    ...given,
    intervalMs,
    maxIntervalMs: given.maxIntervalMs ?? Math.max(defaultMaxIntervalMs, intervalMs),
  };
  // The own options are among those that were checked.
  return config as PollConfig & Checked<Own>;
};
