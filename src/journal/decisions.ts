import { makeError } from "../errors/make-error.ts";
import { describeValue } from "../errors/text.ts";
import { refuseArgument } from "../options/rules.ts";
import { describeFailure, type RecordKeeper, waitAtMost } from "./record-keeper.ts";
import { type JournalEvent, jobOf, type SubmissionState, stateOf } from "./records.ts";

/** Longest time for writing a decision. */
const longestWriteMs = 60_000;

/** Time for which decisions trust the store as it was read, so that many need one reading. */
const trustedMs = 1_000;

/** Gives the id of a job; refuses what has none. */
export const jobIdOf = (job: string | { readonly job_id: string } | undefined): string => {
  const id = typeof job === "string" ? job : job?.job_id;
  if (typeof id === "string" && id.trim() !== "") return id;
  return refuseArgument(`a job's id must be a non-empty string, got ${describeValue(id)}`);
};

/** State of a store when it was read, with all that this process has done since. */
interface Known {
  readonly states: Map<string, SubmissionState>;
  /** Submissions by their jobs' ids. */
  readonly owners: Map<string, string>;
}

/** Refuses a job that is another submission's. */
const requireFree = ({ owners }: Known, id: string, jobId: string): void => {
  const owner = owners.get(jobId) ?? id;
  if (owner === id) return;
  refuseArgument(
    `the job ${describeValue(jobId)} is that of the submission ${describeValue(owner)}: ` +
      "take a candidate of recovered.unknown",
  );
};

/** Decisions of the user about submissions. */
export interface Decisions {
  readonly adopt: (id: string, jobId: string) => Promise<void>;
  readonly dismiss: (id: string) => Promise<void>;
  /** Notes what became of a submission in this process. */
  readonly note: (id: string, state: SubmissionState, jobId?: string) => void;
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

  let known: Known | undefined;

  const note = (id: string, state: SubmissionState, jobId?: string): void => {
    known?.states.set(id, state);
    if (jobId !== undefined) known?.owners.set(jobId, id);
  };

  const readKnown = (): Promise<Known> =>
    read(undefined, async (reread) => {
      const states = new Map<string, SubmissionState>();
      const owners = new Map<string, string>();
      for (const submission of reread().submissions.values()) {
        states.set(submission.id, stateOf(submission));
        const jobId = jobOf(submission);
        if (jobId !== undefined) owners.set(jobId, submission.id);
      }
      const fresh = { states, owners };
      known = fresh;
      const timer = setTimeout(() => {
        if (known === fresh) known = undefined;
      }, trustedMs);
      (timer as { unref?: () => void }).unref?.();
      return fresh;
    });

  /** Refuses a decision about a submission that is not unknown. */
  const requireUnknown = async (id: string): Promise<Known> => {
    let found = known;
    if (found?.states.get(id) !== "unknown") found = await readKnown();
    const state = isUnderWay(id) ? "under way" : found.states.get(id);
    if (state === "unknown") return found;
    const why = state === undefined ? "is not in the journal" : `is ${state}, and not unknown`;
    const what = `the submission ${describeValue(id)} ${why}`;
    return refuseArgument(`${what}: take an id of recovered.unknown`);
  };

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
        await write(id, { event: "accepted", jobId, isAdopted: true });
        note(id, "waiting", jobId);
      }),
    dismiss: (id) =>
      inTurn(async () => {
        await requireUnknown(id);
        await write(id, { event: "dismissed" });
        note(id, "closed");
      }),
    note,
    write,
  };
};
