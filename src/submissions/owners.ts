import { forgetOldest } from "../forget-oldest.ts";
import type { RecordStore } from "./record-store.ts";
import {
  createToken,
  isGuess,
  isWaiting,
  jobIdOf,
  keptMsOf,
  openList,
  ownerKeyOf,
  type Standing,
  type SubmissionRecord,
} from "./records.ts";
import type { Records } from "./records-in-store.ts";

const keyOf = (jobId: string): string => `job:${jobId}`;

/** Reads the id in the mark of a job. A process of 0.9.0 reads the token there, too. */
const idIn = (text: string): string => {
  try {
    return String(JSON.parse(text).id);
  } catch {
    return "";
  }
};

const isWaitingFor = (jobId: string, record: SubmissionRecord | undefined): boolean =>
  record !== undefined && isWaiting(record) && jobIdOf(record) === jobId;

/**
 * Makes the finder of the submissions that jobs belong to. An open record names its job itself. One
 * that is over is on no list: a mark keeps its job from being taken for another submission's.
 */
export const createOwners = (store: RecordStore, records: Records) => {
  /** Ids by the jobs that this process has met: where it begins to look. */
  const met = new Map<string, string>();

  const findMarked = async (jobId: string): Promise<Standing | undefined> => {
    const mark = await store.get(keyOf(jobId));
    const there = mark && (await records.get(idIn(mark.text)));
    return jobIdOf(there?.record) === jobId ? there : undefined;
  };

  /** Gives the record that a job belongs to: an answer comes before all guesses. */
  const find = async (jobId: string, open?: readonly Standing[]): Promise<Standing | undefined> => {
    const listed = open ?? (await records.list(openList));
    const named = listed.filter(({ record }) => isWaitingFor(jobId, record));
    const answered = named.find(({ record }) => !isGuess(record));
    // Of two guesses, the one that was written first.
    return answered ?? (await findMarked(jobId)) ?? named.at(-1);
  };

  return {
    find,
    /** Gives the ids that jobs of the service's list belong to, `undefined` for one that is free. */
    async findIds(jobIds: readonly string[]): Promise<readonly (string | undefined)[]> {
      const open = await records.list(openList);
      // A job of a proxy's user has an owner, and perhaps no submission on record.
      const findId = async (jobId: string): Promise<string | undefined> =>
        (await find(jobId, open))?.id ?? (await store.get(ownerKeyOf("job", jobId)))?.id;
      return Promise.all(jobIds.map(findId));
    },
    /** Notes a job of this process: its record is found without the list. */
    meet(jobId: string, id: string): void {
      met.set(jobId, id);
      forgetOldest(met);
    },
    /**
     * Gives the record whose result is to be acknowledged.
     *
     * @param id - Submission to begin with. Default: the one by which this process met the job
     */
    async findSaved(jobId: string, id = met.get(jobId)): Promise<Standing | undefined> {
      const there = id === undefined ? undefined : await records.get(id);
      const { record } = there ?? {};
      const isSure = record?.state === "settled" && record.jobId === jobId && !isGuess(record);
      return isSure ? there : find(jobId);
    },
    /** Marks the job of a record that is going to be over. */
    async mark(jobId: string, id: string, { attempt }: SubmissionRecord): Promise<void> {
      const there = await store.get(keyOf(jobId));
      const ttlMs = keptMsOf(attempt);
      await store.swap(keyOf(jobId), there?.rev ?? "", {
        rev: createToken(),
        text: JSON.stringify({ id, token: attempt.token }),
        ...(ttlMs !== undefined && { ttlMs }),
      });
    },
  };
};

export type Owners = ReturnType<typeof createOwners>;
