import { type Action, creditOfAction } from "../../src/contract/actions.ts";
import { maxVariations } from "../../src/contract/jobs.ts";
import { applyWhatIsDue, scheduleRefund } from "./apply-what-is-due.ts";
import { addCharge } from "./credits.ts";
import type { JobOutcome, JobRecord } from "./job-timeline.ts";
import type { JobView } from "./job-view.ts";
import { type Owner, requireBrand } from "./library.ts";
import { assumedMessages, Refusal } from "./messages.ts";
import { defaultDurationSeconds, maxDurationSeconds, priceOf } from "./prices.ts";
import { takeScheduled } from "./schedule.ts";
import { addJob, type Context, nextId, type Rules } from "./state.ts";

/** Fields of a submission. Their types are checked, but not yet their limits. */
export interface Submission {
  readonly action: Action;
  readonly prompt?: string | undefined;
  readonly variations?: number | undefined;
  readonly duration?: number | undefined;
  readonly brand_id?: string | undefined;
}

/** Checks the limits of numbers. Only videos have a duration. @assumed A2 */
const requireCounts = ({
  action,
  variations = 1,
  duration = defaultDurationSeconds,
}: Submission) => {
  const refuse = (name: string, expected: string): never => {
    throw new Refusal("invalid", assumedMessages.invalidParameter(name, `expected ${expected}`));
  };
  if (!Number.isInteger(variations) || variations < 1 || variations > maxVariations) {
    refuse("variations", `an integer from 1 to ${maxVariations}`);
  }
  if (creditOfAction[action] !== "video") return { variations, duration: undefined };
  if (!(duration > 0 && duration <= maxDurationSeconds)) {
    refuse("duration", `seconds, more than 0 and at most ${maxDurationSeconds}`);
  }
  return { variations, duration };
};

/** Computes the price of a submission; `null` if it is free. */
export const priceOfSubmission = (submission: Submission, { videoPrices }: Rules) =>
  priceOf({ action: submission.action, ...requireCounts(submission) }, videoPrices);

/** Maximum length of a text that a job keeps of its submission. The request log has the whole text. */
const maxKeptLength = 1_000;

const isShort = (value: unknown): boolean =>
  typeof value === "string" ? value.length <= maxKeptLength : typeof value !== "object";

/** Copies a submission with its long texts cut, so that a large request isn't in memory twice. */
const keepSubmission = (submission: Submission): JobRecord["request"] => {
  const kept = submission as unknown as JobRecord["request"];
  if (Object.values(kept).every(isShort)) return kept;
  const text = JSON.stringify(kept, (_, value) =>
    typeof value === "string" && !isShort(value) ? `${value.slice(0, maxKeptLength)}…` : value,
  );
  return JSON.parse(text);
};

/** Checks a submission, and creates its job, which has no id yet. */
const makeJob = ({ account, now }: Owner, submission: Submission) => {
  const { action, brand_id } = submission;
  const counts = requireCounts(submission);
  const brand = brand_id === undefined ? undefined : requireBrand(account, brand_id);
  const request = keepSubmission(submission);
  return {
    ...counts,
    submittedAt: now,
    polls: 0,
    seenAt: now,
    action,
    request,
    prompt: String(request["prompt"] ?? ""),
    ...(brand && { brand: String(brand["name"]).slice(0, 60) }),
  };
};

/** Submits a job: checks its limits, charges its price, and gives it an id. */
export const submitJob = (
  context: Context,
  submission: Submission,
): Pick<JobView, "job_id" | "status"> => {
  const { account, rules, now, scheduledEnds } = context;
  const made = makeJob(context, submission);
  const price = priceOf(made, rules.videoPrices);

  applyWhatIsDue(context);
  if (price) {
    const { monthly, purchased } = account.balances[price.credit];
    const left = monthly + purchased;
    if (left < price.amount) {
      const credits = price.amount === 1 ? "credit" : "credits";
      const hint = `it costs ${price.amount} ${price.credit} ${credits}, and ${left} ${left === 1 ? "is" : "are"} left`;
      throw new Refusal("payment_required", assumedMessages.insufficientCredits, hint);
    }
  }

  const scheduledEnd = takeScheduled(scheduledEnds, {
    operation: "jobs.submit",
    account: account.key,
    body: () => submission,
  });
  const id = nextId(account, "job");
  const job: JobRecord = { ...made, id, ...(scheduledEnd && { scheduledEnd }) };
  if (price && price.amount > 0) {
    job.charge = addCharge(account, now, price.credit, price.amount, id);
    scheduleRefund(context, job);
  }
  addJob(account, job);

  // As documented, a new job is queued, even if the timeline has already advanced it.
  return { job_id: id, status: "queued" };
};

/** Adds a finished job without charging for it. */
export const addFinishedJob = (
  owner: Owner,
  submission: Submission,
  end: JobOutcome,
  id?: string,
): void => {
  const { account } = owner;
  const made = makeJob(owner, submission);
  const own = nextId(account, "job");
  addJob(account, { id: id ?? own, ...made, scheduledEnd: { ...end, takesMs: 0 } });
};
