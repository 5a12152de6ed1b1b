import type { Job as QueuedJob } from "bullmq";
import type { Doubt } from "../client/errors/doubt.ts";
import { type AnyAdGenError, isAdGenError } from "../client/errors/errors.ts";
import { sleep } from "../client/internal/sleep.ts";
import { DelayedError, UnrecoverableError } from "./installed-bullmq.ts";
import type { SubmissionData } from "./processor-options.ts";

/** Pause between two tries of one step, in milliseconds. */
export const pauseMs = 1_000;

/** A wait of up to this many milliseconds happens in the worker, without requeueing the job. */
const shortMs = 5_000;

/** Time in milliseconds for which a run is retried while Redis is down or full. */
const outageMs = 600_000;

/** One run of a BullMQ job by a worker: how it waits, ends, and keeps its state. */
export const createJobRun = (job: QueuedJob<SubmissionData>, token: string) => {
  /** Replaces `doubt` and `error` in the job's data. The other fields stay. */
  const keep = (state: Omit<SubmissionData, "request">): Promise<void> =>
    job.updateData({
      ...job.data,
      doubt: undefined,
      error: undefined,
      ...state,
    });

  /** Delays the BullMQ job, and frees its place in the worker. */
  const requeue = async (ms: number): Promise<never> => {
    await job.moveToDelayed(Date.now() + ms, token);
    throw new DelayedError();
  };

  /**
   * Waits in the worker if the wait is short. Otherwise it requeues the job, for `maxMs` at most.
   */
  const waitOrRequeue = async (waitMs: number, maxMs: number): Promise<void> => {
    if (waitMs > shortMs) await requeue(Math.min(waitMs, maxMs));
    else if (waitMs > 0) await sleep(waitMs);
  };

  /** Fails the BullMQ job with an error. A retry starts from the beginning. */
  const fail = async (error: AnyAdGenError, doubt?: Doubt): Promise<never> => {
    const { code, message } = error;
    await keep({ error: { ...error.toJSON(), code, message }, doubt });
    await job.updateProgress(0);
    throw new UnrecoverableError(message);
  };

  return { job, keep, requeue, waitOrRequeue, fail };
};

export type JobRun = ReturnType<typeof createJobRun>;

/**
 * Whether Redis may have caused an error. Two kinds of BullMQ's errors have another cause: signals
 * to its worker, and an error with a numeric code for a job that another worker holds.
 */
const mayPass = (error: unknown): boolean => {
  if (isAdGenError(error)) return error.code === "store";
  const isSignal = error instanceof DelayedError || error instanceof UnrecoverableError;
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return !isSignal && typeof code !== "number" && !(error instanceof TypeError);
};

/**
 * Retries a run that fails because of Redis, so that an outage ends neither a submission nor a
 * wait.
 */
export const retryOutages = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
  const begunAt = Date.now();
  for (let tries = 0; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!mayPass(error) || Date.now() - begunAt > outageMs) throw error;
      if (tries === 0) console.error(`adgen-sdk: ${name} is tried again for 10 minutes`, error);
      await sleep(pauseMs);
    }
  }
};
