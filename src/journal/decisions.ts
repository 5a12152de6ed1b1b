import { makeError } from "../errors/make-error.ts";
import { describeValue } from "../errors/text.ts";
import { refuseArgument } from "../options/rules.ts";
import { describeFailure, type RecordKeeper, waitAtMost } from "./record-keeper.ts";
import { type JournalEvent, type ReadRecords, stateOf } from "./records.ts";

/** Longest time for writing a decision. */
const longestWriteMs = 60_000;

/** Gives the id of a job; refuses what has none. */
export const jobIdOf = (job: string | { readonly job_id: string } | undefined): string => {
  const id = typeof job === "string" ? job : job?.job_id;
  if (typeof id === "string" && id.trim() !== "") return id;
  return refuseArgument(`a job's id must be a non-empty string, got ${describeValue(id)}`);
};

/** Refuses a job that is another submission's. */
const requireFree = ({ submissions }: ReadRecords, id: string, jobId: string): void => {
  for (const { id: other, accepted } of submissions.values()) {
    if (other === id || accepted?.jobId !== jobId) continue;
    refuseArgument(
      `the job ${describeValue(jobId)} is that of the submission ${describeValue(other)}: ` +
        "take a candidate of recovered.unknown",
    );
  }
};

/** Decisions of the user about submissions. */
export interface Decisions {
  readonly adopt: (id: string, jobId: string) => Promise<void>;
  readonly dismiss: (id: string) => Promise<void>;
  /** Writes a decision; rejects with a `JournalError` where that fails. */
  readonly write: (id: string, event: JournalEvent) => Promise<void>;
}

/** Makes the decisions of a journal. One follows the other, so that no two contradict each other. */
export const createDecisions = (
  { append, read }: Pick<RecordKeeper, "append" | "read">,
  isUnderWay: (id: string) => boolean,
): Decisions => {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (decide: () => Promise<void>): Promise<void> => {
    const decided = last.then(decide);
    last = decided.catch(() => {});
    return decided;
  };

  /** Refuses a decision about a submission that is not unknown. */
  const requireUnknown = (id: string): Promise<ReadRecords> =>
    read(undefined, async (reread) => {
      const records = reread();
      const found = records.submissions.get(id);
      const state = isUnderWay(id) ? "under way" : found && stateOf(found);
      if (state === "unknown") return records;
      const why = state === undefined ? "is not in the journal" : `is ${state}, and not unknown`;
      const what = `the submission ${describeValue(id)} ${why}`;
      return refuseArgument(`${what}: take an id of recovered.unknown`);
    });

  const write = async (id: string, event: JournalEvent): Promise<void> => {
    let why = `it took longer than ${longestWriteMs} ms`;
    let cause: unknown;
    try {
      if (await waitAtMost(longestWriteMs, undefined, append(id, event))) return;
    } catch (thrown) {
      why = describeFailure(thrown);
      cause = thrown;
    }
    throw makeError("journal", `the journal cannot be written: ${why}`, { cause });
  };

  return {
    adopt: (id, jobId) =>
      inTurn(async () => {
        requireFree(await requireUnknown(id), id, jobId);
        await write(id, { event: "accepted", jobId });
      }),
    dismiss: (id) =>
      inTurn(async () => {
        await requireUnknown(id);
        await write(id, { event: "dismissed" });
      }),
    write,
  };
};
