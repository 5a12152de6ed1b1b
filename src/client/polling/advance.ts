/*
 * Waiting for jobs: one loop, and the pure functions that decide when to poll and when to stop.
 * This folder imports http and what lies below it, and reads jobs only through an object with a
 * `get` method.
 */

import { isFinishedStatus, isJobStatus, type Job } from "../../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { medianOf, minimumOf } from "./durations.ts";
import { classifyFailure, countFailure, hasLasted, notFoundToleranceMs } from "./failures.ts";
import type { PollConfig } from "./poll-options.ts";
import { actionIn, ageOf, type WaitTicket } from "./poll-ticket.ts";
import { addWaitFacts, deadlineError } from "./wait-errors.ts";

/** The result of a poll: the job, or the error. */
export interface PollResult {
  readonly job?: Job | undefined;
  readonly error?: AnyAdGenError | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly askedAt: number;
}

export interface AdvanceContext {
  readonly now: number;
  readonly config: PollConfig;
  /** How long the last jobs of this action took. */
  readonly durations?: readonly number[];
}

/** The step after a poll: the end of the wait, or the next poll. */
export interface WaitStep {
  readonly ticket: WaitTicket;
  /** The job, as the poll showed it. */
  readonly job?: Job | undefined;
  readonly error?: AnyAdGenError;
  /** Time of the next poll, not cut to the deadline. Absent if the wait has ended. */
  readonly pollAt?: number;
}

/** Tolerance for timers that fire a little before the deadline. */
const almostMs = 1;

/** Whether a poll that begins now is the last one before the deadline's error. */
export const isLastPoll = ({ deadlineAt }: WaitTicket, now: number): boolean =>
  deadlineAt - now < almostMs;

export const lastPollMs = ({ startedAt, deadlineAt }: WaitTicket): number =>
  Math.min(5_000, Math.max(500, (deadlineAt - startedAt) / 4));

/** A longer `Retry-After` beside an unfinished job is taken for a mistake, and ignored. */
const plausibleRetryAfterMs = 60_000;

/** Number of polls that may follow each other without a gap, if options or the service say so. */
const promptPolls = 20;

/** Minimum gap between later polls, so that no option can cause a busy loop. */
export const minWaitMs = 100;

const defaultIntervalMs = 2_000;
const defaultMaxIntervalMs = 10_000;
/**
 * Older jobs are polled less often: the end of a job is noticed late by at most a tenth of its age.
 */
const partOfAge = 0.1;

const firstBackOffMs = 1_000;
const growth = 1.5;

/** The jitter keeps many clients from polling at the same moment. */
const jitter = 0.2;

/**
 * Returns the time to the next poll: by the job's age, or growing after failures and in a forced
 * pace.
 */
const paceOf = ({ intervalMs, maxIntervalMs }: PollConfig, steps: number, ageMs: number) => {
  const firstMs = intervalMs ?? firstBackOffMs;
  const maxMs = maxIntervalMs ?? Math.max(defaultMaxIntervalMs, firstMs);
  const plainMs =
    steps > 0
      ? // Start at one millisecond or more, because zero wouldn't grow.
        Math.max(1, firstMs) * growth ** (steps - 1)
      : Math.max(defaultIntervalMs, partOfAge * ageMs);
  return Math.min(plainMs, maxMs) * (1 + jitter * (2 * Math.random() - 1));
};

/**
 * The spread of first polls, so that jobs submitted together aren't all polled at the same moment.
 */
const spread = 0.1;

/**
 * Returns the time until the quickest of the last jobs of its action would have finished. Earlier
 * polls are useless.
 */
const earlyMs = ({ submittedAt }: WaitTicket, { config, now, durations }: AdvanceContext) =>
  submittedAt === undefined || config.intervalMs !== undefined
    ? 0
    : Math.min(
        submittedAt + minimumOf(durations ?? []) * (1 + spread * Math.random()) - now,
        config.maxIntervalMs ?? Number.POSITIVE_INFINITY,
      );

/** Returns the time to the next poll, with what the service asked for. */
const waitAfter = (
  ticket: WaitTicket,
  { job, error, retryAfterMs }: Pick<PollResult, "job" | "error" | "retryAfterMs">,
  context: AdvanceContext,
): number => {
  const { polls, failedPolls, deadlineAt } = ticket;
  const { config, now } = context;
  const steps = config.intervalMs !== undefined ? Math.max(1, polls) : failedPolls;
  const paceMs = Math.max(paceOf(config, steps, ageOf(ticket, now)), earlyMs(ticket, context));
  const isPrompt = polls <= promptPolls;
  const ownMs = isPrompt ? paceMs : Math.max(minWaitMs, paceMs);
  if (retryAfterMs === undefined) return ownMs;
  if (error === undefined && (job === undefined || isJobStatus(job.status))) {
    // The service knows its job best, so its wait, even a wait of zero, replaces the interval.
    if (retryAfterMs > plausibleRetryAfterMs) return ownMs;
    return isPrompt ? retryAfterMs : Math.max(ownMs, retryAfterMs);
  }
  // After a failure, the service's wait may only lengthen ours. A wait beyond the deadline is cut
  // short, because the job may finish long before. A rate limit is kept, because it is about this
  // caller.
  const leftMs = deadlineAt - now;
  const isKept = error?.status === 429 || retryAfterMs < leftMs;
  return Math.max(ownMs, isKept ? retryAfterMs : Math.min(plausibleRetryAfterMs, leftMs / 4));
};

/** Returns how long the job may take, or `undefined` if nobody knows. */
export const expectedMsOf = ({ config, durations = [] }: AdvanceContext): number | undefined =>
  config.expectedMs ?? medianOf(durations);

/** Returns the time of the first poll. A job that was just submitted is not polled at once. */
export const firstPollAt = (
  ticket: WaitTicket,
  retryAfterMs: number | undefined,
  context: AdvanceContext,
): number => {
  const { submittedAt } = ticket;
  if (submittedAt === undefined || context.config.intervalMs !== undefined) return context.now;
  const begun = { ...context, now: submittedAt };
  return Math.max(context.now, submittedAt + Math.ceil(waitAfter(ticket, { retryAfterMs }, begun)));
};

/**
 * Decides after a poll: the wait ends, or the next poll has a time. Every rule of waiting is here
 * or in the pure functions that it calls. Nothing is sent, slept or recorded here.
 */
export const advance = (
  before: WaitTicket,
  seen: PollResult,
  context: AdvanceContext,
): WaitStep => {
  const { job, error, askedAt } = seen;
  const { now } = context;
  const elapsedMs = now - before.startedAt;
  const verdict = error && classifyFailure(error, before.lastJob !== undefined, elapsedMs);
  const failure =
    error && verdict === "lasting" ? countFailure(before.failure, error, elapsedMs) : undefined;
  const ticket: WaitTicket = {
    ...before,
    polls: before.polls + 1,
    requests: before.requests + (job === undefined ? (error?.attempts ?? 0) : 1),
    failedPolls: job !== undefined && isJobStatus(job.status) ? 0 : before.failedPolls + 1,
    failure,
    action: before.action ?? actionIn(job),
    lastJob: job ?? before.lastJob,
    expectedMs: before.expectedMs ?? expectedMsOf(context),
  };
  if (error && (verdict === "fatal" || (failure && hasLasted(failure, elapsedMs)))) {
    return { ticket, error: addWaitFacts(ticket, now, error) };
  }
  if (job && isFinishedStatus(job.status)) return { ticket, job };
  if (isLastPoll(before, askedAt)) return { ticket, job, error: deadlineError(ticket, now, error) };
  const waitMs = waitAfter(ticket, seen, context);
  // Poll once more when the time for which a 404 is waited out ends.
  const mayAppear = error?.code === "not_found" && elapsedMs < notFoundToleranceMs;
  const limitMs = mayAppear ? notFoundToleranceMs - elapsedMs : Number.POSITIVE_INFINITY;
  return { ticket, job, pollAt: now + Math.ceil(Math.min(waitMs, limitMs)) };
};
