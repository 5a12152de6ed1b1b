import { isAction } from "../../contract/actions.ts";
import type { Job, JobStatus } from "../../contract/jobs.ts";
import { describeValue } from "../errors/text.ts";
import { type JobRef, readJobRef, usableIdOf } from "../http/job-ref.ts";
import {
  checkFor,
  checkOptions,
  isObject,
  millisecondsRule,
  numberRule,
  problemOfId,
  type Refuse,
  refuseArgument,
} from "../options/rules.ts";
import { defaultWaitMs, type PollOptions } from "./poll-options.ts";

/**
 * A wait as plain JSON: all that the next poll must know. Store it wherever you like, and pass it
 * to `pollOnce` in any process. Its times are milliseconds of `Date.now()`.
 */
export interface PollTicket {
  /** Version of this form. */
  readonly version: 1;
  /** Id of the job. */
  readonly jobId: string;
  /** Action of the job, if known. It selects the schema of the result. */
  readonly action?: string | undefined;
  /** Time at which the wait began. */
  readonly startedAt: number;
  /** The first poll at or after this time is the last one. */
  readonly deadlineAt: number;
  /** Time of the submission, where it is known. */
  readonly submittedAt?: number | undefined;
  /** How long the job may take. Once known, it never changes, so that progress never falls. */
  readonly expectedMs?: number | undefined;
  /** Number of polls so far, failed ones included. */
  readonly polls: number;
  /** Number of requests so far. */
  readonly requests: number;
  /** Polls in a row that showed no state of the job. */
  readonly failedPolls: number;
  /** Status of the job as last seen. Tickets of earlier versions hold the whole job here. */
  readonly lastJob?: { readonly status: JobStatus } | undefined;
  /** A failure that came several times in a row. */
  readonly failure?:
    | {
        /** Code, status and form of the answer, as one text of 100 characters at most. */
        readonly kind: string;
        /** Time from the wait's start to the first such failure, in milliseconds. */
        readonly sinceMs: number;
        /** Number of polls in a row that failed this way. */
        readonly polls: number;
      }
    | undefined;
}

/** A ticket within this process. Its id may be missing, and its first poll then refuses it. */
export interface WaitTicket extends Omit<PollTicket, "jobId"> {
  readonly jobId: string | undefined;
}

export const newTicket = (ref: unknown, now: number, timeoutMs: number): WaitTicket => ({
  version: 1,
  jobId: usableIdOf(ref),
  startedAt: now,
  deadlineAt: now + timeoutMs,
  polls: 0,
  requests: 0,
  failedPolls: 0,
});

/** An unknown status may be a text of any length. */
const maxStatusLength = 50;

/**
 * Drops all fields of a job but its status, because a job may echo pictures, and engines store
 * every ticket.
 */
export const withoutJob = <Ticket extends WaitTicket>(ticket: Ticket): Ticket => {
  if (ticket.lastJob === undefined) return ticket;
  const status = ticket.lastJob.status.slice(0, maxStatusLength) as JobStatus;
  return { ...ticket, lastJob: { status } };
};

/** Returns the time since the job's submission or, if that is unknown, since the wait began. */
export const ageOf = ({ submittedAt, startedAt }: WaitTicket, now: number): number =>
  Math.max(0, now - (submittedAt ?? startedAt));

/** Returns the action that a job names, if it is a documented one. */
export const actionIn = (job: unknown): string | undefined => {
  const { action } = readJobRef(job);
  return isAction(action) ? action : undefined;
};

const time = () =>
  numberRule(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, "a time of Date.now()");

/** Options of `createPollTicket`. */
export interface PollTicketOptions extends Pick<PollOptions, "timeoutMs"> {
  /**
   * When the submission was answered, by `Date.now()`. The job's age counts from then on.
   * @default the time of this call for a job that is queued; else it is not known
   */
  submittedAt?: number | undefined;
}

/**
 * Begins a wait that this process need not finish: see {@link pollOnce}.
 *
 * @param job A job as submitted, or its id.
 * @returns The ticket for the first poll: plain JSON of 130 to 500 bytes.
 * @throws `AdGenError`
 * - `invalid_request`: the job has no usable id, or an option makes no sense.
 * @see API v1, section 3 "States and transitions"
 * @example
 * const job = await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
 * await database.save(createPollTicket(job));
 */
export const createPollTicket = (job: JobRef, options: PollTicketOptions = {}): PollTicket =>
  checkFor(createPollTicket, () => beginTicket(job, options));

const beginTicket = (job: JobRef, options: PollTicketOptions): PollTicket => {
  const given = checkOptions(
    "createPollTicket",
    { timeoutMs: millisecondsRule(0), submittedAt: time() },
    options,
    refuseArgument,
    { timeoutMs: defaultWaitMs },
  );
  const problem = problemOfId(readJobRef(job).id);
  if (problem !== undefined) refuseArgument(`createPollTicket needs a job: its id ${problem}`);
  const now = Date.now();
  const isNew = isObject(job) && (job as Partial<Job>).status === "queued";
  return {
    ...newTicket(job, now, given.timeoutMs),
    action: actionIn(job),
    submittedAt: given.submittedAt ?? (isNew ? now : undefined),
  } as PollTicket; // its id was checked
};

/** Checks a ticket that comes back from a database or a queue. */
export const readTicket = (owner: string, given: unknown, refuse: Refuse): PollTicket => {
  const ticket = given as PollTicket;
  const times = [ticket?.startedAt, ticket?.deadlineAt, ticket?.polls, ticket?.requests];
  if (
    ticket?.version === 1 &&
    problemOfId(ticket.jobId) === undefined &&
    times.every(Number.isFinite)
  ) {
    return ticket;
  }
  return refuse(
    `${owner}'s ticket must be what createPollTicket gave, got ${describeValue(given)}`,
  );
};
