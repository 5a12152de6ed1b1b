import type { Action } from "../../src/contract/actions.ts";
import { type JobStatus, jobExpiryMs } from "../../src/contract/jobs.ts";
import type { LedgerEntry } from "./credits.ts";
import { drawMs, type Span } from "./draw.ts";
import { assumedMessages } from "./messages.ts";

/** Milliseconds that a job spends in each state. `Infinity` keeps it there until it expires. @inline */
export interface TimedPace {
  /** Milliseconds for which it is queued. */
  readonly queuedMs: Span;
  /** Milliseconds for which it is processing, after that. */
  readonly processingMs: Span;
}

/** How fast the jobs of one action progress: by one state with each poll, or by the clock. */
export type Pace = "per-poll" | TimedPace;

/**
 * How fast jobs progress: all at one pace, or each action at its own.
 */
export type Timeline =
  | Pace
  | ({ readonly [A in Action]?: Pace } & {
      /** Pace of the actions that are not named. @default "per-poll" */
      readonly default?: Pace;
    });

/** How a job ends, as a test decides it. */
export interface JobOutcome {
  /** The job's `error`: it fails when its time is over. It can't be combined with `result`. */
  readonly fail?: string;
  /** The job's result, any JSON: it completes when its time is over. It can't be combined with `fail`. */
  readonly result?: unknown;
  /**
   * Milliseconds that the job takes, zero or more, whatever the timeline says. A job expires if it takes
   * more than 30 minutes, or `Infinity`.
   */
  readonly takesMs?: number;
}

/** How a test ends a job that has already begun. */
export type ForcedEnd =
  | { readonly status: "completed"; readonly result?: unknown }
  | { readonly status: "failed"; readonly error: string }
  | { readonly status: "expired" };

/** The facts that a job's result is made from. */
export interface MadeFrom {
  readonly id: string;
  readonly action: Action;
  readonly prompt: string;
  readonly variations: number;
  /** In seconds. Only videos have a duration. */
  readonly duration: number | undefined;
  /** Name of its brand. */
  readonly brand?: string;
}

/** The facts about a job. Its state and its result are computed from them. */
export interface JobRecord extends MadeFrom {
  /** Body of the submission. `prompt` refers to the same string, so it takes no more memory. */
  readonly request: Readonly<Record<string, unknown>>;
  readonly submittedAt: number;
  readonly scheduledEnd?: JobOutcome;
  /** The ledger entry that paid for it; absent for a free job. */
  charge?: LedgerEntry;
  /** Present after a refund. */
  refunded?: true;
  /** Number of polls before it finished. */
  polls: number;
  /** Time of submission in ISO 8601. It is cached, because a list formats many of them. */
  createdAt?: string;
  /** Latest time at which it was looked at, so that setting back the system's clock undoes no state. */
  seenAt: number;
  /** State that was shown last; absent while it is "queued". */
  shown?: JobStatus;
  forced?: ForcedEnd;
  /** Time of the poll that started its processing; absent if the clock starts it. */
  startedAt?: number;
  /** Time of the poll or the command that finished it; absent if the clock finishes it. */
  finishedAt?: number;
}

/** The state of a job at some time. */
export interface JobState {
  readonly status: JobStatus;
  /** Reason for the failure. */
  readonly error?: string;
  readonly expired?: true;
  /** Milliseconds until its state may change; zero if the next poll advances it. */
  readonly nextChangeMs?: number;
}

export const isFinished = ({ status }: JobState): boolean =>
  status === "completed" || status === "failed";

export const completedState: JobState = { status: "completed" };

export const expiresAt = (job: JobRecord): number => job.submittedAt + jobExpiryMs;

/** @assumed A10 */
const expired: JobState = { status: "failed", error: assumedMessages.jobExpired, expired: true };

const forcedState = (forced: ForcedEnd): JobState => {
  if (forced.status === "expired") return expired;
  return forced.status === "failed" ? { status: "failed", error: forced.error } : completedState;
};

const finishedState = ({ scheduledEnd }: JobRecord): JobState =>
  scheduledEnd?.fail === undefined
    ? completedState
    : { status: "failed", error: scheduledEnd.fail };

/** Returns whether polls advance a job, and not the clock. */
export const movesByPolls = ({ scheduledEnd }: JobRecord, pace: Pace): boolean =>
  pace === "per-poll" && scheduledEnd?.takesMs === undefined;

/**
 * Computes when a job starts and finishes; `undefined` if polls decide. With a scheduled `takesMs`, the job
 * is queued for a tenth of that time.
 */
const timesOf = (job: JobRecord, pace: Pace) => {
  const { submittedAt, scheduledEnd, id } = job;
  if (scheduledEnd?.takesMs !== undefined) {
    const { takesMs } = scheduledEnd;
    return { startsAt: submittedAt + takesMs / 10, finishesAt: submittedAt + takesMs };
  }
  if (pace === "per-poll") return undefined;
  const startsAt = submittedAt + drawMs(pace.queuedMs, `${id}/queued`);
  return { startsAt, finishesAt: startsAt + drawMs(pace.processingMs, `${id}/processing`) };
};

/** Computes a job's state from its record and the time, so that no job needs a timer. */
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

/** Returns the time at which a job fails by itself; `undefined` if it will complete. */
export const failsAt = (job: JobRecord, pace: Pace): number | undefined => {
  const endsAt = Math.min(timesOf(job, pace)?.finishesAt ?? Infinity, expiresAt(job));
  return jobStateAt(job, pace, endsAt).status === "failed" ? endsAt : undefined;
};

/** Times at which a job changed its state, in milliseconds since 1970. */
export interface JobTimes {
  /** Time at which its processing started; `undefined` if it hasn't. */
  readonly startedAt: number | undefined;
  /** Time at which it completed or failed; `undefined` while it is unfinished. */
  readonly finishedAt: number | undefined;
}

/** Computes the times of a job, as far as they have passed. */
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
