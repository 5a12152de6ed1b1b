import type { JournalStore } from "./journal-store.ts";
import {
  endOf,
  isSettled,
  parseRecord,
  type ReadRecords,
  type Submission,
  stateOf,
} from "./records.ts";

/** Time for which ended submissions stay on record: a week. */
const keptAfterEndMs = 7 * 24 * 3_600_000;

/** Share of a store's submissions that must be of no use before it is asked to prune. */
const uselessShare = 0.25;

const isOld = ({ lastAt }: Submission, now: number): boolean => now - lastAt > keptAfterEndMs;

/**
 * Tells whether a result has been left for a week, and this is not on record. The clock may have
 * been behind before, so the user gets another week from here.
 */
export const isNewlyOverdue = (submission: Submission, now: number): boolean =>
  stateOf(submission) === "finished" && !endOf(submission, "overdue") && isOld(submission, now);

/** Tells whether a submission ended so long ago that no one needs its records. */
export const mayBeForgotten = (submission: Submission, now: number): boolean => {
  if (submission.isContested || !isOld(submission, now)) return false;
  const state = stateOf(submission);
  return state === "closed" || (state === "finished" && endOf(submission, "overdue") !== undefined);
};

/** Tells whether a record is still of use: that of a settled submission only with its job's id. */
const isOfUse = ({ submissions }: ReadRecords, text: string, now: number): boolean => {
  const record = parseRecord(text);
  const submission = record && submissions.get(record.id);
  if (submission === undefined) return true;
  if (mayBeForgotten(submission, now)) return false;
  if (!isSettled(submission)) return true;
  const isEnd = ["accepted", "acknowledged", "dismissed"].includes(record?.event ?? "");
  return isEnd && submission.accepted !== undefined;
};

/** Lets a store remove what is no longer of use. */
export const tidyStore = async (store: JournalStore, records: ReadRecords): Promise<void> => {
  const now = Date.now();
  const { submissions, settled } = records;
  const old = [...submissions.values()].filter((submission) => mayBeForgotten(submission, now));
  try {
    if (store.prune === undefined) {
      if (old.length > 0) await store.forget?.(old.map(({ id }) => id));
    } else if (old.length + settled > uselessShare * submissions.size) {
      await store.prune((text) => isOfUse(records, text, now));
    }
  } catch (error) {
    console.error("adgen-sdk: the journal cannot forget", error);
  }
};
