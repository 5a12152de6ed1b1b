import type { Job } from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { factsOf, jobOf, type ReadRecords, type Submission, stateOf } from "./records.ts";
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

/** Unknown submissions with their candidates, or the reason why there are none. */
export interface WithCandidates {
  readonly unknown: readonly SubmissionInDoubt[];
  readonly candidatesError?: AnyAdGenError;
}

const jobsOf = ({ submissions }: ReadRecords): ReadonlySet<unknown> =>
  new Set(Array.from(submissions.values(), jobOf));

const countOpen = ({ submissions }: ReadRecords): number =>
  Array.from(submissions.values()).filter((submission) => stateOf(submission) === "unknown").length;

/**
 * Gives each unknown submission its candidates: jobs of the list that no record names. Where the
 * service cannot be asked, none has candidates, and the rest of the journal is told all the same.
 *
 * @param reread - Gives all records, also those that came during the list
 * @param mayStillArrive - Tells for which of them a job may be listed later
 */
export const addCandidates = async (
  unknown: readonly Submission[],
  jobs: RecentJobs,
  { limit, signal }: { limit?: number | undefined; signal?: AbortSignal | undefined },
  reread: () => ReadRecords,
  mayStillArrive: (id: string) => boolean,
): Promise<WithCandidates> => {
  if (unknown.length === 0) return { unknown: [] };
  // Asked before the list: a later answer would speak of a later list.
  const late = new Set(unknown.map(({ id }) => id).filter(mayStillArrive));
  const describe = (
    submission: Submission,
    candidates: readonly Job[] | undefined,
    open: number,
  ): SubmissionInDoubt => {
    const { code, jobId } = submission.failed ?? {};
    return {
      ...factsOf(submission),
      ...(code !== undefined && { code }),
      ...(jobId !== undefined && { jobId }),
      candidates,
      openElsewhere: open - 1,
      mayStillArrive: late.has(submission.id),
    };
  };
  const found: SubmissionInDoubt[] = [];
  try {
    const page = await jobs.list(limit === undefined ? {} : { limit }, { signal });
    const named = new Set(unknown.map(({ failed }) => failed?.jobId));
    const records = reread();
    const known = jobsOf(records);
    const open = countOpen(records);
    const strangers = page.items.filter(({ job_id: id }) => !known.has(id) && !named.has(id));
    for (const submission of unknown) {
      const { intent, failed } = submission;
      const candidates =
        failed?.jobId === undefined
          ? strangers.filter((job) => mayBeOf(job, intent?.action))
          : await findNamed(failed.jobId, page, jobs, signal);
      found.push(describe(submission, candidates, open));
    }
    return { unknown: found };
  } catch (error) {
    if (!isAdGenError(error) || error.code === "aborted") throw error;
    const open = countOpen(reread());
    const none = unknown.map((submission) => describe(submission, undefined, open));
    return { unknown: none, candidatesError: error };
  }
};
