import type { Job } from "../../contract/jobs.ts";
import type { Page } from "../../contract/page.ts";
import type { Doubt, SubmissionFacts } from "../errors/doubt.ts";

/** One paid call, as a client or a proxy hands it over. */
export interface PaidCall {
  /** The caller's id: 1 to 1024 characters. Absent: the call has no record, and is made each time. */
  readonly once?: string | undefined;
  /** Method of the client: `"jobs.submit"`. The same id with another one is another request. */
  readonly method: string;
  /** Copy of the request: JSON. An excerpt of it stands in the record. */
  readonly body: { readonly [name: string]: unknown };
  /** Distinguishes the request of an id from others. Default: a digest of method, origin and body. */
  readonly digest?: string | undefined;
  /** Origin of the service: the same id for another one is another request. */
  readonly origin?: string | undefined;
  /**
   * Time in milliseconds for which the record is kept once the POST is over, whatever its end:
   * nobody is to decide about it. Default: as `SubmissionsOptions.keepMs` says.
   */
  readonly ttlMs?: number | undefined;
  /** Time for all of it, in milliseconds: reservation, POST and record, or the wait for another. */
  readonly timeoutMs: number;
  /** Longest time of one attempt, in milliseconds. */
  readonly attemptMs?: number | undefined;
  /** Longest wait for another call of the id, in milliseconds. Default: all of the call's time. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The answer to a paid call. */
export interface PaidAnswer {
  readonly answer?: unknown;
  readonly jobId?: string | undefined;
  /** An earlier call, or another process, has sent it. */
  readonly isRepeated: boolean;
}

/** The answer to a POST that has left. */
export interface SentAnswer extends Omit<PaidAnswer, "isRepeated"> {
  /** Why the answer does not say what became of the POST: its id is then in doubt, and repeats get the answer. */
  readonly why?: string | undefined;
}

/**
 * Sends the POST, in as many attempts as are safe, and resolves with a usable answer; with nothing
 * where it was surely not carried out. What it throws says by its outcome whether it was, and its `jobId`
 * names the job of a broken answer. `canSend` is to be asked just before each request.
 */
export type SendPaid = (turn: {
  readonly leftMs: () => number;
  readonly canSend: () => boolean;
}) => Promise<SentAnswer | undefined>;

/** The part of a client that finds candidates: its `jobs`. A test can write one by hand. */
export interface RecentJobs {
  /** Lists recent jobs. */
  readonly list: (
    query?: { limit?: number },
    options?: { signal?: AbortSignal | undefined },
  ) => Promise<Page<Job>>;
}

/** Options of `recoverJobs`. */
export interface RecoverOptions {
  /** Ends the call with an `AbortedError`. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Number of recent jobs to take candidates from, a whole number. It must reach back to the oldest
   * doubt: a job that has left the list is no candidate.
   * @default the service's own number
   */
  readonly candidateLimit?: number | undefined;
}

/** A submission whose POST may be under way. */
export interface SubmissionUnderWay extends SubmissionFacts {
  /** Time in milliseconds after which a lost one is known to be lost. */
  readonly leftMs: number;
}

/** A record that cannot be read. It may be of a paid call: compare with `jobs.list()`. */
export interface DamagedRecord {
  /** Id of the submission, or what is left of it. */
  readonly id: string;
  /** Text of the record. */
  readonly text: string;
}

/** The submissions that somebody waits for, or must decide about. */
export interface OpenSubmissions {
  /** Submissions whose outcome is unknown, oldest first. Each stays until you decide. */
  readonly unknown: readonly Doubt[];
  /**
   * Submissions whose POST may be under way, in this process or in another one, oldest first. A lost one
   * becomes unknown in `leftMs` milliseconds at the latest.
   */
  readonly underWay: readonly SubmissionUnderWay[];
  /** Records that cannot be read. */
  readonly damaged: readonly DamagedRecord[];
}

/**
 * What becomes of a submission in doubt:
 * - `{ adopt: job }`: this job is that of the submission;
 * - `"resubmit"`: it made no job, or that job does not matter. Its id is free for another attempt.
 *   It is refused for as long as the first one may still arrive;
 * - `"drop"`: its id may never be sent again.
 */
export type Decision =
  | { readonly adopt: string | { readonly job_id: string } }
  | "resubmit"
  | "drop";

/**
 * A submission by its id: a union on `state`.
 * - `free`: it was never sent, or was refused.
 * - `dropped`: you decided `"drop"`, so it is never sent again.
 * - `sending`: its POST may be under way. `leftMs`: until it is known to be lost.
 * - `in-doubt`: its outcome is unknown. Decide about `doubt`.
 * - `settled`: it was answered. `job_id` is absent for calls that make no job.
 */
export type FoundSubmission =
  | { readonly state: "free" | "dropped" }
  | { readonly state: "sending"; readonly leftMs: number }
  | { readonly state: "in-doubt"; readonly doubt: Doubt }
  | { readonly state: "settled"; readonly job_id?: string | undefined };

/** Paid calls on record, each made once for its id: see `createSubmissions`. */
export interface Submissions {
  /**
   * Decides about a submission in doubt. The same decision again does nothing.
   *
   * @param doubt Doubt of an `in_doubt` error, or an item of `recovered.unknown`.
   * @throws `AdGenError`
   * - `under_way`: the first request may still arrive, so it cannot be resubmitted: wait for
   *   `retryAfterMs`, and recover again.
   * - `invalid_request`: this attempt is not in doubt any more, the job belongs to another submission,
   *   or the doubt to resubmit says `mayStillArrive: true`.
   * - `store`: the store fails. Decide again.
   */
  decide(
    doubt: {
      readonly id: string;
      readonly token: string;
      readonly mayStillArrive?: boolean | undefined;
    },
    decision: Decision,
  ): Promise<void>;
  /**
   * Lists the submissions that are not over; with a client's `jobs`, each doubt with candidates, as
   * `recoverJobs` does.
   *
   * @throws `AdGenError`
   * - `store`: the store fails.
   * - The codes of `jobs.list`: the candidates cannot be listed.
   */
  listOpen(jobs?: RecentJobs, options?: RecoverOptions): Promise<OpenSubmissions>;
  /**
   * Finds one submission by its id, as for `GET /orders/:id`.
   *
   * @throws `AdGenError`
   * - `invalid_request`: the id is not a string, or it is empty.
   * - `store`: the store fails, or the record is damaged.
   */
  find(id: string): Promise<FoundSubmission>;
  /** Part for the client: makes a paid call, at most once for its id. */
  readonly runOnce: (call: PaidCall, send: SendPaid) => Promise<PaidAnswer>;
}
