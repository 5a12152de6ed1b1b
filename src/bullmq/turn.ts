import type { Job as QueuedJob } from "bullmq";
import type { Doubt } from "../errors/doubt.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { sleep } from "../sleep.ts";
import { DelayedError, UnrecoverableError } from "./installed-bullmq.ts";
import type { SubmissionData } from "./processor-options.ts";

/** A wait that is shorter holds its place in the worker: all waiting jobs would move otherwise. */
const shortMs = 5_000;

/** Time for which a Redis that is away or full is waited for. */
const outlastMs = 600_000;

/** One run of a BullMQ job, as far as it can end or change. */
export interface Turn {
  readonly job: QueuedJob<SubmissionData>;
  /** Replaces what the processor keeps; what else the data hold stays. */
  readonly keep: (state: Omit<SubmissionData, "request">) => Promise<void>;
  /** Puts the BullMQ job off, and gives its place in the worker back. Always throws. */
  readonly putOff: (at: number) => Promise<never>;
  /** Waits, in place or put off by `mostMs` at most. */
  readonly standBy: (waitMs: number, mostMs: number) => Promise<void>;
  /** Ends the BullMQ job with an error. A retry of it begins anew. Always throws. */
  readonly fail: (error: AnyAdGenError, doubt?: Doubt) => Promise<never>;
}

export const createTurn = (job: QueuedJob<SubmissionData>, token: string): Turn => {
  const keep: Turn["keep"] = (state) =>
    job.updateData({ ...job.data, doubt: undefined, error: undefined, ...state });
  const putOff: Turn["putOff"] = async (at) => {
    await job.moveToDelayed(at, token);
    throw new DelayedError();
  };
  return {
    job,
    keep,
    putOff,
    async standBy(waitMs, mostMs) {
      if (waitMs > shortMs) await putOff(Date.now() + Math.min(waitMs, mostMs));
      else if (waitMs > 0) await sleep(waitMs);
    },
    async fail(error, doubt) {
      const { name: _, ...fields } = error.toJSON();
      const told = { ...fields, code: error.code, message: error.message };
      await keep({ error: told, doubt });
      await job.updateProgress(0);
      throw new UnrecoverableError(error.message);
    },
  };
};

/**
 * Tells whether Redis may be the reason of an error. BullMQ speaks to its worker by errors, and of a
 * job that is another worker's by one with a number.
 */
const mayPass = (error: unknown): boolean => {
  if (isAdGenError(error)) return error.code === "store";
  const isSignal = error instanceof DelayedError || error instanceof UnrecoverableError;
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return !isSignal && typeof code !== "number" && !(error instanceof TypeError);
};

/** Runs again what fails because of Redis: no outage of it ends a submission or a wait. */
export const outlast = async <T>(name: string, run: () => Promise<T>): Promise<T> => {
  const begunAt = Date.now();
  for (let tries = 0; ; tries++) {
    try {
      return await run();
    } catch (error) {
      if (!mayPass(error) || Date.now() - begunAt > outlastMs) throw error;
      if (tries === 0) console.error(`adgen-sdk: ${name} is tried again for 10 minutes`, error);
      await sleep(1_000);
    }
  }
};
