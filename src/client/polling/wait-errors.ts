import { isJobStatus } from "../../contract/jobs.ts";
import { addFields } from "../errors/adgen-error.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { describeValue } from "../errors/text.ts";
import { abortOf } from "../http/call-time.ts";
import type { WaitTicket } from "./poll-ticket.ts";

export const addWaitFacts = (
  { jobId, requests, startedAt, lastJob }: WaitTicket,
  now: number,
  error: AnyAdGenError,
): AnyAdGenError =>
  addFields(error, {
    jobId,
    attempts: requests,
    elapsedMs: Math.round(now - startedAt),
    lastJob: error.lastJob ?? (lastJob && { job_id: jobId, ...lastJob }),
  });

const describeStatus = (job: WaitTicket["lastJob"]): string => {
  if (job === undefined) return "it was never seen";
  // An unknown status is foreign text, so the message doesn't quote it.
  return isJobStatus(job.status)
    ? `last status "${job.status}"`
    : "status unknown to this version: see lastJob.status";
};

export const deadlineError = (
  ticket: WaitTicket,
  now: number,
  failure: AnyAdGenError | undefined,
): AnyAdGenError => {
  const { jobId, startedAt, deadlineAt, lastJob } = ticket;
  const last = failure === undefined ? "" : `; last failure: ${failure.message}`;
  const message =
    `job ${describeValue(jobId)} did not finish within ${Math.round(deadlineAt - startedAt)} ms ` +
    `(${describeStatus(lastJob)}${last}); it goes on: wait again`;
  return addWaitFacts(ticket, now, makeError("poll_timeout", message, { cause: failure }));
};

/** Creates the error of a wait whose signal was aborted between two polls. */
export const abortedWait = (
  ticket: WaitTicket,
  now: number,
  signal: AbortSignal,
): AnyAdGenError => {
  const { what, cause } = abortOf({ signal });
  const message = `the wait for job ${describeValue(ticket.jobId)} ${what}`;
  return addWaitFacts(ticket, now, makeError("aborted", message, { cause }));
};
