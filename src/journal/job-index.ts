import { jobOf, type ReadRecords, stateOf } from "./records.ts";

/** Time for which a finished job is remembered; after it, the store is read. */
const rememberedMs = 7 * 24 * 3_600_000;

/** Submissions of the journal by their jobs' ids, so that a poll does not read the store. */
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
  const finished = new Map<string, { readonly id: string; readonly notedAt: number }>();

  const addFinished = (jobId: string, id: string): void => {
    const now = performance.now();
    waiting.delete(jobId);
    finished.set(jobId, { id, notedAt: finished.get(jobId)?.notedAt ?? now });
    for (const [oldest, { notedAt }] of finished) {
      if (now - notedAt <= rememberedMs) break;
      finished.delete(oldest);
    }
  };

  return {
    add(jobId, id) {
      waiting.set(jobId, id);
    },
    addAll({ submissions }) {
      for (const submission of submissions.values()) {
        const { id } = submission;
        const jobId = jobOf(submission);
        if (jobId === undefined) continue;
        const state = stateOf(submission);
        if (state === "finished") addFinished(jobId, id);
        if (state === "waiting" && finished.get(jobId)?.id !== id) waiting.set(jobId, id);
      }
    },
    finish(jobId) {
      const id = waiting.get(jobId);
      if (id !== undefined) addFinished(jobId, id);
      return id;
    },
    find: (jobId) => waiting.get(jobId) ?? finished.get(jobId)?.id,
    remove(jobId) {
      waiting.delete(jobId);
      finished.delete(jobId);
    },
  };
};
