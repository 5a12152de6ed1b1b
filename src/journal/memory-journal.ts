import { createJournal } from "./create-journal.ts";
import type { SubmissionJournal } from "./submission-journal.ts";

/**
 * Makes a journal in memory, for tests, and for processes that only want `jobs.recover()` after
 * lost answers. It does not survive the process.
 */
export const createMemoryJournal = (): SubmissionJournal => {
  const texts = new Map<string, string[]>();
  return createJournal({
    append: async ({ id, text }) => {
      texts.set(id, [...(texts.get(id) ?? []), text]);
    },
    read: async () => [...texts.values()].flat(),
    forget: async (ids) => {
      for (const id of ids) texts.delete(id);
    },
  });
};
