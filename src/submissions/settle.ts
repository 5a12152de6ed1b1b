import { notify } from "../hooks.ts";
import { waitAtMost } from "../sleep.ts";
import type { Clock } from "./clock.ts";
import {
  type Attempt,
  isUndecided,
  jobIdOf,
  type StoredSubmission,
  type SubmissionRecord,
} from "./records.ts";
import type { Change, Records } from "./records-in-store.ts";

/** Pauses between tries to write what a store has refused. They end after about an hour. */
const firstPauseMs = 100;
const longestPauseMs = 60_000;
const mostRetries = 64;

/** Longest wait of a call for an end that the store has refused: it is written later. */
const refusedWaitMs = 1_000;

/**
 * A paid job whose answer came after a decision against its attempt.
 *
 * @inline
 */
export interface LateJob {
  /** Id that the decision was about. */
  readonly id: string;
  /** Id under which the job stands on record now. */
  readonly recordId: string;
  /** Id of the job, which is charged. */
  readonly jobId: string;
}

/** The end of an attempt that the store has not taken yet. No record: the id becomes free. */
interface LateEnd {
  readonly id: string;
  readonly record: SubmissionRecord | undefined;
  readonly write: () => Promise<void>;
  /** It is being tried again by itself. */
  isTried: boolean;
}

/**
 * The end of a submission that the store has refused.
 *
 * @inline
 */
export interface LateWrite {
  /** Id of the submission. */
  readonly id: string;
  /** Error of the store. */
  readonly error: unknown;
  /**
   * Settles when the end is on record, or after about an hour of failures. Absent when these are
   * over: the next submission of this process tries again.
   */
  readonly work?: Promise<unknown> | undefined;
}

/**
 * Writes what must not get lost: it is tried again for as long as the store fails, for about an
 * hour. It never rejects, and does not keep the process alive. Resolves with the error of the last try;
 * `undefined` where it was written.
 */
export const retryInBackground = async (
  clock: Clock,
  write: () => Promise<unknown>,
): Promise<unknown> => {
  for (let tries = 0; ; tries++) {
    try {
      await write();
      return undefined;
    } catch (error) {
      if (tries === mostRetries) return error;
    }
    await clock.rest(Math.min(firstPauseMs * 2 ** tries, longestPauseMs));
  }
};

export const createSettling = (
  records: Records,
  clock: Clock,
  onLateJob: (job: LateJob) => void,
  onLateWrite: (late: LateWrite) => void,
) => {
  /** By attempt, and not by id: a later attempt must not take the place of a paid answer. */
  const late = new Set<LateEnd>();

  /**
   * Writes the end of an attempt at its id. Where the attempt was renewed or marked in doubt, it
   * follows. Where a person decided against it, a job gets a record of its own.
   */
  const settle = async (
    id: string,
    { token }: Attempt,
    record: SubmissionRecord | undefined,
    known?: StoredSubmission,
  ): Promise<void> => {
    const jobId = jobIdOf(record);
    const change = (now: StoredSubmission | undefined): Change => {
      if (now === undefined) return jobId || record?.state === "settled" ? record : undefined;
      const isOwn = now.record?.attempt.token === token;
      return isOwn && isUndecided(now.record) ? (record ?? "free") : undefined;
    };
    const claim = async (recordId: string): Promise<unknown> =>
      record && jobId !== undefined ? records.claim(jobId, recordId, record) : undefined;
    // The mark comes first: without it, a person could take the job for that of another submission.
    await claim(id);
    const there = await records.change(id, change, known);
    const hasJob = there?.record?.attempt.token === token && jobIdOf(there.record) === jobId;
    if (record === undefined || jobId === undefined || hasJob) return;
    const recordId = `${id}~${token}`;
    await claim(recordId);
    await records.change(recordId, (now) => (now === undefined ? record : undefined));
    onLateJob({ id, recordId, jobId });
  };

  /** Tries for about an hour to write an end. It never rejects. */
  const tryAgain = async (end: LateEnd): Promise<void> => {
    end.isTried = true;
    const error = await retryInBackground(clock, end.write);
    end.isTried = false;
    if (error !== undefined) notify("onLateWrite", onLateWrite, { id: end.id, error });
  };

  return {
    /**
     * Writes the end of an attempt, and waits for that. What the store refuses is written later: that
     * is waited for a second. It never rejects.
     */
    async keep(known: StoredSubmission, attempt: Attempt, record: SubmissionRecord | undefined) {
      const { id } = known;
      let writing: Promise<void> | undefined;
      const end: LateEnd = {
        id,
        record,
        isTried: true,
        async write() {
          if (!late.has(end)) return;
          // One write for all that wait for it.
          writing ??= settle(id, attempt, record, known).finally(() => {
            writing = undefined;
          });
          await writing;
          late.delete(end);
        },
      };
      late.add(end);
      try {
        await end.write();
      } catch (error) {
        const work = tryAgain(end);
        notify("onLateWrite", onLateWrite, { id, error, work });
        await waitAtMost(clock, refusedWaitMs, undefined, work);
      }
    },
    /** Begins anew with the ends whose tries have come to nothing. */
    resume(): void {
      for (const end of late) if (!end.isTried) void tryAgain(end);
    },
    /**
     * Takes back a reservation that failed, and may stand all the same. It never rejects, and ends
     * with the first try. That reads nothing before: the answers of the store may be late.
     */
    free: (reserved: StoredSubmission, attempt: Attempt): Promise<void> =>
      new Promise((resolve) => {
        const write = () => settle(reserved.id, attempt, undefined, reserved).finally(resolve);
        void retryInBackground(clock, write);
      }),
    /** End of the id's attempt in this process, until the store has it. */
    lateOf: (id: string): LateEnd | undefined => [...late].find((end) => end.id === id),
    /** The same for the end that names a job. */
    lateOfJob: (jobId: string): LateEnd | undefined =>
      [...late].find(({ record }) => jobIdOf(record) === jobId),
    /** Tries to write all that is late. It never rejects. */
    async flush(): Promise<void> {
      await Promise.allSettled(Array.from(late, ({ write }) => write()));
    },
  };
};

export type Settling = ReturnType<typeof createSettling>;
