import { type Action, creditOfAction } from "../../src/contract/actions.ts";
import { maxVariations } from "../../src/contract/jobs.ts";
import { brandLook } from "../seeded/made-from.ts";
import { applyWhatIsDue, scheduleRefund } from "./apply-what-is-due.ts";
import { canPay, charge } from "./credits.ts";
import type { JobEnd, JobRecord } from "./job-timeline.ts";
import type { JobView } from "./job-view.ts";
import { keepPrompt, keepRequest, promptIn } from "./keep-request.ts";
import { type Owner, requireBrand } from "./library.ts";
import { assumedMessages, Refusal } from "./messages.ts";
import { takePlanned } from "./plans.ts";
import { defaultDurationSeconds, maxDurationSeconds, priceOf } from "./prices.ts";
import { readPrompt } from "./prompt-directives.ts";
import { type AccountState, addJob, type Context, nextId, type Rules } from "./state.ts";

/** Fields of a submission, of the right types but not yet checked against their limits. */
export interface Submission {
  readonly action: Action;
  readonly prompt?: string | undefined;
  readonly variations?: number | undefined;
  readonly duration?: number | undefined;
  readonly brand_id?: string | undefined;
}

const requireVariations = (variations = 1): number => {
  if (Number.isInteger(variations) && variations >= 1 && variations <= maxVariations) {
    return variations;
  }
  const reason = `expected an integer from 1 to ${maxVariations}`;
  throw new Refusal("invalid", assumedMessages.invalidParameter("variations", reason));
};

const requireDuration = (duration = defaultDurationSeconds): number => {
  if (duration > 0 && duration <= maxDurationSeconds) return duration;
  const reason = `expected seconds, more than 0 and at most ${maxDurationSeconds}`;
  throw new Refusal("invalid", assumedMessages.invalidParameter("duration", reason));
};

/** Gives the seconds of a video; other jobs have none. */
const requireSeconds = (action: Action, duration: number | undefined): number | undefined =>
  creditOfAction[action] === "video" ? requireDuration(duration) : undefined;

/** Checks a submission, and works out what its job holds. */
const readSubmission = (account: AccountState, submission: Submission) => {
  const { action, brand_id } = submission;
  const variations = requireVariations(submission.variations);
  const duration = requireSeconds(action, submission.duration);
  const brand = brand_id === undefined ? undefined : requireBrand(account, brand_id);
  const request = keepRequest(submission);
  return {
    action,
    request,
    prompt: promptIn(request),
    variations,
    duration,
    ...(brand && { brand: brandLook(brand) }),
  };
};

const newJob = (id: string, now: number) => ({ id, submittedAt: now, polls: 0, seenAt: now });

/** Works out the price of a submission; `null` for a free one. */
export const priceOfSubmission = (
  { action, variations, duration }: Submission,
  { videoPrices }: Rules,
) => priceOf(action, requireVariations(variations), requireSeconds(action, duration), videoPrices);

/** Submits a job: checks its limits, takes its price, and gives it an id. */
export const submitJob = (
  context: Context,
  submission: Submission,
): Pick<JobView, "job_id" | "status"> => {
  const { account, rules, now, plannedEnds } = context;
  const { prompt, planned } = readPrompt(submission.prompt ?? "");
  const facts = readSubmission(account, submission);
  const price = priceOfSubmission(submission, rules);

  applyWhatIsDue(context);
  if (price && !canPay(account, price.credit, price.amount)) {
    const { monthly, purchased } = account.balances[price.credit];
    const hint = `it costs ${price.amount} ${price.credit} credits, and ${monthly + purchased} are left`;
    throw new Refusal("payment_required", assumedMessages.insufficientCredits, hint);
  }

  const taken = takePlanned(plannedEnds, {
    operation: "jobs.submit",
    account: account.key,
    body: () => submission,
  });
  const end = taken ?? planned;
  const id = nextId(account, "job");
  const job: JobRecord = {
    ...newJob(id, now),
    ...facts,
    ...(planned && { prompt: keepPrompt(prompt) }),
    ...(end && { planned: end }),
    ...(planned && !taken && { plannedBy: "prompt" }),
  };
  if (price && price.amount > 0) {
    job.charge = charge(account, now, price.credit, price.amount, id);
    scheduleRefund(context, job);
  }
  addJob(account, job);

  // Documented: a new job is queued, even when the timeline has moved it on already.
  return { job_id: id, status: "queued" };
};

/** Adds a finished job that has cost nothing. */
export const addFinishedJob = (
  { account, now }: Owner,
  submission: Submission,
  end: JobEnd,
  id?: string,
): void => {
  const facts = readSubmission(account, submission);
  const made = nextId(account, "job");
  addJob(account, { ...newJob(id ?? made, now), ...facts, planned: { ...end, takesMs: 0 } });
};
