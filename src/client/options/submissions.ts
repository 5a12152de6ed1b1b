import type { Job } from "../../contract/jobs.ts";
import type { Page } from "../../contract/page.ts";
import type { Doubt, SubmissionFacts } from "../errors/doubt.ts";

/** A paid call, as a client or a proxy passes it on. */
export interface PaidCall {
  /**
   * The caller's id, 1 to 1024 characters. Without an id, the call has no record and is made each
   * time.
   */
  readonly once?: string | undefined;
  /**
   * Method of the client, such as `"jobs.submit"`. The same id with another method is another
   * request.
   */
  readonly method: string;
  /** A copy of the request's JSON. The record holds an excerpt of it. */
  readonly body: { readonly [name: string]: unknown };
  /**
   * Tells whether a repeated id comes with the same request. Default: a digest of method, origin
   * and body.
   */
  readonly digest?: string | undefined;
  /** Origin of the service. The same id for another origin is another request. */
  readonly origin?: string | undefined;
  /**
   * Milliseconds for which the record is kept once the POST is over, however it ended. Default: an
   * answer is kept for `SubmissionsOptions.keepMs`, and a doubt until somebody decides about it.
   */
  readonly ttlMs?: number | undefined;
  /**
   * Milliseconds for the whole call: reservation, POST and record, or the wait for another call.
   */
  readonly timeoutMs: number;
  /** Longest time of one attempt, in milliseconds. */
  readonly attemptMs?: number | undefined;
  /** Longest wait for another call of the id, in milliseconds. Default: all of the call's time. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The response to a paid call. */
export interface PaidAnswer {
  readonly answer?: unknown;
  readonly jobId?: string | undefined;
  /** Whether an earlier call, or another process, has sent the POST. */
  readonly isRepeated: boolean;
}

/** The response to a POST. */
export interface SentAnswer extends Omit<PaidAnswer, "isRepeated"> {
  /**
   * Why the response doesn't say what became of the POST. The id is then in doubt, and repeats get
   * this response.
   */
  readonly why?: string | undefined;
}

/**
 * Sends the POST, in as many attempts as are safe. Resolves with a usable response, or with nothing
 * if the POST was surely not carried out. The `outcome` of an error says whether it was, and its
 * `jobId` names the job of a broken response. Call `canSend` just before each request.
 */
export type SendPaid = (turn: {
  readonly leftMs: () => number;
  readonly canSend: () => boolean;
}) => Promise<SentAnswer | undefined>;

/** The part of a client that finds candidates: its `jobs`. In tests, you can write one by hand. */
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
   * Number of recent jobs to take candidates from, a whole number. The list must reach back to the
   * oldest submission in doubt, because a job that has left the list can't be a candidate.
   * @default the service's own number
   */
  readonly candidateLimit?: number | undefined;
}

/** A submission whose POST may be under way. */
export interface SubmissionUnderWay extends SubmissionFacts {
  /** Milliseconds after which the submission, if it was lost, is known to be lost. */
  readonly leftMs: number;
}

/** A record that can't be read. It may belong to a paid call: compare with `jobs.list()`. */
export interface DamagedRecord {
  /** Id of the submission, as far as it can be read. */
  readonly id: string;
  /** Text of the record. */
  readonly text: string;
}

/** The submissions that are under way, or about which you must decide. */
export interface OpenSubmissions {
  /** Submissions whose outcome is unknown, oldest first. Each stays until you decide. */
  readonly unknown: readonly Doubt[];
  /**
   * Submissions whose POST may be under way, in this process or another, oldest first. A lost
   * submission moves to `unknown` within `leftMs` milliseconds.
   */
  readonly underWay: readonly SubmissionUnderWay[];
  /** Records that cannot be read. */
  readonly damaged: readonly DamagedRecord[];
}

/**
 * What becomes of a submission in doubt:
 * - `{ adopt: job }`: the submission made this job;
 * - `"resubmit"`: the submission made no job, or its job does not matter. The id is then free for
 *   another attempt. This decision is refused for as long as the first request may still arrive;
 * - `"drop"`: the id may never be sent again.
 */
export type Decision =
  | { readonly adopt: string | { readonly job_id: string } }
  | "resubmit"
  | "drop";

/**
 * The state of a submission: a union on `state`.
 * - `free`: it was never sent, or was refused.
 * - `dropped`: you decided `"drop"`, so it is never sent again.
 * - `sending`: its POST may be under way. After `leftMs` milliseconds it is known to be lost.
 * - `in-doubt`: its outcome is unknown. Decide about `doubt`.
 * - `settled`: it was answered. `job_id` is absent for calls that make no job.
 */
export type FoundSubmission =
  | { readonly state: "free" | "dropped" }
  | { readonly state: "sending"; readonly leftMs: number }
  | { readonly state: "in-doubt"; readonly doubt: Doubt }
  | { readonly state: "settled"; readonly job_id?: string | undefined };

/** Records of paid calls, each made once for its id: see `createSubmissions`. */
export interface Submissions {
  /**
   * Decides about a submission in doubt. Repeating a decision changes nothing.
   *
   * @param doubt Doubt of an `in_doubt` error, or an item of `recovered.unknown`.
   * @throws `AdGenError`
   * - `under_way`: the first request may still arrive, so it cannot be resubmitted: wait for
   *   `retryAfterMs`, and recover again.
   * - `invalid_request`: this attempt is not in doubt any more, the job belongs to another
   *   submission, or the doubt to resubmit says `mayStillArrive: true`.
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
   * Lists the submissions that haven't ended. With a client's `jobs`, each submission in doubt has
   * candidates, as in `recoverJobs`.
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
  /** For the client: makes a paid call, at most once for its id. */
  readonly runOnce: (call: PaidCall, send: SendPaid) => Promise<PaidAnswer>;
}
