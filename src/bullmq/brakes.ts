import { type Job, type Queue, Worker } from "bullmq";
import type { AnyAdGenError } from "../errors/errors.ts";
import { notify } from "../hooks.ts";
import { WaitingError } from "./installed-bullmq.ts";

/** The wait after a 429 that names none. */
const defaultLimitMs = 1_000;
const longestLimitMs = 60_000;

/** A failure has stopped queues of the fleet. */
export interface PausedEvent {
  /**
   * The failure: a 401 (`unauthorized`), a 402 (`payment_required`) or a long 429 (`rate_limited`).
   * After three unknown outcomes in a row, it is the last one.
   */
  readonly error: AnyAdGenError;
  /** Names of the BullMQ queues that stand still. */
  readonly queues: readonly string[];
}

/** The queues of a fleet, as a worker steers them. */
export interface FleetQueues {
  readonly submissions: Queue;
  readonly looks: Queue;
}

/** Wait after a 429, in milliseconds; `tries` counts those in a row. */
const limitMs = ({ retryAfterMs }: AnyAdGenError, tries: number): number =>
  retryAfterMs ?? Math.min(longestLimitMs, defaultLimitMs * 2 ** Math.min(tries, 10));

/** BullMQ keeps a limit that was set by hand with this count. */
const setByHand = Number.MAX_SAFE_INTEGER;

/** Says how long the service has asked the fleet to wait; 0 where it has not. */
const brakeLeftMs = ({ submissions }: Pick<FleetQueues, "submissions">): Promise<number> =>
  submissions.getRateLimitTtl(setByHand);

/** Ends a wait that the service has asked for. */
export const releaseBrake = async (queues: Pick<FleetQueues, "submissions">): Promise<void> => {
  if ((await brakeLeftMs(queues)) > 0) await queues.submissions.removeRateLimitKey();
};

/** Slows or stops all workers of a fleet at once: what they obey stands in Redis. */
export const createBrakes = (
  queues: FleetQueues,
  onPaused: ((event: PausedEvent) => unknown) | undefined,
) => {
  const { submissions, looks } = queues;
  const tellPaused = (error: AnyAdGenError, paused: readonly Queue[]): void =>
    notify("onPaused", onPaused, { error, queues: paused.map(({ name }) => name) });
  const pauseQueues = async (toPause: readonly Queue[], error: AnyAdGenError): Promise<void> => {
    const running: Queue[] = [];
    for (const queue of toPause) if (!(await queue.isPaused())) running.push(queue);
    for (const queue of running) await queue.pause();
    if (running.length === 0) return;
    tellPaused(error, running);
  };
  /** After a 429, no worker asks before the time that the service named. */
  const slow = async (error: AnyAdGenError, tries: number): Promise<void> => {
    const waitMs = Math.max(1, Math.ceil(limitMs(error, tries)));
    const leftMs = await brakeLeftMs(queues);
    // The limits of two answers must not shorten each other.
    if (leftMs >= waitMs) return;
    await submissions.rateLimit(waitMs);
    if (waitMs > longestLimitMs && leftMs <= longestLimitMs)
      tellPaused(error, [submissions, looks]);
  };

  return {
    slow,
    /** Time until the fleet may ask again after a 429. The looks ask for it: none is held here. */
    leftMs: () => brakeLeftMs(queues),
    /** Puts a submission back after a 429. Always throws. */
    rateLimited: async (error: AnyAdGenError, tries: number): Promise<never> => {
      await slow(error, tries);
      throw Worker.RateLimitError();
    },
    /** After a 401 no request can succeed; after a 402, no submission. Always throws. */
    paused: async (error: AnyAdGenError, job: Job, token: string): Promise<never> => {
      await pauseQueues(
        error.code === "unauthorized" ? [submissions, looks] : [submissions],
        error,
      );
      await job.moveToWait(token);
      throw new WaitingError();
    },
    /** After unknown outcomes in a row: each may be a paid job, so no more are made. */
    unknowns: (error: AnyAdGenError): Promise<void> => pauseQueues([submissions], error),
  };
};

/** The brakes of a fleet. */
export type Brakes = ReturnType<typeof createBrakes>;
