import { type Action, creditOfAction } from "../../src/contract/actions.ts";
import { type JobStatus, maxVariations } from "../../src/contract/jobs.ts";
import { brandLook } from "../seeded/brand-look.ts";
import { makeResult } from "../seeded/results.ts";
import { requireBrand } from "./brands.ts";
import { timestamp } from "./clock.ts";
import { canPay, charge } from "./credits.ts";
import {
  type ForcedEnd,
  isFinished,
  type JobRecord,
  type JobState,
  jobStateAt,
} from "./job-timeline.ts";
import { assumedMessages } from "./messages.ts";
import { defaultDurationSeconds, maxDurationSeconds, priceOf } from "./prices.ts";
import { readPrompt } from "./prompt-directives.ts";
import { Fault } from "./refusal.ts";
import { expectRefund, payBack, settle } from "./settle.ts";
import { type Context, nextId, takeOutcome } from "./state.ts";

/** What a submission carries, its fields of the right types but not yet in their limits. */
export interface Submission {
  readonly action: Action;
  readonly prompt?: string;
  readonly variations?: number;
  readonly duration?: number;
  readonly brand_id?: string;
}

/** A job as the service shows it. @assumed A3 */
export interface JobView {
  /** Identifier of the job. */
  readonly job_id: string;
  /** Its state. */
  readonly status: JobStatus;
  /** What it does. */
  readonly action: Action;
  /** When it was submitted, in ISO 8601. */
  readonly created_at: string;
  /** Only of a completed job. @assumed A9 */
  readonly result?: unknown;
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

const lookAt = (context: Context, job: JobRecord): JobState => {
  const { rules, now } = context;
  const state = jobStateAt(job, rules.paces[job.action], now);
  job.seenAt = Math.max(job.seenAt, now);
  if (state.status === "failed") payBack(context, job, now);
  return state;
};

const resultOf = ({ pictureUrl }: Context, job: JobRecord): unknown => {
  // Copies: who is shown a job cannot change it.
  if (job.forced && "result" in job.forced) return structuredClone(job.forced.result);
  if (job.planned && "result" in job.planned) return structuredClone(job.planned.result);
  return makeResult(job, pictureUrl && ((variation) => pictureUrl(job, variation)));
};

const show = (context: Context, job: JobRecord, { status, error }: JobState): JobView => ({
  job_id: job.id,
  status,
  action: job.action,
  created_at: timestamp(job.submittedAt),
  ...(status === "completed" && { result: resultOf(context, job) }),
  ...(error !== undefined && { error }),
});

export const submitJob = (context: Context, submission: Submission): Look => {
  const { account, rules, now, outcomes } = context;
  const { action, brand_id } = submission;
  const variations = requireVariations(submission.variations);
  const duration =
    creditOfAction[action] === "video" ? requireDuration(submission.duration) : undefined;
  const { prompt, planned } = readPrompt(submission.prompt ?? "");
  const brand = brand_id === undefined ? undefined : requireBrand(account, brand_id);
  const price = priceOf(action, variations, duration, rules.videoPrices);

  settle(context);
  if (price && !canPay(account, price.credit, price.amount)) {
    throw new Fault(402, assumedMessages.insufficientCredits);
  }

  const end = takeOutcome(outcomes, account, action) ?? planned;
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
    ...(brand && { brand: brandLook(brand) }),
    ...(end && { planned: end }),
  };
  if (price && price.amount > 0) {
    job.charge = charge(account, now, price.credit, price.amount, id);
    expectRefund(context, job);
  }
  account.jobs.set(job);

  // Documented: a new job is queued, even where the timeline has it further at once.
  const { status, nextChangeMs } = jobStateAt(job, rules.paces[action], now);
  return {
    job: { job_id: id, status: "queued" },
    nextChangeMs: status === "queued" ? nextChangeMs : 0,
  };
};

const isGone = ({ rules }: Context, { expired }: JobState): boolean =>
  expired === true && rules.expiry === "not-found";

/** One look at a job; by the "per-look" timeline it moves the job on. */
export const getJob = (context: Context, id: string): Look => {
  settle(context);
  const job = context.account.jobs.get(id);
  if (job === undefined) throw new Fault(404, assumedMessages.jobNotFound);
  if (!isFinished(lookAt(context, job))) job.looks += 1;
  const state = lookAt(context, job);
  if (isGone(context, state)) throw new Fault(404, assumedMessages.jobNotFound);
  return { job: show(context, job, state), nextChangeMs: state.nextChangeMs };
};

/** Newest first; moves nothing on. */
export const listJobs = (context: Context, limit: number): JobView[] => {
  settle(context);
  return context.account.jobs.list(limit, (job) => {
    const state = lookAt(context, job);
    return isGone(context, state) ? undefined : show(context, job, state);
  });
};

/** A job as it is, not looked at by its owner: it is not moved on. */
export const findJob = (context: Context, id: string): JobView | undefined => {
  const job = context.account.jobs.get(id);
  if (job === undefined) return undefined;
  settle(context);
  const state = lookAt(context, job);
  return isGone(context, state) ? undefined : show(context, job, state);
};

/** Ends an unfinished job; `false` when it has finished already. */
export const endJob = (context: Context, job: JobRecord, end: ForcedEnd): boolean => {
  settle(context);
  if (isFinished(lookAt(context, job))) return false;
  job.forced = end;
  if (end.status !== "completed") payBack(context, job, context.now);
  return true;
};
