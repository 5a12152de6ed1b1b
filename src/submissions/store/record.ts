import type { Doubt, SubmissionFacts } from "../../client/errors/doubt.ts";
import { oneLine } from "../../client/errors/text.ts";
import { createRandomId } from "../../client/internal/random-id.ts";
import type { NextRecord, StoredRecord } from "./record-store.ts";

/** One attempt at a paid call. It stays the same in every state. */
export interface Attempt {
  /** Random name of the attempt: its end and each decision belong to it. */
  readonly token: string;
  readonly facts: Omit<SubmissionFacts, "id">;
  /** Time after its call for which the service may still carry it out, or not list it yet. */
  readonly settleMs: number;
  /** Time for which a record is kept after its call, whatever its state. Default: for ever. */
  readonly ttlMs?: number | undefined;
  /** The same for the record of an answer. */
  readonly keepMs?: number | undefined;
}

/**
 * The record of an id, in one of its states. Without a record the id is free. All times are of the
 * machines' clocks, in milliseconds since 1970, which agree within a minute.
 *
 * | from | to | when |
 * | --- | --- | --- |
 * | free | `sending` | before the POST leaves |
 * | `sending` | `settled` | a usable answer came, or a broken one that names its job |
 * | `sending` | free | the service refused the POST, or it never left |
 * | `sending` | `in-doubt` | the POST ended without a usable answer, or `until` has passed |
 * | `in-doubt` | `settled` | its own answer came late, or you decided `{ adopt: job }` |
 * | `in-doubt` | free | you decided `"resubmit"` |
 * | `in-doubt` | `dropped` | you decided `"drop"`: the id is never sent again |
 */
export type SubmissionRecord = { readonly attempt: Attempt } & (
  | {
      readonly state: "sending";
      /** No request of its call leaves later. */
      readonly until: number;
    }
  | {
      readonly state: "settled";
      /** Absent where a broken answer named the job, or a person. */
      readonly answer?: unknown;
      readonly jobId?: string | undefined;
    }
  | {
      readonly state: "in-doubt";
      readonly why: string;
      /** Nothing of it arrives later. */
      readonly settlesAt: number;
      /** What repeats get until somebody decides, where there is something to tell them. */
      readonly answer?: unknown;
    }
  | { readonly state: "dropped" }
);

export type DoubtRecord = SubmissionRecord & { readonly state: "in-doubt" };

/** The record of an id, as it counts at the time of its reading; `record` is missing where it cannot be read. */
export interface Standing {
  readonly id: string;
  readonly rev: string;
  readonly text: string;
  readonly record?: SubmissionRecord | undefined;
}

/** Method whose answers are jobs. */
export const jobMethod = "jobs.submit";

/** The list of the records that somebody waits for, or must decide about. */
export const openList = "open";

const prefix = "once:";

/** Place of the record of an id. */
export const keyOf = (id: string): string => prefix + id;

/** Place of the mark of a job, which holds the id of its submission. */
export const markKeyOf = (jobId: string): string => `job:${jobId}`;

/** Place of the owner of a thing, where a proxy shares the store. */
export const ownerKeyOf = (kind: string, id: string): string => `owner:${kind}:${id}`;

/** Number of this form of records. Another form is refused, and not read. */
const version = 2;

/** Whether a record that cannot be read has another form, as another version of adgen-sdk writes it. */
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

/** Writes a record, with a revision of its own. */
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

/** Reads a record. One whose call is over without an end is in doubt: its process has died. */
export const readRecord = ({ id, rev, text, isOrphaned }: StoredRecord, now: number): Standing => {
  const there = { id: id.slice(prefix.length), rev, text };
  const record = parse(text);
  if (record?.state !== "sending" || (!isOrphaned && now < record.until))
    return { ...there, record };
  const { attempt, until } = record;
  const settlesAt = until + attempt.settleMs;
  return { ...there, record: { attempt, state: "in-doubt", why: "process_ended", settlesAt } };
};

/** Describes a record in doubt, as callers get it. */
export const describeDoubt = (id: string, record: DoubtRecord, now: number): Doubt => {
  const { attempt, why, settlesAt } = record;
  const { token, facts } = attempt;
  return { id, ...facts, token, why, mayStillArrive: now < settlesAt, settlesAt };
};

/**
 * Describes what became of the first request of an id, and what to do, for the message to a caller who
 * has asked for another one with it.
 */
export const describeFirst = (record: SubmissionRecord | undefined, jobId?: string): string => {
  const orNew = "or take a new id for a new order";
  if (jobId !== undefined) {
    return `, which made the job ${oneLine(jobId, 100)}: wait for it with pollJob(client, error.jobId), ${orNew}`;
  }
  if (record?.state === "sending") return `, which is under way: ask again later, ${orNew}`;
  if (record?.state === "in-doubt") {
    return ", whose answer was lost and which may have been carried out: look for its job before you take a new id";
  }
  return `: repeat that one, ${orNew}`;
};
