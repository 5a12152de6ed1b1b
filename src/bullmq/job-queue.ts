import type { ConnectionOptions, JobsOptions, Queue } from "bullmq";
import type { AdGenClient } from "../client.ts";
import type { FinishedJob, JobRequest } from "../contract/jobs.ts";
import type { KnownParametersOnly } from "../contract/known-parameters.ts";
import type { Submission } from "./read-submission.ts";
import type {
  Contradiction,
  Decision,
  HeldSubmission,
  LookData,
  SubmissionData,
} from "./submission.ts";
import type { WaitForResultOptions } from "./wait-for-result.ts";

/** Options of a queue; `connection` is required. */
export interface JobQueueOptions {
  /** Connection of BullMQ: `{ host, port }`, `{ url }`, or a Redis client. */
  readonly connection: ConnectionOptions;
  /** Name of the fleet: becomes the names of two BullMQ queues. @default "adgen" */
  readonly name?: string | undefined;
  /** BullMQ's prefix of all keys. In a cluster it holds a hash tag: `"{adgen}"`. @default "bull" */
  readonly prefix?: string | undefined;
  /** Time for each call of the queue, in milliseconds; waits for results have none. @default 10000 */
  readonly timeoutMs?: number | undefined;
  /** BullMQ's options of each job in the queue of submissions, as `removeOnComplete`. */
  readonly jobOptions?: Omit<JobsOptions, "jobId" | "attempts" | "backoff"> | undefined;
}

/** Options of one submission. */
export interface AddOptions {
  /** Smaller numbers come first, 1 to 2097152; those without one come before all. */
  readonly priority?: number | undefined;
  /** Time before it is submitted, in milliseconds. @default 0 */
  readonly delayMs?: number | undefined;
}

/** Outcome of an addition. */
export interface Added {
  /** Your id of the submission. */
  readonly id: string;
  /** `false`: it was there already, with the same request. */
  readonly isNew: boolean;
}

/** Options of a list of held submissions. */
export interface ListHeldOptions {
  /** Client that lists the recent jobs anew. @default the candidates of the time of the hold */
  readonly client?: { readonly jobs: Pick<AdGenClient["jobs"], "list"> } | undefined;
  /**
   * Length of the first list of recent jobs; longer ones follow. @assumed A4
   * @default the service's own number
   */
  readonly candidateLimit?: number | undefined;
}

/** Submissions that a fleet of workers carries out. */
export interface JobQueue {
  /** BullMQ's queue of submissions, for dashboards. */
  readonly submissions: Queue<SubmissionData>;
  /** BullMQ's queue of looks at submitted jobs; its results are the finished jobs. */
  readonly looks: Queue<LookData>;
  /**
   * Adds a submission under an id of yours. The same id again, with the same request, is the same
   * submission: it is charged once, whatever happens between the calls.
   *
   * @throws `AdGenError`. `invalid_request` for an id that cannot be used, or a request that
   * cannot be sent as JSON. The same for another request under an id that is there.
   * `connection` and `timeout` when Redis does not answer: add the same again.
   * @see API v1, section 4 "Jobs"
   */
  add<const R extends JobRequest>(
    id: string,
    request: KnownParametersOnly<R>,
    options?: AddOptions,
  ): Promise<Added>;
  /** Tells where a submission stands; `undefined` when there is none under this id. */
  get(id: string): Promise<Submission | undefined>;
  /**
   * Waits for the finished job of a submission. A failed job is an answer. A held submission waits
   * for its decision. While Redis is away, the wait goes on.
   *
   * @throws `AdGenError`: what the service refused the submission with, what ended the wait
   * of its worker (`poll_timeout` and others), `aborted`, and `invalid_request`.
   */
  waitForResult(id: string, options?: WaitForResultOptions): Promise<FinishedJob>;
  /**
   * Lists the submissions that wait for a decision, the oldest first. With a `client`, their
   * candidates are looked for anew, in the jobs that the service lists now.
   *
   * @throws `AdGenError`: `invalid_request`, `connection` and `timeout`, and with a client whatever
   * `jobs.list` throws.
   */
  listHeld(options?: ListHeldOptions): Promise<HeldSubmission[]>;
  /**
   * Decides on a held submission. `"resubmit"` may pay a second time: look at its candidates first.
   * The same decision can be made again, as when its process died.
   *
   * @throws `AdGenError`: `invalid_request` when it is not held, when something else was decided, or
   * when the job is known to belong to another submission.
   */
  decide(id: string, decision: Decision): Promise<void>;
  /**
   * Lists paid jobs that do not fit the records, as when Redis has lost an intent and a submission
   * was made twice. Each stays on the list until its submission is forgotten.
   *
   * @throws `AdGenError`: `connection` and `timeout` when Redis does not answer.
   */
  listContradictions(): Promise<Contradiction[]>;
  /** Goes on after a pause, and ends a long wait that a 429 has asked for. */
  resume(): Promise<void>;
  /**
   * Forgets a submission that has come to its end, with its BullMQ jobs. Its id is new again: added
   * once more, it is submitted and paid. Forget it when the service does not list its job any more.
   * An unknown id does nothing.
   *
   * @throws `AdGenError`: `invalid_request` for a submission that has not ended, `connection` and
   * `timeout` when Redis does not answer: forget it again.
   */
  forget(id: string): Promise<void>;
  /** Closes the connections, within `timeoutMs` where Redis does not answer. */
  close(): Promise<void>;
}
