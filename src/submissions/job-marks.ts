import type { RecordStore, StoredRecord } from "./record-store.ts";
import {
  formatRecord,
  isGuess,
  isUndecided,
  isWaiting,
  jobIdOf,
  notItsJob,
  openList,
  ownerKeyOf,
  type StoredSubmission,
  type SubmissionRecord,
} from "./records.ts";
import { type Change, mostTurns, type Records, tooOftenError } from "./records-in-store.ts";

const keyOf = (jobId: string): string => `job:${jobId}`;

const readText = (text: string): { readonly id?: unknown; readonly token?: unknown } => {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
};

/**
 * Finds the submission that a job belongs to. A mark names it as soon as the job is known: by an
 * answer, or by a decision to adopt it. So a job is found by its id alone, and is no candidate for
 * another submission.
 */
export const createJobMarks = (store: RecordStore, records: Records) => {
  /** The record that a mark names, where it has the job, or is about to get it. */
  const readMark = async (
    jobId: string,
    mark: StoredRecord | undefined,
  ): Promise<StoredSubmission | undefined> => {
    const { id, token } = readText(mark?.text ?? "");
    const there = typeof id === "string" ? await records.get(id) : undefined;
    if (there?.record === undefined) return undefined;
    const known = jobIdOf(there.record);
    const isNext = isUndecided(there.record) && there.record.attempt.token === token;
    return known === jobId || (known === undefined && isNext) ? there : undefined;
  };

  const findMarked = async (jobId: string): Promise<StoredSubmission | undefined> =>
    readMark(jobId, await store.get(keyOf(jobId)));

  /** Jobs of the open list, for records without a mark: an answer left none before 0.12. */
  const readOpen = async (): Promise<ReadonlyMap<string | undefined, StoredSubmission>> => {
    const open = (await records.list(openList)).filter(({ record }) => record && isWaiting(record));
    return new Map(open.map((there) => [jobIdOf(there.record), there]));
  };

  return {
    /** The record that a job belongs to. */
    find: async (jobId: string): Promise<StoredSubmission | undefined> =>
      (await findMarked(jobId)) ?? (await readOpen()).get(jobId),
    /** Ids of the submissions that listed jobs belong to; `undefined` for a job that is free. */
    async findIds(jobIds: readonly string[]): Promise<readonly (string | undefined)[]> {
      const open = await readOpen();
      // A job of a proxy's user has an owner, and perhaps no submission on record.
      const findId = async (jobId: string): Promise<string | undefined> =>
        (
          open.get(jobId) ??
          (await findMarked(jobId)) ??
          (await store.get(ownerKeyOf("job", jobId)))
        )?.id;
      return Promise.all(jobIds.map(findId));
    },
    /**
     * Marks a job as that of a record. An answer takes it from a guess, which is in doubt from then
     * on, also where its result was acknowledged. A guess takes it from nobody.
     */
    async claim(jobId: string, id: string, record: SubmissionRecord): Promise<void> {
      // It is kept for as long as its record.
      const { rev, ttlMs } = formatRecord(record);
      const mark = { rev, ttlMs, text: JSON.stringify({ id, token: record.attempt.token }) };
      const contradict = ({ record: now }: Partial<StoredSubmission> = {}): Change =>
        isGuess(now) && jobIdOf(now) === jobId ? notItsJob(now) : undefined;
      let expected = "";
      for (let turns = 0; turns < mostTurns; turns++) {
        const there = await store.swap(keyOf(jobId), expected, mark);
        if (there?.rev === rev) return;
        const isOwn = readText(there?.text ?? "").id === id;
        const former = isOwn ? undefined : await readMark(jobId, there);
        if (former !== undefined) {
          const isAnswered = former.record?.state !== "in-doubt" && !isGuess(former.record);
          if (isAnswered || isGuess(record)) return;
          await records.change(former.id, contradict, former);
        }
        expected = there?.rev ?? "";
      }
      throw tooOftenError(id);
    },
  };
};

export type JobMarks = ReturnType<typeof createJobMarks>;
