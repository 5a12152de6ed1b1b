/** A consumer that keeps a journal: type-checked against the packed package, never run. */
import { createClient, createJournal, findLostJobs, type JournalStore, pollJobs } from "adgen-sdk";
import { openFileJournal } from "adgen-sdk/journal/file";

const store: JournalStore = { append: async () => {}, read: async () => [] };

export const recover = async (isOwnStore: boolean): Promise<number> => {
  const journal = isOwnStore ? createJournal(store) : await openFileJournal("a.journal");
  const client = createClient({ journal });
  const { waiting, unknown } = await client.jobs.recover({ limit: 50 });
  const jobs = await pollJobs(client, waiting);
  for (const { id, candidates } of unknown) {
    if (candidates?.[0] !== undefined) await journal.adopt(id, candidates[0]);
  }
  const { candidates } = await findLostJobs(client, new Error("lost"), { withinMs: 1_000 });
  return jobs.length + candidates.length;
};
