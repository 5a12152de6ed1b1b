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
      /** Absent in records of 0.8 and earlier, which count for any job. */
      readonly jobId?: string | undefined;
      /** A process has found the submission finished for more than a week. */
      readonly isOverdue?: true;
    }
  | { readonly event: "dismissed" }
  | { readonly event: "acknowledged"; readonly jobId?: string | undefined };

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
  adoptions?: Stamped<"accepted">[];
  /** The latest adoption that no answer contradicts. */
  adopted?: Stamped<"accepted">;
  failed?: Stamped<"failed">;
  /** Ends of its jobs: each that it adopted may have some. */
  ends?: Stamped<"finished" | "acknowledged">[];
  dismissed?: Stamped<"dismissed">;
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
  readonly jobId?: string;
  readonly isAdopted?: unknown;
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

const place = (submission: Submission, record: ParsedRecord): void => {
  const { event, isAdopted } = record;
  if (isAdopted === true) {
    submission.adoptions ??= [];
    submission.adoptions.push(record as Stamped<"accepted">);
  } else if (event === "finished" || event === "acknowledged") {
    submission.ends ??= [];
    submission.ends.push(record as Stamped<typeof event>);
  } else {
    Object.assign(submission, { [event]: record });
  }
};

const orderOf = ({ at, jobId }: Stamped<"accepted">): string => at + jobId;

/** An answer is a fact, and an adoption a guess: what adopted an answered job is open again. */
const openContradicted = (submissions: Iterable<Submission>): void => {
  const all = [...submissions];
  const guesses = all.filter(({ accepted, adoptions }) => adoptions && !accepted);
  if (guesses.length === 0) return;
  const answered = new Map(all.map((submission) => [submission.accepted?.jobId, submission]));
  for (const guess of guesses) {
    delete guess.adopted;
    for (const adoption of guess.adoptions ?? []) {
      const owner = answered.get(adoption.jobId);
      if (owner !== undefined) owner.isContested = true;
      else if (!guess.adopted || orderOf(adoption) > orderOf(guess.adopted)) {
        guess.adopted = adoption;
      }
    }
  }
};

/** Adds records up. Their order does not matter: each event has a place, or adds to a list. */
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
      place(submission, record);
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

/** Gives the record that ends the submission's job so. The ends of other jobs do not count. */
export const endOf = (
  submission: Submission,
  end: "finished" | "overdue" | "acknowledged",
): Stamped<"finished" | "acknowledged"> | undefined => {
  const own = jobOf(submission);
  if (own === undefined && submission.adoptions) return undefined;
  return submission.ends?.find((record) => {
    const isOverdue = record.event === "finished" && record.isOverdue === true;
    if ((isOverdue ? "overdue" : record.event) !== end) return false;
    return own === undefined || record.jobId === undefined || record.jobId === own;
  });
};

/** Adds the events of a submission up. A job outweighs an earlier failure. */
export const stateOf = (submission: Submission): SubmissionState => {
  const { failed, dismissed } = submission;
  if (dismissed || endOf(submission, "acknowledged")) return "closed";
  if (jobOf(submission) !== undefined) {
    return endOf(submission, "finished") || endOf(submission, "overdue") ? "finished" : "waiting";
  }
  return failed && failed.outcome !== "unknown" ? "closed" : "unknown";
};

/** Tells whether only the job's id is still of use. An adoption, read or to come, may be opened. */
export const isSettled = (submission: Submission): boolean =>
  stateOf(submission) === "closed" &&
  submission.adoptions === undefined &&
  (submission.accepted !== undefined || endOf(submission, "acknowledged") === undefined);

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
