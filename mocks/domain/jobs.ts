import { type Action, creditOfAction } from "../../src/contract/actions.ts";
import { assumedMessages } from "../../src/contract/error-messages.ts";
import { type JobStatus, maxVariations } from "../../src/contract/jobs.ts";
import { timestamp } from "./clock.ts";
import { canPay, charge, refund } from "./credits.ts";
import { Fault } from "./fault.ts";
import {
  expiresAt,
  isFinished,
  type JobRecord,
  type JobState,
  jobStateAt,
} from "./job-timeline.ts";
import { defaultDurationSeconds, maxDurationSeconds, priceOf } from "./prices.ts";
import { type JobResult, makeResult } from "./results.ts";
import { type Context, nextId } from "./state.ts";

/** What a submission carries, its fields of the right types but not yet in their limits. */
export interface Submission {
  readonly action: Action;
  readonly prompt?: string;
  readonly variations?: number;
  readonly duration?: number;
}

/** A job as the service shows it. @assumed A3 */
export interface JobView {
  readonly job_id: string;
  readonly status: JobStatus;
  readonly action: Action;
  readonly created_at: string;
  /** Only of a completed job. @assumed A9 */
  readonly result?: JobResult;
  /** Only of a failed job. @assumed A8 */
  readonly error?: string;
}

/** A job, and how long until it may look different; absent when it has finished. */
export interface Look {
  readonly job: Pick<JobView, "job_id" | "status">;
  readonly nextChangeMs: number | undefined;
}

/** Longer prompts are only quoted in part by the results. */
const quotedLength = 80;

const requireVariations = (variations = 1): number => {
  if (Number.isInteger(variations) && variations >= 1 && variations <= maxVariations) {
    return variations;
  }
  const reason = `expected an integer from 1 to ${maxVariations}`;
  throw new Fault(400, assumedMessages.invalidParameter("variations", reason));
};

const requireDuration = (duration = defaultDurationSeconds): number => {
  if (duration > 0 && duration <= maxDurationSeconds) return duration;
  const reason = `expected seconds, more than 0 and at most ${maxDurationSeconds}`;
  throw new Fault(400, assumedMessages.invalidParameter("duration", reason));
};

const lookAt = (job: JobRecord, { rules, now }: Context): JobState => {
  const state = jobStateAt(job, rules.timeline, now);
  job.seenAt = Math.max(job.seenAt, now);
  return state;
};

const show = (job: JobRecord, { status, error }: JobState): JobView => ({
  job_id: job.id,
  status,
  action: job.action,
  created_at: timestamp(job.submittedAt),
  ...(status === "completed" && { result: makeResult(job) }),
  ...(error !== undefined && { error }),
});

const payBack = ({ account }: Context, job: JobRecord, at: number): void => {
  if (job.charge && account.refundable.delete(job)) refund(account, at, job.charge);
};

/**
 * Pays back the jobs that have expired since anybody looked: an expiry is a moment that no
 * code runs at, so this comes before every use of the balances.
 */
export const settleRefunds = (context: Context): void => {
  for (const job of context.account.refundable) {
    const state = jobStateAt(job, context.rules.timeline, context.now);
    // The oldest expires first: while it may still finish, so may all the others.
    if (!isFinished(state)) return;
    if (state.expired) payBack(context, job, expiresAt(job));
    context.account.refundable.delete(job);
  }
};

export const submitJob = (context: Context, submission: Submission): Look => {
  const { account, rules, now } = context;
  const { action, prompt = "" } = submission;
  const variations = requireVariations(submission.variations);
  const duration =
    creditOfAction[action] === "video" ? requireDuration(submission.duration) : undefined;
  const price = priceOf(action, variations, duration, rules.videoPrices);

  settleRefunds(context);
  if (price && !canPay(account, price.credit, price.amount)) {
    throw new Fault(402, assumedMessages.insufficientCredits);
  }

  const id = nextId(account, "job");
  const job: JobRecord = {
    id,
    action,
    prompt: prompt.slice(0, quotedLength),
    variations,
    duration,
    submittedAt: now,
    looks: 0,
    seenAt: now,
  };
  if (price && price.amount > 0) {
    job.charge = charge(account, now, price.credit, price.amount, id);
    if (rules.refundFailedJobs) account.refundable.add(job);
  }
  account.jobs.set(job);

  // Documented: a new job is queued, even where the timeline has it further at once.
  const { status, nextChangeMs } = jobStateAt(job, rules.timeline, now);
  return {
    job: { job_id: id, status: "queued" },
    nextChangeMs: status === "queued" ? nextChangeMs : 0,
  };
};

/** One look at a job; by the "per-look" timeline it moves the job on. */
export const getJob = (context: Context, id: string): Look => {
  const job = context.account.jobs.get(id);
  if (job === undefined) throw new Fault(404, assumedMessages.jobNotFound);
  if (!isFinished(lookAt(job, context))) job.looks += 1;
  const state = jobStateAt(job, context.rules.timeline, context.now);
  if (state.expired && context.rules.expiry === "not-found") {
    throw new Fault(404, assumedMessages.jobNotFound);
  }
  return { job: show(job, state), nextChangeMs: state.nextChangeMs };
};

/** Newest first; moves nothing on. */
export const listJobs = (context: Context, limit: number): JobView[] =>
  context.account.jobs.list(limit, (job) => {
    const state = lookAt(job, context);
    const gone = state.expired && context.rules.expiry === "not-found";
    return gone ? undefined : show(job, state);
  });

/** Makes an unfinished job fail; `false` when it has finished already. */
export const failJob = (context: Context, job: JobRecord, reason: string): boolean => {
  settleRefunds(context);
  if (isFinished(lookAt(job, context))) return false;
  job.failure = reason;
  payBack(context, job, context.now);
  return true;
};
