import type { Action } from "../../src/contract/actions.ts";
import { type JobStatus, jobExpiryMs } from "../../src/contract/jobs.ts";
import type { LedgerEntry } from "./credits.ts";
import { drawMs, type Span } from "./draw.ts";
import { assumedMessages } from "./messages.ts";

/** Milliseconds in each state. `Infinity` keeps a job there until it expires. @inline */
export interface TimedPace {
  /** Milliseconds in the queue. */
  readonly queuedMs: Span;
  /** Milliseconds of processing after that. */
  readonly processingMs: Span;
}

/** Pace of the jobs of one action: one state with each poll at them, or by the clock. */
export type Pace = "per-poll" | TimedPace;

/**
 * Pace of all jobs: one state with each poll at them, so many milliseconds in each state, or
 * another pace for each action.
 */
export type Timeline =
  | Pace
  | ({ readonly [A in Action]?: Pace } & {
      /** Pace of the actions that are left out. @default "per-poll" */
      readonly default?: Pace;
    });

/** The end of a job, decided before it begins. */
export interface JobEnd {
  readonly fail?: string;
  readonly result?: unknown;
  readonly takesMs?: number;
}

/** The end of a job, forced from outside. */
export type ForcedEnd =
  | { readonly status: "completed"; readonly result?: unknown }
  | { readonly status: "failed"; readonly error: string }
  | { readonly status: "expired" };

/** Facts of a job that its result is made from. */
export interface MadeFrom {
  readonly id: string;
  readonly action: Action;
  readonly prompt: string;
  readonly variations: number;
  /** Seconds; videos only. */
  readonly duration: number | undefined;
  /** Name of its brand. */
  readonly brand?: string;
}

/** The facts about a job; its state and its result are functions of them. */
export interface JobRecord extends MadeFrom {
  /** Body of the submission; `prompt` is the same text in memory. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly submittedAt: number;
  readonly planned?: JobEnd;
  /** The ledger entry that paid it; absent for a free job. */
  charge?: LedgerEntry;
  /** Present after it was paid back. */
  refunded?: true;
  /** Number of times that the client asked for it while it was unfinished. */
  polls: number;
  /** Time of its submission in ISO 8601, kept from the first view, because a list shows many jobs. */
  createdAt?: string;
  /** Time of the latest poll: a system clock that is set back must not undo a state. */
  seenAt: number;
  /** State that the latest poll has shown; absent while that is "queued". */
  shown?: JobStatus;
  forced?: ForcedEnd;
  /** Time of the poll that began its processing; absent when the clock decides that. */
  startedAt?: number;
  /** Time of the poll, or of the force, that finished it; absent when the clock decides that. */
  finishedAt?: number;
}

/** The state of a job at one moment. */
export interface JobState {
  readonly status: JobStatus;
  /** Reason of the failure. */
  readonly error?: string;
  readonly expired?: true;
  /** Milliseconds until it may look different; zero when the next poll moves it on. */
  readonly nextChangeMs?: number;
}

export const isFinished = ({ status }: JobState): boolean =>
  status === "completed" || status === "failed";

export const completed: JobState = { status: "completed" };

export const expiresAt = (job: JobRecord): number => job.submittedAt + jobExpiryMs;

/** @assumed A10 */
const expired: JobState = { status: "failed", error: assumedMessages.jobExpired, expired: true };

const forcedState = (forced: ForcedEnd): JobState => {
  if (forced.status === "expired") return expired;
  return forced.status === "failed" ? { status: "failed", error: forced.error } : completed;
};

const finishedState = ({ planned }: JobRecord): JobState =>
  planned?.fail === undefined ? completed : { status: "failed", error: planned.fail };

/** Tells whether polls move a job on, and not the clock. */
export const movesByPolls = ({ planned }: JobRecord, pace: Pace): boolean =>
  pace === "per-poll" && planned?.takesMs === undefined;

/** Works out the times of a job. It spends a tenth of a planned time in the queue. */
const timesOf = (job: JobRecord, pace: Pace) => {
  const { submittedAt, planned, id } = job;
  if (planned?.takesMs !== undefined) {
    const { takesMs } = planned;
    return { startsAt: submittedAt + takesMs / 10, finishesAt: submittedAt + takesMs };
  }
  if (pace === "per-poll") return undefined;
  const startsAt = submittedAt + drawMs(pace.queuedMs, `${id}/queued`);
  return { startsAt, finishesAt: startsAt + drawMs(pace.processingMs, `${id}/processing`) };
};

/** Works out a job's state from its record and the time, so that no timer has to run for it. */
export const jobStateAt = (job: JobRecord, pace: Pace, now: number): JobState => {
  if (job.forced !== undefined) return forcedState(job.forced);
  const time = Math.max(now, job.seenAt);
  const expiry = expiresAt(job);
  const times = timesOf(job, pace);

  if (times === undefined) {
    if (job.polls >= 2) return finishedState(job);
    if (time >= expiry) return expired;
    return { status: job.polls === 0 ? "queued" : "processing", nextChangeMs: 0 };
  }

  const { startsAt, finishesAt } = times;
  if (time >= finishesAt && finishesAt <= expiry) return finishedState(job);
  if (time >= expiry) return expired;
  const [status, until] =
    time < startsAt ? (["queued", startsAt] as const) : (["processing", finishesAt] as const);
  return { status, nextChangeMs: Math.min(until, expiry) - time };
};

/** Gives the time at which a job fails by itself; `undefined` when it will complete. */
export const failsAt = (job: JobRecord, pace: Pace): number | undefined => {
  const endsAt = Math.min(timesOf(job, pace)?.finishesAt ?? Infinity, expiresAt(job));
  return jobStateAt(job, pace, endsAt).status === "failed" ? endsAt : undefined;
};

/** Times of the past in the life of a job, in milliseconds since 1970. */
export interface JobTimes {
  /** Time at which its processing began; `undefined` when it did not. */
  readonly startedAt: number | undefined;
  /** Time at which it completed or failed; `undefined` when it is unfinished. */
  readonly finishedAt: number | undefined;
}

/** Works out the times of a job, as far as they are past. */
export const jobTimesAt = (job: JobRecord, pace: Pace, now: number): JobTimes => {
  const state = jobStateAt(job, pace, now);
  const times = timesOf(job, pace);
  const present = Math.max(now, job.seenAt);
  const noted = job.forced || times === undefined ? job.finishedAt : undefined;
  const dueAt = state.expired ? expiresAt(job) : (times?.finishesAt ?? job.seenAt);
  const finishedAt = isFinished(state) ? (noted ?? Math.min(dueAt, present)) : undefined;
  const startsAt = times?.startsAt ?? job.startedAt ?? Number.POSITIVE_INFINITY;
  return { startedAt: startsAt <= (finishedAt ?? present) ? startsAt : undefined, finishedAt };
};
