import type { Action } from "../contract/actions.ts";
import type { ErrorCode, Outcome } from "../errors/error-fields.ts";
import type { SubmissionOnRecord } from "./submission-journal.ts";

/** The events in the life of a submission. */
export type JournalEvent =
  | {
      readonly event: "intent";
      readonly action: unknown;
      readonly request: Readonly<Record<string, unknown>>;
      readonly digest: string | undefined;
      readonly origin: string | undefined;
    }
  | {
      readonly event: "accepted";
      readonly jobId: string;
      /** The user took the job for that of the submission; no answer has named it. */
      readonly isAdopted?: true;
    }
  | {
      readonly event: "failed";
      readonly outcome: Outcome;
      readonly code: ErrorCode | undefined;
      /** Id that the broken answer named. */
      readonly jobId?: string | undefined;
    }
  | {
      readonly event: "finished";
      /** A process has found the submission finished for more than a week. */
      readonly isOverdue?: true;
    }
  | { readonly event: "dismissed" }
  | { readonly event: "acknowledged" };

type Stamped<E extends JournalEvent["event"]> = Extract<JournalEvent, { event: E }> & {
  readonly at: string;
};

/** All that the records tell of one submission. */
export interface Submission {
  readonly id: string;
  /** Time of its latest record; 0 where none can be read. */
  lastAt: number;
  intent?: Stamped<"intent">;
  accepted?: Stamped<"accepted">;
  adopted?: Stamped<"accepted">;
  failed?: Stamped<"failed">;
  finished?: Stamped<"finished">;
  overdue?: Stamped<"finished">;
  dismissed?: Stamped<"dismissed">;
  acknowledged?: Stamped<"acknowledged">;
  /** Another submission adopted this one's job, and is open again as long as these records stay. */
  isContested?: true;
}

/** The state that the records of a submission add up to. */
export type SubmissionState = "unknown" | "waiting" | "finished" | "closed";

const events: readonly JournalEvent["event"][] = [
  "intent",
  "accepted",
  "failed",
  "finished",
  "dismissed",
  "acknowledged",
];

/** Number of this form of records: a later form would have another. */
const version = 1;

/** Writes a record. */
export const formatRecord = (id: string, event: JournalEvent): string =>
  JSON.stringify({ v: version, id, at: new Date().toISOString(), ...event });

interface ParsedRecord {
  readonly id: string;
  readonly at: string;
  readonly event: JournalEvent["event"];
  readonly isAdopted?: unknown;
  readonly isOverdue?: unknown;
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Reads a record; gives `undefined` for a text that is none. */
export const parseRecord = (text: string): ParsedRecord | undefined => {
  try {
    const record = JSON.parse(text);
    const { v, id, at, event, jobId, outcome } = record;
    const isWhole =
      v === version &&
      [id, at].every(isText) &&
      events.includes(event) &&
      (event !== "accepted" || isText(jobId)) &&
      (event !== "failed" || isText(outcome));
    return isWhole ? record : undefined;
  } catch {
    return undefined;
  }
};

/** The submissions of a journal by their ids, and the texts that are no records. */
export interface ReadRecords {
  readonly submissions: ReadonlyMap<string, Submission>;
  readonly damaged: readonly string[];
  /** Number of settled submissions whose intents the store still keeps. */
  readonly settled: number;
}

/** Records that are added up as they come. */
export interface RecordSum {
  readonly add: (text: string) => void;
  readonly sum: () => ReadRecords;
}

const placeOf = ({ event, isAdopted, isOverdue }: ParsedRecord): keyof Submission => {
  if (isAdopted === true) return "adopted";
  return isOverdue === true ? "overdue" : event;
};

/** An answer is a fact, and an adoption a guess: what adopted an answered job is open again. */
const openContradicted = (submissions: Iterable<Submission>): void => {
  const all = [...submissions];
  const guesses = all.filter(({ accepted, adopted }) => adopted && !accepted);
  if (guesses.length === 0) return;
  const answered = new Map(all.map((submission) => [submission.accepted?.jobId, submission]));
  for (const guess of guesses) {
    const owner = answered.get(guess.adopted?.jobId);
    if (owner === undefined) continue;
    owner.isContested = true;
    for (const event of ["adopted", "finished", "overdue", "acknowledged"] as const) {
      delete guess[event];
    }
  }
};

/** Adds records up. Their order does not matter, because each event has a place of its own. */
export const createRecordSum = (): RecordSum => {
  const submissions = new Map<string, Submission>();
  const damaged: string[] = [];
  let settled = 0;
  return {
    add(text) {
      const record = parseRecord(text);
      if (record === undefined) {
        damaged.push(text);
        return;
      }
      const { id, at } = record;
      const submission = submissions.get(id) ?? { id, lastAt: 0 };
      submissions.set(id, submission);
      Object.assign(submission, { [placeOf(record)]: record });
      submission.lastAt = Math.max(submission.lastAt, Date.parse(at) || 0);
      if (submission.intent === undefined || !isSettled(submission)) return;
      // Large journals hold little else, and a settled request is told to no one.
      delete submission.intent;
      settled++;
    },
    sum() {
      openContradicted(submissions.values());
      return { submissions, damaged, settled };
    },
  };
};

/** Gives the job of a submission. */
export const jobOf = ({ accepted, adopted }: Submission): string | undefined =>
  (accepted ?? adopted)?.jobId;

/** Adds the events of a submission up. A job outweighs an earlier failure. */
export const stateOf = (submission: Submission): SubmissionState => {
  const { failed, finished, overdue, dismissed, acknowledged } = submission;
  if (acknowledged || dismissed) return "closed";
  if (jobOf(submission) !== undefined) return finished || overdue ? "finished" : "waiting";
  return failed && failed.outcome !== "unknown" ? "closed" : "unknown";
};

/** Tells whether only the job's id is still of use. An adoption may be opened again. */
export const isSettled = (submission: Submission): boolean =>
  stateOf(submission) === "closed" && submission.adopted === undefined;

/** Gives the facts of a submission, as callers get them. */
export const factsOf = (submission: Submission): SubmissionOnRecord => {
  const { id, intent, accepted, failed } = submission;
  return {
    id,
    submittedAt: (intent ?? accepted ?? failed)?.at ?? new Date(submission.lastAt).toISOString(),
    request: intent?.request ?? {},
    // Records hold the action as it was sent; the service says whether it supports it.
    ...(intent && { action: intent.action as Action }),
    ...(intent?.digest !== undefined && { digest: intent.digest }),
    ...(intent?.origin !== undefined && { origin: intent.origin }),
  };
};
