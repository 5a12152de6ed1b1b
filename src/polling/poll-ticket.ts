import { type Action, actions } from "../contract/actions.ts";
import type { JobStatus } from "../contract/jobs.ts";
import { readJobRef, usableIdOf } from "../request/job-ref.ts";
import type { LastingFailure } from "./failures.ts";

/**
 * A wait as plain JSON: all that the next poll must know of those before it. Keep it wherever you
 * like, and give it to `pollOnce` in any process. Its times are of `Date.now()`.
 */
export interface PollTicket {
  /** Version of this form. */
  readonly version: 1;
  /** Id of the job. */
  readonly jobId: string;
  /** Action of the job, where it is known: for the schema of its result, and for the schedule. */
  readonly action?: string | undefined;
  /** Time of its beginning. */
  readonly startedAt: number;
  /** The first poll at or after this time is the last one. */
  readonly deadlineAt: number;
  /** Time of the submission. Absent where it is not known: nothing is learned from such a job. */
  readonly submittedAt?: number | undefined;
  /** Number of polls so far, failed ones included. */
  readonly polls: number;
  /** Number of requests so far. */
  readonly requests: number;
  /** Polls in a row that showed no state of the job. */
  readonly failedPolls: number;
  /** Status of the job as last seen. Tickets of earlier versions hold the whole job. */
  readonly lastJob?: { readonly status: JobStatus } | undefined;
  /** The job had not finished by this time. */
  readonly openAt?: number | undefined;
  /** The largest percent that a progress has told. */
  readonly percent?: number | undefined;
  /** An answer that cannot be used, and came again and again. */
  readonly failure?: LastingFailure | undefined;
}

/** A ticket within this process: its first poll refuses an id that is missing. */
export interface WaitTicket extends Omit<PollTicket, "jobId"> {
  readonly jobId: string | undefined;
}

/** Begins the ticket of a wait. */
export const beginTicket = (ref: unknown, now: number, timeoutMs: number): WaitTicket => ({
  version: 1,
  jobId: usableIdOf(ref),
  startedAt: now,
  deadlineAt: now + timeoutMs,
  polls: 0,
  requests: 0,
  failedPolls: 0,
});

/** An unknown status is foreign text, of any length. */
const maxStatusLength = 50;

/** Leaves out all of a job but its status. It may echo pictures, and engines store every ticket. */
export const withoutJob = <Ticket extends WaitTicket>(ticket: Ticket): Ticket => {
  if (ticket.lastJob === undefined) return ticket;
  const status = ticket.lastJob.status.slice(0, maxStatusLength) as JobStatus;
  return { ...ticket, lastJob: { status } };
};

/** Gives the time from which a job's duration counts. */
export const bornAt = ({ submittedAt, startedAt }: WaitTicket): number => submittedAt ?? startedAt;

/** Keeps the name of an action that the contract knows. */
export const actionIn = (job: unknown): string | undefined => {
  const { action } = readJobRef(job);
  return actions.includes(action as Action) ? (action as Action) : undefined;
};
