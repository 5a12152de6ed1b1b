import { addCandidates } from "./candidates.ts";
import { endOf, factsOf, jobOf, type ReadRecords, type Submission, stateOf } from "./records.ts";
import { mayBeForgotten } from "./retention.ts";
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
  readonly settleMs: number;
}

/** Facts about submissions that this process knows beside the records. */
export interface InProcess {
  /** Tells that it still waits for its answer here. */
  readonly isUnderWay: (id: string) => boolean;
  /** Gives the time since this process first knew that it is unknown. */
  readonly doubtedForMs: (id: string) => number;
}

const waitingOf = (submission: Submission): WaitingSubmission => ({
  ...factsOf(submission),
  job_id: jobOf(submission) ?? "",
});

const finishedOf = (submission: Submission): FinishedSubmission => ({
  ...waitingOf(submission),
  finishedAt: (endOf(submission, "finished") ?? endOf(submission, "overdue"))?.at ?? "",
});

const placeOf = (submission: Submission): string => factsOf(submission).submittedAt + submission.id;

const oldestFirst = (one: Submission, other: Submission): number =>
  placeOf(one) < placeOf(other) ? -1 : 1;

/** Tells whether a record is of this age. A clock that was set back hides no record. */
const isOfAge = ({ lastAt }: Submission, now: number, minAgeMs: number): boolean =>
  minAgeMs === 0 || Math.abs(now - lastAt) >= minAgeMs;

/** Says what is not over yet, by the records of a journal. */
export const recoverFrom = async (
  reread: () => ReadRecords,
  { isUnderWay, doubtedForMs }: InProcess,
  jobs: RecentJobs,
  { minAgeMs, settleMs, ...config }: RecoverConfig,
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
    .filter((submission) => !isUnderWay(submission.id) && isOfAge(submission, now, minAgeMs))
    .sort(oldestFirst);
  const mayStillArrive = (id: string) => doubtedForMs(id) < minAgeMs + settleMs;
  return {
    waiting: byState.waiting.sort(oldestFirst).map(waitingOf),
    ...(await addCandidates(unknown, jobs, config, reread, mayStillArrive)),
    finished: byState.finished.sort(oldestFirst).map(finishedOf),
    damaged,
  };
};
