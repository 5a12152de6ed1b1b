import type { Action } from "../../src/contract/actions.ts";
import { type JobStatus, jobExpiryMs } from "../../src/contract/jobs.ts";
import { drawMs, type Span } from "../seeded/draw.ts";
import type { LedgerEntry } from "./credits.ts";
import { assumedMessages } from "./messages.ts";

/** So many milliseconds in each state. `Infinity` keeps a job there until it expires. */
export interface TimedPace {
  /** How long it is queued. */
  readonly queuedMs: Span;
  /** How long it is processed after that. */
  readonly processingMs: Span;
}

/** How jobs of one action get on: one state with each look at them, or by the clock. */
export type Pace = "per-look" | TimedPace;

/**
 * How jobs get on: one state with each look at them, so many milliseconds in each state, or
 * another pace for each action.
 */
export type Timeline =
  | Pace
  | ({ readonly [A in Action]?: Pace } & {
      /** For the actions that are left out. @default "per-look" */
      readonly default?: Pace;
    });

/** How a job will end, decided before it began. */
export interface PlannedEnd {
  readonly fail?: string;
  readonly result?: unknown;
  readonly takesMs?: number;
}

/** How a job was ended from outside. */
export type ForcedEnd =
  | { readonly status: "completed"; readonly result?: unknown }
  | { readonly status: "failed"; readonly error: string }
  | { readonly status: "expired" };

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
  /** How the brand that it was made for looked then. */
  readonly brand?: { readonly name: string; readonly colors: readonly string[] };
  readonly planned?: PlannedEnd;
  /** The ledger entry that paid it; absent when it was free. */
  charge?: LedgerEntry;
  /** Set when it was paid back. */
  refunded?: true;
  /** How often it was asked for while it was unfinished. */
  looks: number;
  /** The latest time anybody saw it: a system clock that is set back must not undo a state. */
  seenAt: number;
  forced?: ForcedEnd;
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

const forcedState = (forced: ForcedEnd): JobState => {
  if (forced.status === "expired") return expired;
  return forced.status === "failed" ? { status: "failed", error: forced.error } : completed;
};

const finishedState = ({ planned }: JobRecord): JobState =>
  planned?.fail === undefined ? completed : { status: "failed", error: planned.fail };

interface Times {
  readonly startsAt: number;
  readonly finishesAt: number;
}

/** A tenth of a planned time is spent in the queue. */
const timesOf = (job: JobRecord, pace: Pace): Times | undefined => {
  const { submittedAt, planned, id } = job;
  if (planned?.takesMs !== undefined) {
    const { takesMs } = planned;
    return { startsAt: submittedAt + takesMs / 10, finishesAt: submittedAt + takesMs };
  }
  if (pace === "per-look") return undefined;
  const startsAt = submittedAt + drawMs(pace.queuedMs, `${id}/queued`);
  return { startsAt, finishesAt: startsAt + drawMs(pace.processingMs, `${id}/processing`) };
};

/** A job's state: a function of its record and the time, so that nothing has to run for it. */
export const jobStateAt = (job: JobRecord, pace: Pace, now: number): JobState => {
  if (job.forced !== undefined) return forcedState(job.forced);
  const time = Math.max(now, job.seenAt);
  const expiry = expiresAt(job);
  const times = timesOf(job, pace);

  if (times === undefined) {
    if (job.looks >= 2) return finishedState(job);
    if (time >= expiry) return expired;
    return { status: job.looks === 0 ? "queued" : "processing", nextChangeMs: 0 };
  }

  const { startsAt, finishesAt } = times;
  if (time >= finishesAt && finishesAt <= expiry) return finishedState(job);
  if (time >= expiry) return expired;
  const [status, until] =
    time < startsAt ? (["queued", startsAt] as const) : (["processing", finishesAt] as const);
  return { status, nextChangeMs: Math.min(until, expiry) - time };
};

/** When a job fails by itself, as far as can be told; `undefined` when it will complete. */
export const failsAt = (job: JobRecord, pace: Pace): number | undefined => {
  const times = timesOf(job, pace);
  const expiry = expiresAt(job);
  if (times === undefined || times.finishesAt > expiry) return expiry;
  return job.planned?.fail === undefined ? undefined : times.finishesAt;
};
