import { isJobStatus, type Job } from "../contract/jobs.ts";
import { addFields } from "../errors/adgen-error.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { describeValue } from "../errors/text.ts";
import type { Wait } from "./wait.ts";

/** Adds to an error the facts of the wait that it ends. */
export const tellWait = (wait: Wait, now: number, error: AnyAdGenError): AnyAdGenError =>
  addFields(error, {
    jobId: wait.id,
    attempts: wait.attempts,
    elapsedMs: Math.round(now - wait.startedAt),
    lastJob: error.lastJob ?? (wait.lastJob && { ...wait.lastJob }),
  });

const describeStatus = (job: Job | undefined): string => {
  if (job === undefined) return "it was never seen";
  // An unknown status is foreign text: it stays out of the message.
  return isJobStatus(job.status)
    ? `last status "${job.status}"`
    : "its last status is not one that this version knows: see lastJob.status";
};

/** Makes the error of a wait whose time is over. */
export const deadlineError = (
  { id, config, lastJob }: Wait,
  failure: AnyAdGenError | undefined,
): AnyAdGenError => {
  const last = failure === undefined ? "" : `; last failure: ${failure.message}`;
  const message =
    `job ${describeValue(id)} did not finish within ${config.timeoutMs} ms ` +
    `(${describeStatus(lastJob)}${last})`;
  return makeError("poll_timeout", message, { cause: failure });
};

/** Makes the error of a wait whose signal was aborted between two looks. */
export const abortedWait = ({ id, config }: Wait): AnyAdGenError => {
  const cause: unknown = config.signal?.reason;
  // `AbortSignal.timeout` says so by its name; other reasons are the caller's own text.
  const why = (cause as Error | undefined)?.name === "TimeoutError" ? " (TimeoutError)" : "";
  return makeError("aborted", `the wait for job ${describeValue(id)} was aborted${why}`, { cause });
};

/** Makes an error like that of a look at the list, for one of the waits that it was made for. */
export const ownError = (error: AnyAdGenError, jobId: string | undefined): AnyAdGenError => {
  const { message, cause, received } = error;
  return makeError(error.code, message, { ...error, cause, received, jobId });
};
