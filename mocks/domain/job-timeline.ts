import type { Action } from "../../src/contract/actions.ts";
import { assumedMessages } from "../../src/contract/error-messages.ts";
import { type JobStatus, jobExpiryMs } from "../../src/contract/jobs.ts";
import type { LedgerEntry } from "./credits.ts";

/**
 * How jobs get on: one state with each look at them, or so many milliseconds in each state.
 * `Infinity` keeps a job in a state until it expires.
 */
export type Timeline = "per-look" | { readonly queuedMs: number; readonly processingMs: number };

/** What is remembered of a job; its state and its result are worked out from it. */
export interface JobRecord {
  readonly id: string;
  readonly action: Action;
  /** Shortened: the results only quote it, and a million jobs must fit into memory. */
  readonly prompt: string;
  readonly variations: number;
  /** Seconds; videos only. */
  readonly duration: number | undefined;
  readonly submittedAt: number;
  /** The ledger entry that paid it; absent when it was free. */
  charge?: LedgerEntry;
  /** How often it was asked for while it was unfinished. */
  looks: number;
  /** The latest time anybody saw it: a system clock that is set back must not undo a state. */
  seenAt: number;
  /** Set when a test made it fail. */
  failure?: string;
}

export interface JobState {
  readonly status: JobStatus;
  /** Why it failed. */
  readonly error?: string;
  readonly expired?: true;
  /** How long until it may look different; zero when the next look moves it on. */
  readonly nextChangeMs?: number;
}

export const isFinished = ({ status }: JobState): boolean =>
  status === "completed" || status === "failed";

const completed: JobState = { status: "completed" };

export const expiresAt = (job: JobRecord): number => job.submittedAt + jobExpiryMs;

/** @assumed A10 */
const expired: JobState = { status: "failed", error: assumedMessages.jobExpired, expired: true };

/** A job's state: a function of its record and the time, so that nothing has to run for it. */
export const jobStateAt = (job: JobRecord, timeline: Timeline, now: number): JobState => {
  if (job.failure !== undefined) return { status: "failed", error: job.failure };
  const time = Math.max(now, job.seenAt);
  const expiry = expiresAt(job);

  if (timeline === "per-look") {
    if (job.looks >= 2) return completed;
    if (time >= expiry) return expired;
    return { status: job.looks === 0 ? "queued" : "processing", nextChangeMs: 0 };
  }

  const startsAt = job.submittedAt + timeline.queuedMs;
  const finishesAt = startsAt + timeline.processingMs;
  if (time >= finishesAt && finishesAt <= expiry) return completed;
  if (time >= expiry) return expired;
  const [status, until] =
    time < startsAt ? (["queued", startsAt] as const) : (["processing", finishesAt] as const);
  return { status, nextChangeMs: Math.min(until, expiry) - time };
};
