import type { Job } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import type { JobRef } from "../resources/job-ref.ts";
import type { FailureWatch } from "./failed-looks.ts";
import type { PollConfig } from "./poll-options.ts";
import type { LearnedDurations } from "./schedule/durations.ts";

/** One wait for one job. Times are of the scheduler's clock. */
export interface Wait {
  readonly ref: JobRef;
  /** Absent where the reference holds none that can be used: the first look refuses it. */
  readonly id: string | undefined;
  readonly config: PollConfig;
  readonly durations: LearnedDurations;
  readonly gate: Gate;
  /** It rests after each job that it sees, until somebody asks for the next. */
  readonly isStepwise: boolean;
  readonly startedAt: number;
  readonly deadlineAt: number;
  /** Time of the submission's answer; the start of the wait, where it is not known. */
  readonly bornAt: number;
  /** The job's duration counts from `bornAt`. */
  isBirthKnown: boolean;
  action: string | undefined;
  /** The next planned look; the deadline may come first. */
  nextAt: number;
  looks: number;
  /** Requests that were made for this wait. */
  attempts: number;
  /** Looks in a row that showed no state of the job. */
  blindLooks: number;
  failures: FailureWatch | undefined;
  lastJob: Job | undefined;
  lookedAt: number;
  /** The last time at which the job was known to go on, from its birth. */
  unfinishedMs: number;
  /** The time at which a list showed the job finished, from its birth. */
  finishedMs: number | undefined;
  place: "resting" | "line" | "look" | "list";
  /** Since when it has been in line, or in a list. */
  askedAt: number;
  list: ListLook | undefined;
  /** The list does not show the job, or shows it otherwise: it is looked at singly. */
  isUnlisted: boolean;
  wasWoken: boolean;
  stopListening: (() => void) | undefined;
  /** A wait by steps has seen its job for the last time, unfinished at the deadline. */
  ending: AnyAdGenError | undefined;
  resolve: (job: Job) => void;
  reject: (error: unknown) => void;
}

/** Lets a number of looks be under way at once; the other waits stand in line. */
export interface Gate {
  /** Number of looks that may still begin. */
  free: number;
  /** First come, first served. */
  readonly line: Set<Wait>;
}

/** One look at the service's list of jobs, for many waits. */
export interface ListLook {
  /** Waits that need its answer. */
  readonly waits: Set<Wait>;
  readonly controller: AbortController;
  /** Its waits are at their deadline. */
  readonly isLast: boolean;
  readonly startedAt: number;
  /** Latest time at which it must have ended. */
  readonly endsAt: number;
  /** The wait that finds out by a look of its own whether the list is right. */
  probe?: Wait | undefined;
  /** Called with that look; without one when its wait was left. */
  endProbe?: (seen?: Look) => void;
}

/** Sight of a look: the job, or the reason why there is none. */
export interface Look {
  readonly job?: Job | undefined;
  readonly failure?: AnyAdGenError | undefined;
  readonly retryAfterMs?: number | undefined;
  /** When it began. */
  readonly askedAt: number;
  /** It was the one that precedes the deadline's error. */
  readonly isLast: boolean;
}
