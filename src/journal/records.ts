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
  | { readonly event: "accepted"; readonly jobId: string }
  | {
      readonly event: "failed";
      readonly outcome: Outcome;
      readonly code: ErrorCode | undefined;
      /** Id that the broken answer named. */
      readonly jobId?: string | undefined;
    }
  | { readonly event: "finished" }
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
  failed?: Stamped<"failed">;
  finished?: Stamped<"finished">;
  dismissed?: Stamped<"dismissed">;
  acknowledged?: Stamped<"acknowledged">;
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
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

/** Reads a record; gives `undefined` for a text that is none. */
const parseRecord = (text: string): ParsedRecord | undefined => {
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
}

/** Adds records up. Their order does not matter, because each event has a place of its own. */
export const readRecords = (texts: Iterable<string>): ReadRecords => {
  const submissions = new Map<string, Submission>();
  const damaged: string[] = [];
  for (const text of texts) {
    const record = parseRecord(text);
    if (record === undefined) {
      damaged.push(text);
      continue;
    }
    const { id, event, at } = record;
    const submission = submissions.get(id) ?? { id, lastAt: 0 };
    submissions.set(id, submission);
    Object.assign(submission, { [event]: record });
    submission.lastAt = Math.max(submission.lastAt, Date.parse(at) || 0);
  }
  return { submissions, damaged };
};

/** Adds the events of a submission up. An adopted job outweighs an earlier failure. */
export const stateOf = (submission: Submission): SubmissionState => {
  const { accepted, failed, finished, dismissed, acknowledged } = submission;
  if (acknowledged || dismissed) return "closed";
  if (accepted) return finished ? "finished" : "waiting";
  return failed && failed.outcome !== "unknown" ? "closed" : "unknown";
};

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

/** Time for which ended submissions stay on record: a week. */
export const keptAfterEndMs = 7 * 24 * 3_600_000;

/** Tells whether a submission ended so long ago that no one needs its records. */
export const mayBeForgotten = (submission: Submission, now: number): boolean => {
  const state = stateOf(submission);
  const isOver = state === "closed" || state === "finished";
  return isOver && now - submission.lastAt > keptAfterEndMs;
};
