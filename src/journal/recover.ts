import { addCandidates } from "./candidates.ts";
import { factsOf, mayBeForgotten, type ReadRecords, type Submission, stateOf } from "./records.ts";
import type {
  FinishedSubmission,
  RecentJobs,
  RecoveredSubmissions,
  WaitingSubmission,
} from "./submission-journal.ts";

/** The checked options of `jobs.recover`. */
export interface RecoverConfig {
  readonly signal?: AbortSignal | undefined;
  readonly limit?: number | undefined;
  readonly minAgeMs: number;
}

const waitingOf = (submission: Submission): WaitingSubmission => ({
  ...factsOf(submission),
  job_id: submission.accepted?.jobId ?? "",
});

const finishedOf = (submission: Submission): FinishedSubmission => ({
  ...waitingOf(submission),
  finishedAt: submission.finished?.at ?? "",
});

const placeOf = (submission: Submission): string => factsOf(submission).submittedAt + submission.id;

const oldestFirst = (one: Submission, other: Submission): number =>
  placeOf(one) < placeOf(other) ? -1 : 1;

const jobsOf = ({ submissions }: ReadRecords): ReadonlySet<string> =>
  new Set(Array.from(submissions.values(), ({ accepted }) => accepted?.jobId ?? ""));

/** Lists the submissions that are over for so long that they may be forgotten. */
export const listForgettable = ({ submissions }: ReadRecords, now: number): string[] =>
  [...submissions.values()]
    .filter((submission) => mayBeForgotten(submission, now))
    .map(({ id }) => id);

/**
 * Says what is not over yet, by the records of a journal.
 *
 * @param isUnderWay - Tells which submissions of this process still wait for their answers
 */
export const recoverFrom = async (
  reread: () => ReadRecords,
  isUnderWay: (id: string) => boolean,
  jobs: RecentJobs,
  { minAgeMs, ...config }: RecoverConfig,
): Promise<RecoveredSubmissions> => {
  const now = Date.now();
  const { submissions, damaged } = reread();
  const byState = { unknown: [], waiting: [], finished: [], closed: [] } as Record<
    ReturnType<typeof stateOf>,
    Submission[]
  >;
  for (const submission of submissions.values()) {
    if (!mayBeForgotten(submission, now)) byState[stateOf(submission)].push(submission);
  }
  const unknown = byState.unknown
    .filter(({ id, lastAt }) => !isUnderWay(id) && now - lastAt >= minAgeMs)
    .sort(oldestFirst);
  return {
    waiting: byState.waiting.sort(oldestFirst).map(waitingOf),
    ...(await addCandidates(unknown, jobs, config, () => jobsOf(reread()))),
    finished: byState.finished.sort(oldestFirst).map(finishedOf),
    damaged,
  };
};
