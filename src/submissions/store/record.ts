import type { Doubt, SubmissionFacts } from "../../client/errors/doubt.ts";
import { oneLine } from "../../client/errors/text.ts";
import { createRandomId } from "../../client/internal/platform.ts";
import type { NextRecord, StoredRecord } from "./record-store.ts";

/** One attempt at a paid call. Its fields stay the same in every state of the record. */
export interface Attempt {
  /** Random name of the attempt. Its end and each decision apply to the record with this token. */
  readonly token: string;
  readonly facts: Omit<SubmissionFacts, "id">;
  /** Time after the call in which the service may still make the job, or not list it yet. */
  readonly lateArrivalMs: number;
  /** Time for which the record is kept after the call, whatever its state. Default: for ever. */
  readonly ttlMs?: number | undefined;
  /** Time for which the record of an answer is kept. Default: for ever. */
  readonly keepMs?: number | undefined;
}

/**
 * The record of an id, in one of its states. An id without a record is free. All times are in
 * milliseconds since 1970. The clocks of the machines agree within a minute.
 *
 * | from | to | when |
 * | --- | --- | --- |
 * | free | `sending` | before the POST leaves |
 * | `sending` | `settled` | a usable answer came, or a broken answer that names its job |
 * | `sending` | free | the service refused the POST, or the POST never left |
 * | `sending` | `in-doubt` | the POST ended without a usable answer, or `until` has passed |
 * | `in-doubt` | `settled` | its answer came late, or you decided `{ adopt: job }` |
 * | `in-doubt` | free | you decided `"resubmit"`, or a late answer refused the POST |
 * | free | `settled` | the answer came after the decision `"resubmit"`, but before the next call |
 * | `in-doubt` | `dropped` | you decided `"drop"`: the id is never sent again |
 */
export type SubmissionRecord = { readonly attempt: Attempt } & (
  | {
      readonly state: "sending";
      /** No request of the call leaves after this time. */
      readonly until: number;
    }
  | {
      readonly state: "settled";
      /** Absent if a broken answer or a person named the job. */
      readonly answer?: unknown;
      readonly jobId?: string | undefined;
    }
  | {
      readonly state: "in-doubt";
      readonly why: string;
      /** The service carries nothing of this call out after this time. */
      readonly settlesAt: number;
      /** The answer that repeats get until somebody decides. Absent if no answer came. */
      readonly answer?: unknown;
    }
  | { readonly state: "dropped" }
);

export type DoubtRecord = SubmissionRecord & { readonly state: "in-doubt" };

/** A stored record, and its state at the time of reading. A damaged text has no `record`. */
export interface Standing {
  readonly id: string;
  readonly rev: string;
  readonly text: string;
  readonly record?: SubmissionRecord | undefined;
}

/** Method that makes jobs. */
export const jobMethod = "jobs.submit";

/** Name of the list that holds the records under way and in doubt. */
export const openList = "open";

const prefix = "once:";

/** Returns the key of the record of an id. */
export const keyOf = (id: string): string => prefix + id;

/** Returns the key of the mark of a job. The mark holds the id of the submission. */
export const markKeyOf = (jobId: string): string => `job:${jobId}`;

/** Returns the key under which a proxy that shares the store keeps an owner. */
export const ownerKeyOf = (kind: string, id: string): string => `owner:${kind}:${id}`;

/** Reads the owner from a record of a proxy. It is `undefined` where the record is damaged. */
export const ownerIn = (text: string): string | undefined => {
  try {
    const { owner } = JSON.parse(text);
    return typeof owner === "string" ? owner : undefined;
  } catch {
    return undefined;
  }
};

/** Version of the format of records. Records of other versions are refused. */
const version = 2;

/** Returns whether another version of adgen-sdk wrote a record that cannot be read. */
export const hasOtherForm = (text: string): boolean => {
  try {
    const { v } = JSON.parse(text);
    return typeof v === "number" && v !== version;
  } catch {
    return false;
  }
};

export const jobIdOf = (record: SubmissionRecord | undefined): string | undefined =>
  record?.state === "settled" ? record.jobId : undefined;

/** All states, so that a new state cannot be forgotten here. */
const undecided: Readonly<Record<SubmissionRecord["state"], boolean>> = {
  sending: true,
  settled: false,
  "in-doubt": true,
  dropped: false,
};

/** Whether an attempt may still end by its own answer, because nobody has decided about it. */
export const isUndecided = ({ state }: SubmissionRecord): boolean => undecided[state];

/** Formats a record for a store, with a new revision. */
export const formatRecord = (record: SubmissionRecord, now: number): NextRecord => {
  const { ttlMs = record.state === "settled" ? record.attempt.keepMs : undefined } = record.attempt;
  const leaseMs = record.state === "sending" ? Math.max(0, record.until - now) : 0;
  return {
    rev: createRandomId(),
    text: JSON.stringify({ v: version, ...record }),
    list: isUndecided(record) ? openList : undefined,
    ttlMs: ttlMs && ttlMs + leaseMs,
  };
};

/** Checks, for each state, the fields without which a record of that state cannot be used. */
const isWhole: Readonly<
  Record<SubmissionRecord["state"], (fields: Readonly<Record<string, unknown>>) => boolean>
> = {
  sending: ({ until }) => Number.isFinite(until),
  settled: () => true,
  "in-doubt": ({ why, settlesAt }) => typeof why === "string" && Number.isFinite(settlesAt),
  dropped: () => true,
};

const parse = (text: string): SubmissionRecord | undefined => {
  try {
    const { v, ...record } = JSON.parse(text);
    const { token, facts } = record.attempt;
    const isNamed = typeof token === "string" && typeof facts.method === "string";
    const state = Object.keys(isWhole).find((known) => known === record.state);
    const isKnown = v === version && isNamed && state !== undefined;
    return isKnown && isWhole[record.state as SubmissionRecord["state"]](record)
      ? record
      : undefined;
  } catch {
    return undefined;
  }
};

/**
 * Reads a record. A call in the state `sending` is in doubt as soon as its time is over, or its
 * process has certainly ended.
 */
export const readRecord = ({ id, rev, text, isOrphaned }: StoredRecord, now: number): Standing => {
  const there = { id: id.slice(prefix.length), rev, text };
  const record = parse(text);
  if (record?.state !== "sending" || (!isOrphaned && now < record.until))
    return { ...there, record };
  const { attempt, until } = record;
  const settlesAt = until + attempt.lateArrivalMs;
  return { ...there, record: { attempt, state: "in-doubt", why: "process_ended", settlesAt } };
};

/** Describes a record in doubt for callers. */
export const describeDoubt = (id: string, record: DoubtRecord, now: number): Doubt => {
  const { attempt, why, settlesAt } = record;
  const { token, facts } = attempt;
  return { id, ...facts, token, why, mayStillArrive: now < settlesAt, settlesAt };
};

/**
 * Describes the state of the first request of an id, and what to do. The message goes to a caller
 * who sent another request with this id.
 */
export const describeFirst = (record: SubmissionRecord | undefined, jobId?: string): string => {
  const orNew = "or take a new id for a new order";
  if (jobId !== undefined) {
    return `, which made the job ${oneLine(jobId, 100)}: wait for it with pollJob(client, error.jobId), ${orNew}`;
  }
  switch (record?.state) {
    case "sending":
      return `, which is under way: ask again later, ${orNew}`;
    case "in-doubt":
      return ", whose answer was lost and which may have been carried out: look for its job before you take a new id";
    case "dropped":
      return ", which was dropped by a decision and is never sent again: take a new id for a new order";
    case undefined:
    case "settled":
      return `: repeat that request, ${orNew}`;
    default:
      return record satisfies never;
  }
};
