import { isAdGenError } from "../../client/errors/errors.ts";
import { makeError } from "../../client/errors/make-error.ts";
import { oneLine } from "../../client/errors/text.ts";
import { createRandomId } from "../../client/internal/random-id.ts";
import { waitAtMost } from "../../client/internal/sleep.ts";
import type { Clock } from "./clock.ts";
import {
  formatRecord,
  isUndecided,
  jobIdOf,
  keyOf,
  markKeyOf,
  openList,
  ownerKeyOf,
  readRecord,
  type Standing,
  type SubmissionRecord,
} from "./record.ts";
import type { RecordStore } from "./record-store.ts";

export const storeError = (why: string, cause?: unknown) =>
  makeError("store", `the store of submissions failed: ${why}`, { cause });

const isRecord = (value: unknown): boolean => {
  const { id, rev, text } = Object(value);
  return [id, rev, text].every((part) => typeof part === "string");
};
const isRecordOrNone = (value: unknown): boolean => value === undefined || isRecord(value);

/**
 * A store whose calls end in time, and give records: no other answer may pass for "there is none".
 * They fail with a `StoreError`.
 *
 * @param onFailure - Called with the reason, as it was thrown
 */
export const boundStore = (
  store: RecordStore,
  clock: Clock,
  timeoutMs: number,
  onFailure: (cause: unknown) => void = () => {},
): RecordStore => {
  const within = async <T>(
    name: string,
    ask: () => Promise<T>,
    isRight: (value: unknown) => boolean = isRecordOrNone,
  ): Promise<T> => {
    try {
      const work = (async () => ask())();
      if (!(await waitAtMost(clock, timeoutMs, undefined, work))) {
        throw new Error(`${name} took longer than ${timeoutMs} ms`);
      }
      if (isRight(await work)) return await work;
      throw new Error(`${name} gave something else than a store of records gives`);
    } catch (cause) {
      onFailure(cause);
      const why = oneLine(cause instanceof Error ? cause.message : String(cause));
      // An error of this library has told all of it in the message.
      throw storeError(why, isAdGenError(cause) ? cause.cause : cause);
    }
  };
  return {
    get: (id) => within("get", () => store.get(id)),
    swap: (id, expected, next) => within("swap", () => store.swap(id, expected, next)),
    list: (name, limit) =>
      within(
        "list",
        () => store.list(name, limit),
        (given) => Array.isArray(given) && given.every(isRecord),
      ),
  };
};

/** A record to write; `"free"` removes the one that stands there, and `undefined` leaves it. */
export type Change = SubmissionRecord | "free" | undefined;

/** Most turns of a loop over a store: a broken store must not keep a process busy for ever. */
const maxTurns = 20;

/** Records by their ids, and by their jobs. */
export const createRecords = (store: RecordStore, clock: Clock) => {
  const swap = async (id: string, expected: string, next?: Parameters<RecordStore["swap"]>[2]) => {
    const there = await store.swap(keyOf(id), expected, next);
    return there && readRecord(there, clock.wall());
  };
  const get = async (id: string): Promise<Standing | undefined> => {
    const there = await store.get(keyOf(id));
    return there && readRecord(there, clock.wall());
  };
  /** The submission that has a job, or is about to get it. */
  const findByMark = async (jobId: string, id: string | undefined) => {
    const record = id === undefined ? undefined : (await get(id))?.record;
    return record && (isUndecided(record) || jobIdOf(record) === jobId) ? id : undefined;
  };

  return {
    swap,
    get,
    /**
     * Replaces a record by what `decide` returns for it, and asks again where another writer was
     * quicker. Returns what stands there then.
     */
    async change(
      id: string,
      decide: (there: Standing | undefined) => Change | Promise<Change>,
    ): Promise<Standing | undefined> {
      let there = await get(id);
      for (let turns = 0; turns < maxTurns; turns++) {
        const change = await decide(there);
        if (change === undefined) return there;
        const next = change === "free" ? undefined : formatRecord(change, clock.wall());
        there = await swap(id, there?.rev ?? "", next);
        if (there?.rev === next?.rev) return there;
      }
      throw storeError(`the record of ${JSON.stringify(oneLine(id, 100))} changes all the time`);
    },
    /** The records that somebody waits for, or must decide about. */
    async listOpen(): Promise<readonly Standing[]> {
      const now = clock.wall();
      const records = await store.list(openList, Number.MAX_SAFE_INTEGER);
      return records.map((record) => readRecord(record, now));
    },
    /** Id of the submission, or of the proxy's user, that a job belongs to; `undefined` for a free one. */
    async findOwner(jobId: string): Promise<string | undefined> {
      const mark = await store.get(markKeyOf(jobId));
      const id = await findByMark(jobId, mark?.text);
      return id ?? (await store.get(ownerKeyOf("job", jobId)))?.id;
    },
    /**
     * Marks a job as that of a submission, before its record names it. Returns the id of another
     * submission that has the job already.
     */
    async claim(jobId: string, id: string, ttlMs: number | undefined): Promise<string | undefined> {
      const mark = { rev: createRandomId(), text: id, ttlMs };
      const key = markKeyOf(jobId);
      const there = await store.swap(key, "", mark);
      if (there === undefined || there.text === id) return undefined;
      const owner = await findByMark(jobId, there.text);
      if (owner === undefined) await store.swap(key, there.rev, mark);
      return owner;
    },
  };
};

export type Records = ReturnType<typeof createRecords>;
