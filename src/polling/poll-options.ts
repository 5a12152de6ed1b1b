import type { Job } from "../contract/jobs.ts";
import { checkFunction, checkMs, checkNoOthers, checkSignal, refuseArgument } from "../refuse.ts";

/** How to wait for a job; everything in it is optional. */
export interface PollOptions<R = unknown> {
  /**
   * The first wait between two looks, in milliseconds, ±20 %. Each further one is half as long
   * again, up to `maxIntervalMs`. A `Retry-After` of a minute at most, beside an unfinished job,
   * takes its place; after a failure, any `Retry-After` may lengthen it.
   * @default 1000
   */
  intervalMs?: number | undefined;
  /** What the wait between two looks grows to, in milliseconds, ±20 %. @default 10000 */
  maxIntervalMs?: number | undefined;
  /**
   * The time for the whole wait, in milliseconds, 0 to 2147483647; jobs expire after 30 minutes.
   * A last look is made when it is over, and gets up to a quarter of it: 5 seconds at most, and
   * 500 ms at least. Zero looks once. In `submitAndPoll` it begins with the submission's answer.
   * @default 1860000 (31 minutes)
   */
  timeoutMs?: number | undefined;
  /** Ends the wait with an `AbortedError` within 100 ms. The job itself goes on. */
  signal?: AbortSignal | undefined;
  /** Called with the job after every look, the finished job included. What it throws is printed. */
  onUpdate?: ((job: Job<R>) => void) | undefined;
}

export interface PollConfig {
  readonly intervalMs: number;
  readonly maxIntervalMs: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly onUpdate: ((job: Job) => void) | undefined;
}

/** Checks and fills the options of a wait. */
export const resolvePollOptions = (options: PollOptions<never> = {}): PollConfig => {
  const { intervalMs, maxIntervalMs, timeoutMs, signal, onUpdate, ...others } = options;
  checkNoOthers(others, refuseArgument);
  const checkWait = (name: string, value: number) => checkMs(name, value, refuseArgument, 0);
  const interval = checkWait("intervalMs", intervalMs ?? 1_000);
  return {
    intervalMs: interval,
    maxIntervalMs: checkWait("maxIntervalMs", maxIntervalMs ?? Math.max(10_000, interval)),
    timeoutMs: checkWait("timeoutMs", timeoutMs ?? 31 * 60_000),
    signal: checkSignal(signal, refuseArgument),
    onUpdate: checkFunction("onUpdate", onUpdate as PollConfig["onUpdate"], refuseArgument),
  };
};
