import type { Doubt } from "../errors/doubt.ts";
import type { ErrorFields } from "../errors/error-fields.ts";
import type { PaidAnswer } from "./decide-turn.ts";
import type { SendPaid } from "./paid-call.ts";
import type { RecentJobs, RecoveredSubmissions, RecoverOptions } from "./recover.ts";
import type { LateJob, LateWrite } from "./settle.ts";
import type { OwnAccount } from "./submission-facts.ts";

/** One paid call, as a client or a proxy hands it over. */
export interface PaidCall extends OwnAccount {
  /** The caller's id: 1 to 1024 characters. Absent: one is made, and nobody can repeat the call. */
  readonly once?: string | undefined;
  /** Method of the client: `"jobs.submit"`. The same id with another one is another request. */
  readonly method: string;
  /** Copy of the request: JSON. An excerpt of it stands in the record. */
  readonly body: { readonly [name: string]: unknown };
  /** Distinguishes the request of an id from others. Default: a digest of the method and the body. */
  readonly digest?: string | undefined;
  /**
   * Time in milliseconds for which the record is kept once the POST is over, whatever its end:
   * nobody is to decide about it. Default: as `SubmissionsOptions.keepMs` says.
   */
  readonly ttlMs?: number | undefined;
  /** Time for all of it, in milliseconds: reservation, POST and record, or the wait for another. */
  readonly timeoutMs: number;
  /** Longest time of one attempt, in milliseconds. A killed process may have begun its last one. */
  readonly attemptMs?: number | undefined;
  /** Longest wait for another call of the id, in milliseconds. Default: all of the call's time. */
  readonly waitMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Facts about its request, for errors of its record. */
  readonly request?: Pick<ErrorFields, "method" | "path"> | undefined;
  /** Reads the jobs that a doubt may have made. Absent: a doubt is told without candidates. */
  readonly jobs?: RecentJobs | undefined;
}

/** A POST of a client, ready to be sent, as far as its record tells of it. */
export interface ClientPost extends Pick<PaidCall, "once" | "waitMs" | "signal"> {
  /** Method of the client: `"jobs.submit"`. */
  readonly name: string;
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: { readonly fields: PaidCall["body"] } | undefined;
  /** When all of it must be over, by `performance.now()`. */
  readonly deadlineAt: number;
  /** Longest time of one attempt, in milliseconds. */
  readonly attemptTimeoutMs: number;
}

/** The answer that an earlier call of the id got. */
export interface EarlierAnswer<Call> {
  readonly call: Call;
  /** What stands on record, or the job that was adopted. */
  readonly data: unknown;
  readonly fields: { readonly outcome: "unknown"; readonly attempts: 0 };
  readonly clean: (text: string) => string;
}

/**
 * Makes a client's POST, on record. Without an answer of its own it gets that of an earlier call,
 * which has no `elapsedMs` among its fields.
 *
 * @param jobs - Reads the jobs that an earlier submission in doubt may have made
 */
type PostPaid = <Call extends ClientPost, Own extends { readonly data: unknown }>(
  call: Call,
  account: OwnAccount,
  send: (
    canSend: () => boolean,
  ) => Promise<{ readonly answer: Own; readonly jobId: string | undefined }>,
  jobs: RecentJobs | undefined,
) => Promise<Own | EarlierAnswer<Call>>;

/** Options of `createSubmissions`. */
export interface SubmissionsOptions {
  /** Longest time of one command of the store in milliseconds, 1 to 2147483647. @default 10000 */
  readonly storeTimeoutMs?: number | undefined;
  /**
   * Time in milliseconds for which the record of a job is kept, acknowledged or not, 3600000 or more.
   * After that, `recover` no longer lists the job, and **a repeat of its id is sent and paid**.
   * A submission in doubt is kept until you decide.
   * @default forever for your ids; for others 30 days, and 7 after the job was acknowledged
   */
  readonly keepMs?: number | undefined;
  /**
   * Called when an answer names a paid job after its submission was decided otherwise: resubmitted,
   * dropped, or given another job. `id` is what the decision was about; `recover()` lists the job under
   * an id of its own, `recordId`.
   */
  readonly onLateJob?: ((job: LateJob) => void) | undefined;
  /**
   * Called when the store has refused the end of a submission, which is then written later. A
   * platform that ends idle processes must wait for that: `({ work }) => work && waitUntil(work)`.
   * Without `work`, an hour of failures is over: the next submission of this process tries again.
   * @default prints the error
   */
  readonly onLateWrite?: ((late: LateWrite) => void) | undefined;
}

/**
 * Paid calls on record, each made once: see `createSubmissions`. They belong to one account of the
 * service.
 */
export interface Submissions {
  /**
   * Decides about a submission in doubt. The same decision again does nothing.
   * - `{ adopt: job }`: this job is that of the submission, and is waited for;
   * - `"resubmit"`: it made no job, or that job does not matter. Its id is free for another attempt.
   *   It is refused for as long as the first one may still arrive;
   * - `"drop"`: the same, and its id may never be sent again.
   *
   * @param doubt Doubt of an `in_doubt` error, or an item of `recovered.unknown`.
   * @throws `UnderWayError` for `"resubmit"` while the first request may still arrive: wait for
   * `retryAfterMs`, and recover again. `InvalidRequestError` when this attempt is not in doubt any
   * more, the job belongs to another submission, or the doubt to resubmit says `mayStillArrive: true`.
   * `StoreError` when the store fails: decide again.
   */
  decide(
    doubt: {
      readonly id: string;
      readonly token: string;
      readonly mayStillArrive?: boolean | undefined;
    },
    decision: { readonly adopt: string | { readonly job_id: string } } | "resubmit" | "drop",
  ): Promise<void>;
  /**
   * Says that a job's result is saved, or no longer wanted: `recover` no longer lists it.
   * Once more does nothing.
   *
   * @throws `InvalidRequestError` when no submission on record has this job; `StoreError` when the
   * store fails, or has not taken the answer yet: acknowledge again.
   */
  acknowledge(job: string | { readonly job_id: string }): Promise<void>;
  /**
   * Lists the submissions that are not over, without candidates.
   *
   * @throws `StoreError` when the store fails.
   */
  listOpen(): Promise<Omit<RecoveredSubmissions, "candidatesError">>;
  /**
   * Finds one submission by its id, as for `GET /orders/:id`. It reads the record, and sends nothing
   * to the service.
   *
   * - `free`: it was never sent, or was refused.
   * - `dropped`: you decided `"drop"`, so it is never sent again.
   * - `sending`: its POST may be under way. `leftMs`: until this process can tell that it is lost.
   * - `in-doubt`: its outcome is unknown. Decide about `doubt`.
   * - `settled`: it was answered. `job_id` is absent for calls that make no job.
   *
   * @throws `InvalidRequestError` for an id that is no text, or empty; `StoreError` when the store
   * fails, or the record is damaged.
   */
  find(id: string): Promise<
    | { readonly state: "free" | "dropped" }
    | { readonly state: "sending"; readonly leftMs: number }
    | { readonly state: "in-doubt"; readonly doubt: Doubt }
    | {
        readonly state: "settled";
        readonly job_id?: string | undefined;
        readonly isAcknowledged: boolean;
      }
  >;
  /** Part for the client: makes a paid call, at most once for its id. */
  readonly run: (call: PaidCall, send: SendPaid) => Promise<PaidAnswer>;
  /** Part for the client: makes a POST of it by `run`. */
  readonly post: PostPaid;
  /** Part for the client: `recoverJobs`. */
  readonly recover: (
    options: RecoverOptions | undefined,
    jobs: RecentJobs,
  ) => Promise<RecoveredSubmissions>;
  /** Part for the client: adds candidates to doubts, as to that of an `in_doubt` error. */
  readonly addCandidates: (
    doubts: readonly Doubt[],
    jobs: RecentJobs,
    options?: Pick<RecoverOptions, "candidateLimit" | "signal">,
  ) => Promise<readonly Doubt[]>;
}
