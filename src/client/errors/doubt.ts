import type { Action } from "../../contract/actions.ts";
import type { Job } from "../../contract/jobs.ts";

/** The recorded facts about a submission. */
export interface SubmissionFacts {
  /** Your id for the submission. It isn't the id of a job. */
  readonly id: string;
  /** Method of the client that submitted it: `"jobs.submit"`. */
  readonly method: string;
  /** The action that was sent, if the request had one. */
  readonly action?: Action | undefined;
  /**
   * The time just before the request was sent, in ISO 8601, by the clock of the machine that sent
   * it.
   */
  readonly submittedAt: string;
  /**
   * Parameters by which you can recognise the request. Texts over 200 characters and long lists are
   * cut.
   */
  readonly request: { readonly [name: string]: unknown };
  /**
   * SHA-256 of the method, the service and the whole request, in hexadecimal digits. The order of
   * the request's fields makes no difference.
   */
  readonly digest: string;
}

/** A submission that may or may not have been carried out. */
export interface Doubt extends SubmissionFacts {
  /**
   * The name of this attempt. A decision is about one attempt, and a later attempt with the same id
   * has another name.
   */
  readonly token: string;
  /**
   * Code of the error that the submission ended with. `"process_ended"` means that its process
   * ended, or ran out of time, before a response came.
   */
  readonly why: string;
  /**
   * Whether the service may still make the job, or may not list it yet. As long as it is true,
   * `decide` refuses `"resubmit"`.
   */
  readonly mayStillArrive: boolean;
  /** Time at which `mayStillArrive` becomes false, in milliseconds since 1970. */
  readonly settlesAt: number;
  /**
   * Recent jobs of which one may be the job of this submission. No submission on record owns them,
   * and they have the same action if the list shows actions. The nearest in time comes first. Jobs
   * without a time follow. Jobs that the service says it made more than a minute before the
   * submission come last. `undefined` if the service was not asked.
   */
  readonly candidates?: readonly Job[] | undefined;
}
