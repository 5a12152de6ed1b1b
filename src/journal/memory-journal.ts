import { createJournal } from "./create-journal.ts";
import type { SubmissionJournal } from "./submission-journal.ts";

/** Number of records that need no room to be made. */
const fewRecords = 1_000;

/**
 * Makes a journal in memory, for tests, and for processes that only want `jobs.recover()` after
 * lost answers. It does not survive the process.
 */
export const createMemoryJournal = (): SubmissionJournal => {
  let texts: string[] = [];
  /** Number of records from which those that are no longer of use go. */
  let most = fewRecords;
  const journal = createJournal({
    append: async ({ text }) => {
      texts.push(text);
      if (texts.length < most) return;
      most = Number.POSITIVE_INFINITY;
      await journal.load();
      most = Math.max(2 * texts.length, fewRecords);
    },
    read: async () => texts,
    prune: async (isOfUse) => {
      texts = texts.filter(isOfUse);
    },
  });
  return journal;
};
