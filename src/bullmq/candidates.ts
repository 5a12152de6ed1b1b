import type { AdGenClient } from "../client.ts";
import { isAction } from "../contract/actions.ts";
import type { Job } from "../contract/jobs.ts";
import { isAdGenError } from "../errors/errors.ts";
import type { Records, SubmissionRecord } from "./records.ts";
import type { CandidateJob, Candidates } from "./submission.ts";

const mostCandidates = 100;

/** A list is asked for with a larger limit until it reaches back, up to this one. */
const mostListed = 10_000;
const limitGrowth = 4;

/** These failures speak of the caller, and not of a limit that is too large. */
const lastingCodes: readonly unknown[] = ["unauthorized", "rate_limited"];

const hasJob = (jobs: readonly Job[], jobId: string): boolean =>
  jobs.some(({ job_id }) => job_id === jobId);

/** Client, as far as it lists jobs. */
interface Lister {
  readonly jobs: Pick<AdGenClient["jobs"], "list">;
}

/** Lists recent jobs: so many that the list shows the job known before each of the submissions. */
export const listRecentJobs = async (
  client: Lister,
  given: number | undefined,
  submissions: readonly SubmissionRecord[],
): Promise<readonly Job[]> => {
  const sought = submissions.flatMap(({ previousJobId }) => previousJobId ?? []);
  let { items } = await client.jobs.list(given ? { limit: given } : {});
  let limit = Math.max(given ?? 0, items.length);
  while (limit < mostListed && !sought.every((jobId) => hasJob(items, jobId))) {
    limit = Math.min(limit * limitGrowth, mostListed);
    try {
      const longer = await client.jobs.list({ limit });
      if (longer.items.length <= items.length) break;
      items = longer.items;
    } catch (error) {
      // The service may refuse such a limit, or the answer may be too large: less is known then.
      if (!isAdGenError(error) || lastingCodes.includes(error.code)) throw error;
      break;
    }
  }
  return items;
};

/** Reads a time that the service may tell; `undefined` where it tells none. */
const madeAt = (job: object): number | undefined => {
  const { created_at } = job as { readonly created_at?: unknown };
  const time = typeof created_at === "string" ? Date.parse(created_at) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
};

/** Tells whether a job may be of an action. A list need not show one, or not in known words. */
const mayBeOf = (job: object, action: string): boolean => {
  const { action: shown } = job as { readonly action?: unknown };
  return !isAction(shown) || shown === action;
};

/** Finds the candidates of a submission in a list. Clocks differ: a time only puts them in order. */
export const findCandidates = async (
  jobs: readonly Job[],
  record: SubmissionRecord,
  records: Records,
): Promise<Candidates> => {
  const { intentAt = 0, previousJobId } = record;
  const fitting = jobs.filter((job) => mayBeOf(job, record.action));
  const left = await records.withoutOwner(fitting);
  const distanceOf = (job: object): number => Math.abs((madeAt(job) ?? 0) - intentAt);
  const nearest = left.toSorted((one, other) => distanceOf(one) - distanceOf(other));
  const candidates = nearest.slice(0, mostCandidates).map((job): CandidateJob => {
    const { created_at } = job as { readonly created_at?: unknown };
    const { job_id, status } = job;
    return { job_id, status, ...(typeof created_at === "string" && { created_at }), job };
  });
  // A list shorter than its limit proves nothing: the service may have a largest one.
  const reachesBack = previousJobId === undefined ? jobs.length === 0 : hasJob(jobs, previousJobId);
  return { candidates, isComplete: reachesBack && left.length === candidates.length };
};
