import { type ReadRecords, stateOf } from "./records.ts";

/** Most finished jobs that are remembered; beyond them, the store is read. */
const rememberedJobs = 10_000;

/** Submissions of the journal by their jobs' ids, so that a look does not read the store. */
export interface JobIndex {
  /** Notes a job that is to be waited for. */
  readonly add: (jobId: string, id: string) => void;
  /** Notes all jobs of a store. */
  readonly addAll: (records: ReadRecords) => void;
  /** Notes that a job has finished; gives its submission, where it was waited for. */
  readonly finish: (jobId: string) => string | undefined;
  /** Gives the submission of a job, finished or not. */
  readonly find: (jobId: string) => string | undefined;
  readonly remove: (jobId: string) => void;
}

/** Makes an empty index. */
export const createJobIndex = (): JobIndex => {
  const waiting = new Map<string, string>();
  const finished = new Map<string, string>();

  const addFinished = (jobId: string, id: string): void => {
    waiting.delete(jobId);
    finished.set(jobId, id);
    const [oldest] = finished.keys();
    if (oldest !== undefined && finished.size > rememberedJobs) finished.delete(oldest);
  };

  return {
    add(jobId, id) {
      waiting.set(jobId, id);
    },
    addAll({ submissions }) {
      for (const submission of submissions.values()) {
        const { id, accepted } = submission;
        if (accepted === undefined) continue;
        const state = stateOf(submission);
        if (state === "finished") addFinished(accepted.jobId, id);
        if (state === "waiting" && !finished.has(accepted.jobId)) waiting.set(accepted.jobId, id);
      }
    },
    finish(jobId) {
      const id = waiting.get(jobId);
      if (id !== undefined) addFinished(jobId, id);
      return id;
    },
    find: (jobId) => waiting.get(jobId) ?? finished.get(jobId),
    remove(jobId) {
      waiting.delete(jobId);
      finished.delete(jobId);
    },
  };
};
