import type { Action } from "../../contract/actions.ts";
import type { Job } from "../../contract/jobs.ts";

/** Facts about a submission that stand on record. */
export interface SubmissionFacts {
  /** Your id of the submission. It is no job's id. */
  readonly id: string;
  /** Method of the client that submitted it: `"jobs.submit"`. */
  readonly method: string;
  /** Action that was asked for, as it was sent, where the request had one. */
  readonly action?: Action | undefined;
  /** Time just before the request was to leave: ISO 8601, by the clock of that machine. */
  readonly submittedAt: string;
  /** Parameters to recognise the request by. Texts above 200 characters and long lists are cut. */
  readonly request: { readonly [name: string]: unknown };
  /** SHA-256 of the method, the service and the whole request in any order of its fields, in hexadecimal digits. */
  readonly digest: string;
}

/** A submission of which nobody on this side knows whether it was carried out. */
export interface Doubt extends SubmissionFacts {
  /** Name of this attempt. A decision is about one attempt: a later one of the same id has another. */
  readonly token: string;
  /**
   * Code of the error that the submission ended with. `"process_ended"`: its process has ended, or
   * lost its time, before any answer.
   */
  readonly why: string;
  /** Whether the service may still be making the job, or not list it yet. `decide` refuses `"resubmit"` meanwhile. */
  readonly mayStillArrive: boolean;
  /** End of that time, in milliseconds since 1970. */
  readonly settlesAt: number;
  /**
   * Recent jobs of the service that no submission on record owns, and that have the same action
   * where the list shows one. The nearest in time comes first. Jobs without a time follow, and jobs
   * that the service says it made more than a minute before the submission come last. One of them may
   * be the job of this submission. `undefined` where the service was not asked.
   */
  readonly candidates?: readonly Job[] | undefined;
}
