import { forgetOldest } from "../forget-oldest.ts";
import type { RecordStore, StoredRecord } from "./record-store.ts";
import {
  formatRecord,
  isGuess,
  isWaiting,
  jobIdOf,
  notItsJob,
  openList,
  ownerKeyOf,
  type Standing,
  type SubmissionRecord,
} from "./records.ts";
import { type Change, mostTurns, type Records, tooOftenError } from "./records-in-store.ts";

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
 * Makes the finder of the submissions that jobs belong to. A mark names the submission of each job
 * that an answer has named, or whose result is saved. So a job is found by its id alone, and is not
 * taken for another submission's when its own is on no list any more.
 */
export const createOwners = (store: RecordStore, records: Records) => {
  /** Ids by the jobs that this process has met: where it begins to look. */
  const met = new Map<string, string>();

  /** Gives the record that a mark names; `undefined` where that has another job by now. */
  const readMark = async (
    jobId: string,
    mark: StoredRecord | undefined,
  ): Promise<Standing | undefined> => {
    const there = mark && (await records.get(idIn(mark.text)));
    return jobIdOf(there?.record) === jobId ? there : undefined;
  };

  const findMarked = async (jobId: string): Promise<Standing | undefined> =>
    readMark(jobId, await store.get(keyOf(jobId)));

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
      const isSure = (there: Standing | undefined): boolean =>
        there?.record?.state === "settled" &&
        there.record.jobId === jobId &&
        !isGuess(there.record);
      const told = id === undefined ? undefined : await records.get(id);
      if (isSure(told)) return told;
      const marked = await findMarked(jobId);
      // Before 0.12, an answer left no mark.
      return isSure(marked) ? marked : find(jobId);
    },
    /**
     * Marks a job as that of a record. An answer takes it from a guess, which is in doubt from then
     * on, also where its result was acknowledged.
     */
    async claim(jobId: string, id: string, record: SubmissionRecord): Promise<void> {
      // It is kept for as long as its record.
      const { rev, ttlMs } = formatRecord(record);
      const mark = { rev, ttlMs, text: JSON.stringify({ id, token: record.attempt.token }) };
      let expected = "";
      for (let turns = 0; turns < mostTurns; turns++) {
        const there = await store.swap(keyOf(jobId), expected, mark);
        if (there?.rev === rev) return;
        const former = await readMark(jobId, there);
        if (former !== undefined && former.id !== id) {
          if (isGuess(record) || !isGuess(former.record)) return;
          const contradict = (now: Standing | undefined): Change =>
            now?.record && isGuess(now.record) && jobIdOf(now.record) === jobId
              ? notItsJob(now.record)
              : undefined;
          await records.change(former.id, contradict, former);
        }
        expected = there?.rev ?? "";
      }
      throw tooOftenError(id);
    },
  };
};

export type Owners = ReturnType<typeof createOwners>;
