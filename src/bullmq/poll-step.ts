import { DelayedError, type Job as QueuedJob, UnrecoverableError } from "bullmq";
import type { AdGenClient } from "../client.ts";
import type { Action } from "../contract/actions.ts";
import type { FinishedJob } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { type AdvanceContext, advance, firstPollAt, isLastPoll } from "../polling/advance.ts";
import { resolvePollOptions } from "../polling/poll-options.ts";
import { beginTicket, type PollTicket } from "../polling/poll-ticket.ts";
import { lastPollMs, readJob } from "../polling/read-job.ts";
import type { LearnedDurations } from "../polling/schedule/durations.ts";
import { tellWait } from "../polling/wait-errors.ts";
import type { Brakes } from "./brakes.ts";
import { recordError } from "./error-record.ts";
import type { SubmissionRecord } from "./records.ts";
import type { SharedDurations } from "./shared-durations.ts";
import type { LookData } from "./submission.ts";

/** Parts of a worker that its polls use. */
export interface PollSetting {
  readonly client: AdGenClient;
  readonly brakes: Brakes;
  readonly learned: LearnedDurations;
  readonly durations: SharedDurations;
  /** Time for the whole wait, in milliseconds. */
  readonly timeoutMs: number;
  readonly targetDelayMs: number | undefined;
}

/** A poll asks so often whether a wait that the service has asked for is still to be obeyed. */
const longestHoldMs = 60_000;

/** Time for one poll, in milliseconds. A poll holds a place in its worker. */
const pollTimeoutMs = 10_000;

/** Gives the wait from the submission's answer to the first poll, in milliseconds. */
export type FirstWait = (record: SubmissionRecord) => number;

/** Makes the processor of polls: each run polls once, and gives its place in the worker back. */
export const createPollStep = (setting: PollSetting) => {
  const { client, brakes, learned, durations, timeoutMs, targetDelayMs } = setting;
  const config = resolvePollOptions("startJobWorker", { timeoutMs, targetDelayMs });
  const contextAt = (now: number): AdvanceContext => ({ now, config, durations: learned });

  /** Begins the wait for a job. Fleets before this version kept no ticket. */
  const beginWait = ({ jobId, action, submittedAt, waitingSince }: LookData): PollTicket => {
    const now = waitingSince || Date.now();
    return { ...beginTicket(jobId, { now, timeoutMs, action, submittedAt }), jobId };
  };

  /** Ends the wait with an error. A retry of the BullMQ job waits anew. Always throws. */
  const giveUp = async (
    job: QueuedJob<LookData>,
    ticket: PollTicket,
    error: AnyAdGenError,
  ): Promise<never> => {
    const told = recordError(tellWait(ticket, Date.now(), error));
    await job.updateData({ ...job.data, waitingSince: 0, ticket: undefined, error: told });
    throw new UnrecoverableError(error.message);
  };

  /** Puts the job away until its next poll. Always throws. */
  const pollLater = async (
    job: QueuedJob<LookData>,
    token: string,
    ticket: PollTicket,
    pollAt: number,
  ): Promise<never> => {
    const { error: _, ...data } = job.data;
    await job.updateData({ ...data, ticket });
    const status = ticket.lastJob?.status;
    if (status !== undefined && status !== job.data.ticket?.lastJob?.status) {
      await job.updateProgress({ status, looks: ticket.polls });
    }
    await job.moveToDelayed(Math.min(pollAt, Math.max(ticket.deadlineAt, Date.now())), token);
    throw new DelayedError();
  };

  const poll = async (job: QueuedJob<LookData>, token = ""): Promise<FinishedJob> => {
    await durations.learn();
    const before = job.data.ticket ?? beginWait(job.data);
    const askedAt = Date.now();
    const isLast = isLastPoll(before, askedAt);
    const brakeMs = isLast ? 0 : await brakes.leftMs();
    if (brakeMs > 0) {
      return pollLater(job, token, before, askedAt + Math.min(brakeMs, longestHoldMs));
    }
    // The client checks the result by its schema for the action.
    const { jobId, action } = job.data;
    const ref = { job_id: jobId, action: action as Action };
    const leftMs = before.deadlineAt - askedAt;
    const totalTimeoutMs = isLast
      ? lastPollMs(before.deadlineAt - before.startedAt)
      : Math.min(pollTimeoutMs, leftMs);
    const seen = await readJob(client.jobs, ref, { askedAt, totalTimeoutMs });
    const { code, contentType, status } = seen.error ?? {};
    // A page of a proxy says nothing about the key.
    if (seen.error && code === "unauthorized" && contentType === undefined) {
      return brakes.paused(seen.error, job, token);
    }
    const now = Date.now();
    const step = advance(before, seen, contextAt(now));
    if (step.duration) await durations.tell(action, step.duration);
    if (step.job) return step.job as FinishedJob;
    const ticket = { ...step.ticket, jobId };
    if (step.error) return giveUp(job, ticket, step.error);
    const { pollAt = now } = step;
    if (seen.error === undefined || status !== 429) return pollLater(job, token, ticket, pollAt);
    await brakes.slow(seen.error, before.failedPolls);
    return pollLater(job, token, ticket, Math.min(pollAt, now + longestHoldMs));
  };

  /** A last poll is made at the deadline, whatever the service asks for. */
  const firstWait: FirstWait = ({ jobId = "", action, submittedAt, retryAfterMs }) => {
    const now = Date.now();
    const ticket = beginTicket(jobId, { now, timeoutMs, action, submittedAt });
    return Math.min(firstPollAt(ticket, retryAfterMs, contextAt(now)) - now, timeoutMs);
  };

  return { poll, firstWait };
};
