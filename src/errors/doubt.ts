import type { Action } from "../contract/actions.ts";
import type { Job } from "../contract/jobs.ts";

/** The account that a submission belongs to. */
export interface AccountFacts {
  /** Origin of the service: `https://api.example.com`. */
  readonly origin?: string | undefined;
  /** Address of the service, without `/v1`: one origin may have several. */
  readonly baseUrl?: string | undefined;
  /** Name of the account: the client's option `account`. */
  readonly account?: string | undefined;
  /**
   * Digest of address and key, from which nobody can read the key. Absent where the client names its
   * account, or has a function that gives the key.
   */
  readonly keyDigest?: string | undefined;
}

/** Facts about a submission that stand on record. */
export interface SubmissionFacts extends AccountFacts {
  /** Your id of the submission, or the one that was made for it. It is no job's id. */
  readonly id: string;
  /** Method of the client that submitted it: `"jobs.submit"`. */
  readonly method: string;
  /** Action that was asked for, as it was sent, where the request had one. */
  readonly action?: Action | undefined;
  /** Time just before the request was to leave: ISO 8601, by the clock of that machine. */
  readonly submittedAt: string;
  /** Parameters to recognise the request by. Texts above 200 characters and long lists are cut. */
  readonly request: { readonly [name: string]: unknown };
  /**
   * SHA-256 of the method and the whole request in any order of its fields, in hexadecimal digits.
   * Absent where the platform has no `crypto.subtle`, as in a page without https.
   */
  readonly digest?: string | undefined;
  /** Longest time of one attempt of the call, in milliseconds. */
  readonly attemptMs?: number | undefined;
}

/** A submission of which nobody on this side knows whether it was carried out. */
export interface Doubt extends SubmissionFacts {
  /** Name of this attempt. A decision is about one attempt: a later one of the same id has another. */
  readonly token: string;
  /**
   * Code of the error that the submission ended with. `"process_ended"`: its process has ended, or
   * lost its time, before any answer. `"not_its_job"`: the job that it adopted is another one's.
   */
  readonly why: string;
  /**
   * Whether the service may still be making the job, or not list it yet: for 75 seconds, see
   * `settleMs`. They count from when this process knew of the doubt. `decide` refuses `"resubmit"`
   * meanwhile.
   */
  readonly mayStillArrive: boolean;
  /**
   * Time of the call and ten seconds, in milliseconds, where only a timer of the store has counted
   * them. The call may be under way in spite of the doubt, so `mayStillArrive` stays true longer.
   */
  readonly leaseMs?: number | undefined;
  /**
   * Recent jobs of the service that no submission on record owns, and that are of the same action
   * where the list shows one. One of them may be the job of this submission, or none. `undefined`
   * where the service was not asked.
   */
  readonly candidates?: readonly Job[] | undefined;
}

/** Time that the service may take to list a new job. */
const listingMs = 15_000;

/** Longest time of an attempt by default. */
const usualAttemptMs = 60_000;

/**
 * The time in milliseconds after which nothing of a submission may arrive any more.
 *
 * @param settleMs - Time that the caller allows the service. Default: an attempt and its listing
 */
export const settleMsOf = (
  { why, attemptMs = 0, leaseMs = 0 }: Pick<Doubt, "why" | "attemptMs" | "leaseMs">,
  settleMs = Math.max(usualAttemptMs, attemptMs) + listingMs,
): number => {
  // A killed process may have begun its last attempt just before.
  const leastMs = why === "process_ended" ? attemptMs : 0;
  return leaseMs + Math.max(settleMs, leastMs);
};
