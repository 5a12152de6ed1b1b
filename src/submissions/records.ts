import type { SubmissionFacts } from "../errors/doubt.ts";
import { createRandomId } from "../random-id.ts";
import type { NextRecord, StoredRecord } from "./record-store.ts";

/** One attempt at a paid call. It stays the same in every state. */
export interface Attempt {
  /** Random name of the attempt: answers, late writes and decisions belong to it. */
  readonly token: string;
  readonly facts: Omit<SubmissionFacts, "id">;
  /** The id was made for this call: nobody will repeat it. */
  readonly isGenerated?: boolean;
  /** Time for which a record is kept after its POST is over, whatever its state. Default: for ever. */
  readonly ttlMs?: number | undefined;
  /** The same for the record of a job, acknowledged or not. */
  readonly keepMs?: number | undefined;
}

/**
 * The record of an id, in one of its states. Without a record the id is free.
 *
 * | from | to | when |
 * | --- | --- | --- |
 * | free | `sending` | the call has put its id on record, before its POST leaves |
 * | `sending` | `settled` | a usable answer came, or a broken one that names its job |
 * | `sending` | free | the service refused the POST, or it never left |
 * | `sending` | `in-doubt` | the POST ended without a usable answer, or its process ended |
 * | `in-doubt` | `settled` | its own answer came late, or you decided `{ adopt: job }` |
 * | `in-doubt` | free | you decided `"resubmit"` |
 * | `in-doubt` | `dropped` | you decided `"drop"`: the id is never sent again |
 * | `settled` | `in-doubt` | an answer named the job that you had adopted as that of another submission |
 *
 * An answer after a decision against its attempt is a `settled` record with an id of its own.
 */
export type SubmissionRecord = { readonly attempt: Attempt } & (
  | {
      readonly state: "sending";
      /** Time from the writing of the record after which its POST is over. */
      readonly leaseMs: number;
      /** A reader has begun a timer of that time, before it wrote this revision: see `timerKeyOf`. */
      readonly hasTimer?: true;
    }
  | {
      readonly state: "settled";
      /** JSON, as the caller gave it. Absent where a broken answer named the job, or a person. */
      readonly answer?: unknown;
      readonly jobId?: string | undefined;
      /** A person took the job for that of the submission; no answer has named it. */
      readonly isAdopted?: boolean;
      /** Lease of the doubt that the person decided about. */
      readonly leaseMs?: number | undefined;
      /** The job's result is saved. */
      readonly isAcknowledged?: boolean;
    }
  | {
      readonly state: "in-doubt";
      readonly why: string;
      /** A timer of the store alone has counted this lease, and clocks can be set. */
      readonly leaseMs?: number | undefined;
    }
  | { readonly state: "dropped" }
);

/** The record of a submission in doubt. */
export type DoubtRecord = SubmissionRecord & { readonly state: "in-doubt" };

/** The record of an id, as it stands in the store; `record` is missing where it is damaged. */
export interface StoredSubmission {
  readonly id: string;
  readonly rev: string;
  readonly isLeft: boolean;
  readonly text: string;
  readonly record?: SubmissionRecord;
}

/** The list of the records that are not over. */
export const openList = "open";

/** Place of the mark of a job, which names its submission. */
export const markKeyOf = (jobId: string): string => `job:${jobId}`;

/** Place of the owner of a thing, where a proxy shares the store. */
export const ownerKeyOf = (kind: string, id: string): string => `owner:${kind}:${id}`;

/** Place of the timer of a lease: when the store has forgotten it, the lease is over. */
export const timerKeyOf = (rev: string): string => `lease:${rev}`;

/** Beginning of the places of records, apart from the marks of jobs and whatever else a store holds. */
const prefix = "once:";

/** Place of the record of an id. */
export const keyOf = (id: string): string => prefix + id;

/** Number of this form of records: a later form would have another. */
const version = 1;

const dayMs = 24 * 3_600_000;

/** Times for which the record of a generated id is kept: once it is over, and until then. */
const keptAfterEndMs = 7 * dayMs;
const keptWaitingMs = 30 * dayMs;

/** Copies an object's own fields: one that is missing would be read from `Object.prototype`. */
export const ownFields = <T extends object>(value: T): T =>
  Object.assign(Object.create(null), value);

const ownRecord = (record: SubmissionRecord): SubmissionRecord =>
  ownFields({ ...record, attempt: ownFields(record.attempt) });

export const jobIdOf = (record: SubmissionRecord | undefined): string | undefined =>
  record?.state === "settled" ? record.jobId : undefined;

/** Whether an attempt may still end by its own answer: nobody has decided about it. */
export const isUndecided = ({ state }: SubmissionRecord): boolean =>
  state === "sending" || state === "in-doubt";

/** Whether a job is to be waited for: its result was not acknowledged. */
export const isWaiting = (record: SubmissionRecord): boolean =>
  record.state === "settled" && record.jobId !== undefined && record.isAcknowledged !== true;

/** Doubt about a submission whose adopted job an answer has named as another one's. */
export const notItsJob = (record: SubmissionRecord): DoubtRecord => ({
  attempt: record.attempt,
  state: "in-doubt",
  why: "not_its_job",
  leaseMs: record.state === "settled" ? record.leaseMs : undefined,
});

/** Time for which a store keeps a record after its POST; `undefined` is for ever. */
const keptMsOf = (record: SubmissionRecord): number | undefined => {
  const { isGenerated, ttlMs, keepMs } = record.attempt;
  if (ttlMs !== undefined) return ttlMs;
  // Somebody must decide.
  if (isUndecided(record)) return undefined;
  if (!isGenerated) return record.state === "settled" ? keepMs : undefined;
  const longestMs = keepMs ?? keptWaitingMs;
  return isWaiting(record) ? longestMs : Math.min(longestMs, keptAfterEndMs);
};

/** Writes a record, with a revision of its own. */
export const formatRecord = (given: SubmissionRecord): NextRecord => {
  const record = ownRecord(given);
  const isOpen = isUndecided(record) || isWaiting(record);
  const leaseMs = record.state === "sending" ? record.leaseMs : 0;
  const keptMs = keptMsOf(record);
  // While its POST may be under way, a record is there, whatever its time to live.
  const ttlMs = keptMs && keptMs + leaseMs;
  return {
    rev: createRandomId(),
    text: JSON.stringify({ v: version, ...record }),
    list: isOpen ? openList : undefined,
    ttlMs,
  };
};

const isText = (value: unknown): boolean => typeof value === "string" && value !== "";

const parseText = (text: string): SubmissionRecord | undefined => {
  try {
    const { v, ...record } = JSON.parse(text);
    const { attempt, state, leaseMs, why } = record;
    const { token, facts } = attempt;
    const isWhole =
      v === version &&
      [token, facts.method, facts.submittedAt].every(isText) &&
      ["sending", "settled", "in-doubt", "dropped"].includes(state) &&
      (state !== "sending" || leaseMs >= 0) &&
      (state !== "in-doubt" || isText(why));
    return isWhole ? ownRecord(record) : undefined;
  } catch {
    return undefined;
  }
};

/** Reads a record from a store. */
export const readRecord = ({ id, rev, text, isLeft = false }: StoredRecord): StoredSubmission => {
  const record = parseText(text);
  return { id: id.slice(prefix.length), rev, isLeft, text, ...(record && { record }) };
};

/** Facts of a record, as callers get them. */
export const factsOf = (id: string, { attempt }: SubmissionRecord): SubmissionFacts => ({
  id,
  ...attempt.facts,
});
