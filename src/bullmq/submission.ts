import type { Job, JobRequest } from "../contract/jobs.ts";
import type { PollTicket } from "../polling/poll-ticket.ts";

/** State of a submission. */
export type SubmissionState =
  | "waiting"
  | "submitting"
  | "looking"
  | "held"
  | "completed"
  | "failed"
  | "refused"
  | "given-up"
  | "dropped";

/** A job of the service that may be the one that a lost submission made. */
export interface CandidateJob {
  /** Identifier of the job. */
  readonly job_id: string;
  /** State of the job when it was listed. */
  readonly status: Job["status"];
  /** When the job was made, where the service says so. */
  readonly created_at?: string | undefined;
  /** The job as it was listed, for `onUnknown` and from `listHeld({ client })`. */
  readonly job?: Job | undefined;
}

/** A submission of which nobody knows whether it made a job. */
export interface LostSubmission {
  /** Your id of the submission. */
  readonly id: string;
  /** Its request. */
  readonly request: JobRequest;
  /** When its POST was about to be sent, in milliseconds since 1970. */
  readonly sentAt: number;
  /** Failure of the POST; absent where the worker died. */
  readonly error?: ErrorRecord | undefined;
  /**
   * Number of other submissions under way when the candidates were listed. A candidate may be
   * theirs, too.
   */
  readonly openElsewhere: number;
  /**
   * `true`: the list of recent jobs reached back to before the POST, so that a job which it made
   * by then is among the candidates. `false`: it may be missing, and `"resubmit"` of `onUnknown`
   * is a hold.
   */
  readonly isComplete: boolean;
}

/** Candidates of a lost submission. */
export interface Candidates extends Pick<LostSubmission, "isComplete"> {
  /** Absent where the recent jobs could not be listed. */
  readonly candidates?: readonly CandidateJob[] | undefined;
}

/** An unknown submission that waits for your decision. */
export interface HeldSubmission extends LostSubmission {
  /** Since when it is held, in milliseconds since 1970. */
  readonly heldAt: number;
  /**
   * Recent jobs that no submission of this fleet is known to have made, without those of another
   * documented action. At most 100, those first that were made nearest to `sentAt`. Absent where
   * they could not be listed.
   */
  readonly candidates?: readonly CandidateJob[] | undefined;
}

/**
 * Decision about an unknown submission:
 * - `{ jobId }`: this is its job. The fleet waits for it;
 * - `"resubmit"`: it made none. It is submitted again, **and charged twice if it had made one**;
 * - `"hold"`: leave it held;
 * - `"drop"`: give it up.
 */
export type Decision = { readonly jobId: string } | "resubmit" | "hold" | "drop";

/** A paid job that does not fit the records: a submission was made twice, or a decision was wrong. */
export interface Contradiction {
  /** Your id of the submission that was answered with the job. */
  readonly id: string;
  /** Identifier of the job. Nothing waits for it where there is an `otherJobId`. */
  readonly jobId: string;
  /** Job that the submission had already: two were charged. */
  readonly otherJobId?: string | undefined;
  /** Your id of the submission that the job was taken for: that one may have a job of its own. */
  readonly otherId?: string | undefined;
}

/** An error as Redis keeps it: the form that `JSON.stringify` gives. */
export interface ErrorRecord {
  /** Code of the failure. */
  readonly code: string;
  /** Description of the failure. */
  readonly message: string;
  /** Further facts: status, jobId, outcome. */
  readonly [field: string]: unknown;
}

/** Data of a BullMQ job in the queue of submissions. */
export interface SubmissionData {
  /** Your id of the submission. */
  readonly id: string;
  /** Body of the submission. */
  readonly request: JobRequest;
  /** Digest of the body, to recognise another request under the same id. */
  readonly digest: string;
  /** Number of attempts in a row that provably submitted nothing. */
  readonly tries?: number | undefined;
  /** Refusal that ended the submission. */
  readonly error?: ErrorRecord | undefined;
}

/** Data of a BullMQ job in the queue of looks. */
export interface LookData {
  /** Your id of the submission. */
  readonly id: string;
  /** Identifier of the service's job. */
  readonly jobId: string;
  /** Its action. */
  readonly action: string;
  /** When the submission was answered, in milliseconds since 1970; absent where it is not known. */
  readonly submittedAt?: number | undefined;
  /** When this wait began, in milliseconds since 1970. */
  readonly waitingSince: number;
  /** State of the wait; absent before its first poll. */
  readonly ticket?: PollTicket | undefined;
  /** Error that ended the wait. */
  readonly error?: ErrorRecord | undefined;
}
