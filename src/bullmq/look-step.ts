import { DelayedError, type Job as QueuedJob, UnrecoverableError } from "bullmq";
import type { AdGenClient } from "../client.ts";
import type { Action } from "../contract/actions.ts";
import { type FinishedJob, isFinished, type Job } from "../contract/jobs.ts";
import { addFields } from "../errors/adgen-error.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { describeValue } from "../errors/text.ts";
import type { Brakes } from "./brakes.ts";
import { describeStatus, recordError } from "./error-record.ts";
import { addFailure, endsWait, type LookTimes } from "./look-times.ts";
import type { SharedDurations } from "./shared-durations.ts";
import type { LookData } from "./submission.ts";

/** Parts of a worker that its looks use. */
export interface LookSetting {
  readonly client: AdGenClient;
  readonly brakes: Brakes;
  readonly times: LookTimes;
  readonly durations: SharedDurations;
  /** Time for the whole wait, in milliseconds. */
  readonly timeoutMs: number;
}

/** A look asks so often whether a wait that the service has asked for is still to be obeyed. */
const longestHoldMs = 60_000;

/** Time for one look, in milliseconds. A look holds a place in its worker. */
const lookTimeoutMs = 10_000;

interface Seen {
  readonly job?: Job;
  readonly failure?: AnyAdGenError;
  readonly retryAfterMs: number | undefined;
}

const deadlineError = (
  { jobId, status, looks, waitingSince }: LookData,
  timeoutMs: number,
  failure: AnyAdGenError | undefined,
): AnyAdGenError => {
  const last = failure === undefined ? "" : `; last failure: ${failure.message}`;
  const message =
    `job ${describeValue(jobId)} did not finish within ${timeoutMs} ms ` +
    `(${describeStatus(status)}${last})`;
  const elapsedMs = Date.now() - waitingSince;
  return makeError("poll_timeout", message, { jobId, attempts: looks, elapsedMs });
};

/** Makes the processor of looks: each run looks once, and gives its place in the worker back. */
export const createLookStep = ({ client, brakes, times, durations, timeoutMs }: LookSetting) => {
  const look = async ({ jobId, action }: LookData): Promise<Seen> => {
    let retryAfterMs: number | undefined;
    try {
      // The client checks the result by its schema for the action.
      const ref = { job_id: jobId, action: action as Action };
      const job = await client.jobs.get(ref, {
        timeoutMs: lookTimeoutMs,
        totalTimeoutMs: lookTimeoutMs,
        maxRetries: 0,
        onResponse: (response) => {
          retryAfterMs = response.retryAfterMs;
        },
      });
      return { job, retryAfterMs };
    } catch (failure) {
      if (!isAdGenError(failure)) throw failure;
      return { failure, retryAfterMs };
    }
  };

  /** Ends the wait with an error. A retry of the BullMQ job waits anew. Always throws. */
  const giveUp = async (job: QueuedJob<LookData>, error: AnyAdGenError): Promise<never> => {
    const { jobId } = job.data;
    const told = recordError(addFields(error, { jobId }));
    await job.updateData({ ...job.data, waitingSince: 0, failures: [], error: told });
    throw new UnrecoverableError(error.message);
  };

  const learnFrom = async (
    { action, isTimed, submittedAt, unfinishedMs = 0 }: LookData,
    now: number,
  ): Promise<void> => {
    const byMs = now - submittedAt;
    if (isTimed && byMs > unfinishedMs)
      await durations.tell(action, { afterMs: unfinishedMs, byMs });
  };

  /** Puts the job away until its next look. Always throws. */
  const lookAgain = async (
    job: QueuedJob<LookData>,
    token: string,
    data: LookData,
    waitMs: number,
  ): Promise<never> => {
    const deadline = data.waitingSince + timeoutMs;
    const at = Math.min(Date.now() + Math.ceil(waitMs), Math.max(deadline, Date.now()));
    await job.updateData(data);
    if (data.status !== undefined && data.status !== job.data.status) {
      await job.updateProgress({ status: data.status, looks: data.looks });
    }
    await job.moveToDelayed(at, token);
    throw new DelayedError();
  };

  return async (job: QueuedJob<LookData>, token = ""): Promise<FinishedJob> => {
    const begunAt = Date.now();
    await durations.learn();
    const { error: _, ...given } = job.data;
    const waitingSince = given.waitingSince || begunAt;
    const isLast = begunAt >= waitingSince + timeoutMs;
    const brakeMs = isLast ? 0 : await brakes.leftMs();
    if (brakeMs > 0) {
      const held = { ...given, waitingSince };
      return lookAgain(job, token, held, Math.min(brakeMs, longestHoldMs));
    }
    const seen = await look(given);
    const now = Date.now();
    const data: LookData = { ...given, waitingSince, looks: given.looks + 1 };

    if (seen.job !== undefined) {
      if (isFinished(seen.job.status)) {
        await learnFrom(data, now);
        return seen.job as FinishedJob;
      }
      const { status } = seen.job;
      const waitedMs = now - data.submittedAt;
      const next: LookData = {
        ...data,
        status,
        unfinishedMs: begunAt - data.submittedAt,
        failures: [],
      };
      if (isLast) return giveUp(job, deadlineError(next, timeoutMs, undefined));
      const { action, looks } = next;
      const { retryAfterMs } = seen;
      const leftMs = waitingSince + timeoutMs - now;
      const waitMs = times.next({ action, waitedMs, status, polls: looks, retryAfterMs, leftMs });
      return lookAgain(job, token, next, waitMs);
    }

    const failure = seen.failure as AnyAdGenError;
    // A page of a proxy says nothing about the key.
    if (failure.code === "unauthorized" && failure.contentType === undefined)
      return brakes.paused(failure, job, token);
    const told = { error: recordError(failure), elapsedMs: now - waitingSince };
    const failures = addFailure(data.failures ?? [], told);
    if (endsWait(failures, data.status !== undefined)) return giveUp(job, failure);
    if (isLast) return giveUp(job, deadlineError(data, timeoutMs, failure));
    const leftMs = waitingSince + timeoutMs - now;
    const waitMs = times.afterFailure(failure, failures.length, leftMs);
    if (failure.code !== "rate_limited")
      return lookAgain(job, token, { ...data, failures }, waitMs);
    await brakes.slow(failure, data.failures?.length ?? 0);
    return lookAgain(job, token, { ...data, failures }, Math.min(waitMs, longestHoldMs));
  };
};
