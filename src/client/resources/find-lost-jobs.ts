import { candidatesOf, type Job } from "../../contract/jobs.ts";
import type { Page } from "../../contract/page.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { describeValue } from "../errors/text.ts";
import { memoryOf } from "../internal/job-memory.ts";
import type { CallOptions, ListQuery } from "../options/call-options.ts";
import {
  abortSignalRule,
  checkOptions,
  refuseArgument,
  wholeNumberRule,
} from "../options/rules.ts";

/** Jobs that a lost submission may have made. */
export interface LostJobs {
  /**
   * Jobs that may be the lost one, in the service's order. The list may be empty, or hold jobs of
   * others.
   */
  readonly candidates: readonly Job[];
  /** Number of this client's other submissions under way: one of them may have made a candidate. */
  readonly openElsewhere: number;
}

/** The part of a client that looks for lost jobs. In tests, you can write one by hand. */
export interface LostJobsClient {
  /** Lists and reads the jobs. */
  readonly jobs: {
    /** Lists recent jobs. */
    list(query?: ListQuery, options?: CallOptions): Promise<Page<Job>>;
    /** Gets a job as it is now. */
    get(jobId: string, options?: CallOptions): Promise<Job>;
  };
}

/** Options of `findLostJobs`. */
export interface FindLostJobsOptions {
  /**
   * Number of recent jobs to ask for, a whole number.
   * @default the service's own number
   */
  limit?: number | undefined;
  /** Ends the search with an `AbortedError`. */
  signal?: AbortSignal | undefined;
}

/**
 * Codes of calls that sent nothing because an earlier call with the same id may have sent the
 * request.
 */
const ofStore: readonly string[] = ["store", "in_doubt", "under_way"];

const rules = () => ({
  limit: wholeNumberRule(0, Number.MAX_SAFE_INTEGER),
  signal: abortSignalRule(),
});

/** Refuses errors that don't come from a submission with an unknown outcome. */
const requireLost = (error: unknown): AnyAdGenError => {
  if (!isAdGenError(error)) {
    return refuseArgument(
      `findLostJobs takes a client, then the error that jobs.submit threw; got ${describeValue(error)}`,
    );
  }
  const { outcome, code, path } = error;
  const isOfStore = ofStore.includes(code);
  if (outcome === "unknown" && error.action !== undefined && !isOfStore) return error;
  const why = isOfStore
    ? `this call sent nothing (${code}): submit again with the same id, or decide about error.doubt`
    : error.action === undefined
      ? `the ${code} error of ${path ?? "a wait"} did not come from a submission`
      : `this submission has the outcome ${describeValue(outcome)}, so it made no job`;
  return refuseArgument(
    `findLostJobs needs the error of a submission with an unknown outcome: ${why}`,
  );
};

/**
 * Looks once for the job of a submission whose response was lost (`error.outcome` is `"unknown"`).
 * If a broken success (2xx) named the job, that job is the only candidate. Otherwise the candidates
 * are recent jobs of the same action that this client has neither submitted nor seen before. The
 * client can't know the jobs of other processes with the same key: list the jobs once when a
 * process starts, and compare a candidate with your request before you take it. If there is no
 * candidate, the job may not exist, or may not be listed yet, so look again later.
 *
 * @throws `AdGenError`
 * - `invalid_request`: `error` doesn't come from a submission with an unknown outcome, or an
 *   option makes no sense.
 * - The codes of `jobs.list`, or of `jobs.get` where the error names the job.
 * @example
 * await client.jobs.list(); // at the start of the process: older jobs are then no candidates
 * const { candidates } = await findLostJobs(client, error);
 */
export const findLostJobs = async (
  client: LostJobsClient,
  error: unknown,
  options: FindLostJobsOptions = {},
): Promise<LostJobs> => {
  const lost = requireLost(error);
  const { limit, signal } = checkOptions("findLostJobs", rules(), options, refuseArgument);
  const { jobs } = client;
  const memory = memoryOf(jobs);
  const openElsewhere = memory?.underWay.size ?? 0;
  if (lost.jobId !== undefined) {
    return { candidates: [await jobs.get(lost.jobId, { signal })], openElsewhere };
  }
  const failedAt = memory?.failures.get(lost) ?? 0;
  const { items } = await jobs.list(limit === undefined ? {} : { limit }, { signal });
  const candidates = candidatesOf(
    items,
    lost.action,
    ({ job_id: id }) =>
      memory === undefined ||
      (memory.submissionOf(id) === undefined && (memory.seenAt(id) ?? failedAt) >= failedAt),
  );
  return { candidates, openElsewhere };
};
