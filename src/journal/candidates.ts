import type { Job } from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import { isAdGenError } from "../errors/errors.ts";
import { factsOf, type Submission } from "./records.ts";
import type { RecentJobs, SubmissionInDoubt } from "./submission-journal.ts";

/** Tells whether a job may be of an action: most lists do not show one. */
const mayBeOf = (job: Job, action: unknown): boolean => {
  const { action: shown } = job as { readonly action?: unknown };
  return typeof shown !== "string" || action === undefined || shown === action;
};

/** Gets the job that a broken answer named, where the service has it. */
const findNamed = async (
  jobId: string,
  page: Page<Job>,
  jobs: RecentJobs,
  signal: AbortSignal | undefined,
): Promise<readonly Job[]> => {
  const listed = page.items.find((job) => job.job_id === jobId);
  if (listed !== undefined) return [listed];
  try {
    return [await jobs.get(jobId, { signal })];
  } catch (error) {
    if (isAdGenError(error) && error.code === "not_found") return [];
    throw error;
  }
};

/**
 * Gives each unknown submission its candidates: jobs of the list that no record names.
 *
 * @param readKnown - Gives the ids of all jobs on record, also those that came during the list
 */
export const addCandidates = async (
  unknown: readonly Submission[],
  jobs: RecentJobs,
  { limit, signal }: { limit?: number | undefined; signal?: AbortSignal | undefined },
  readKnown: () => ReadonlySet<string>,
): Promise<SubmissionInDoubt[]> => {
  if (unknown.length === 0) return [];
  const page = await jobs.list(limit === undefined ? {} : { limit }, { signal });
  const named = new Set(unknown.map(({ failed }) => failed?.jobId));
  const known = readKnown();
  const strangers = page.items.filter(({ job_id: id }) => !known.has(id) && !named.has(id));
  const found: SubmissionInDoubt[] = [];
  for (const submission of unknown) {
    const { intent, failed } = submission;
    const { code, jobId } = failed ?? {};
    found.push({
      ...factsOf(submission),
      ...(code !== undefined && { code }),
      ...(jobId !== undefined && { jobId }),
      candidates:
        jobId === undefined
          ? strangers.filter((job) => mayBeOf(job, intent?.action))
          : await findNamed(jobId, page, jobs, signal),
    });
  }
  return found;
};
