import type { Claims } from "./claims.ts";
import type { Clock } from "./clock.ts";
import {
  type Attempt,
  formatRecord,
  isUndecided,
  jobIdOf,
  type SubmissionRecord,
} from "./records.ts";
import { mostTurns, type Records, tooOftenError } from "./records-in-store.ts";
import { tryLong } from "./try-long.ts";

/** Pause before a failed reservation is taken back. */
const firstFreeMs = 100;

/** A paid job whose answer came after a decision against its attempt. */
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
}

const printFailure = (error: unknown): void =>
  console.error("adgen-sdk: the end of a submission is not on record yet", error);

/** Makes the writer of the ends of attempts. */
export const createSettling = (
  records: Records,
  claims: Claims,
  clock: Clock,
  onLateJob: (job: LateJob) => void,
  onFailure: (error: unknown, id: string) => void = printFailure,
) => {
  /** By attempt, and not by id: a later attempt must not take the place of a paid answer. */
  const late = new Set<LateEnd>();
  const keepTrying = async (id: string, write: () => Promise<unknown>): Promise<void> => {
    await tryLong(clock, write, (error, tries) => {
      if (tries === 0) onFailure(error, id);
    });
  };

  /** Names the job's owner after its record stands: a list of open records finds it until then. */
  const claimJob = (id: string, attempt: Attempt, jobId: string): void => {
    const { token, ttlMs } = attempt;
    void keepTrying(id, () => claims.claim(jobId, { id, token }, { isFact: true, ttlMs }));
  };

  /**
   * Moves an id from the attempt's own revision to its end. Where the attempt was renewed or marked
   * in doubt, it follows. Where a person decided against it, a job gets a record of its own.
   */
  const settle = async (
    id: string,
    attempt: Attempt,
    from: string,
    record: SubmissionRecord | undefined,
    decidedId?: string,
  ): Promise<void> => {
    const next = record && formatRecord(record);
    const jobId = jobIdOf(record);
    for (let expected = from, turns = 0; turns < mostTurns; turns++) {
      const there = await records.swap(id, expected, next);
      const other = there?.record;
      const stands =
        there?.rev === next?.rev ||
        (jobId !== undefined && other?.attempt.token === attempt.token && jobIdOf(other) === jobId);
      if (stands) {
        if (record?.state !== "settled" || jobId === undefined) return;
        claimJob(id, attempt, jobId);
        if (decidedId !== undefined) onLateJob({ id: decidedId, recordId: id, jobId });
        return;
      }
      const isOwn = other?.attempt.token === attempt.token;
      if (isOwn && isUndecided(other)) expected = there?.rev ?? "";
      else if (there === undefined && (jobId !== undefined || record?.state === "settled")) {
        expected = "";
      } else if (jobId === undefined || decidedId !== undefined) return;
      else return settle(`${id}~${attempt.token}`, attempt, "", record, id);
    }
    throw tooOftenError(id);
  };

  return {
    /** Writes the end of an attempt. It never rejects: what the store refuses is tried again later. */
    keep(
      id: string,
      attempt: Attempt,
      rev: string,
      record: SubmissionRecord | undefined,
    ): Promise<void> {
      const write = async (): Promise<void> => {
        await settle(id, attempt, rev, record);
        late.delete(end);
      };
      let writing: Promise<void> | undefined;
      const end: LateEnd = {
        id,
        record,
        async write() {
          if (!late.has(end)) return;
          // One write for all that wait for it.
          writing ??= write().finally(() => {
            writing = undefined;
          });
          await writing;
        },
      };
      late.add(end);
      return keepTrying(id, end.write);
    },
    /** Frees an id whose reservation failed, and may stand all the same. It never rejects. */
    async free(id: string, attempt: Attempt, rev: string): Promise<void> {
      // The store has just failed.
      await clock.rest(firstFreeMs);
      await tryLong(clock, () => settle(id, attempt, rev, undefined));
    },
    /** Gives the end of the id's attempt in this process, until the store has it. */
    lateOf: (id: string): LateEnd | undefined => [...late].find((end) => end.id === id),
    /** Tries to write all that is late. It never rejects. */
    async flush(): Promise<void> {
      await Promise.allSettled(Array.from(late, ({ write }) => write()));
    },
  };
};

export type Settling = ReturnType<typeof createSettling>;
