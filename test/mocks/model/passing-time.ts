import {
  type Credit,
  type ModelAccount,
  type ModelJob,
  post,
  type Rules,
  setPots,
} from "./world.ts";

const day = 86_400_000;
export const expiryMs = 30 * 60_000;

/** The same day and time so many months later, or the last day of a month that is too short. */
export const monthsAfter = (start: number, months: number): number => {
  const date = new Date(start);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  return Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) + (start % day);
};

/** When a job ends by the clock; `undefined` when looks at it do that. */
const finishesAt = (rules: Rules, job: ModelJob): number | undefined => {
  if (job.plan.takesMs !== undefined) return job.submittedAt + job.plan.takesMs;
  const { timeline } = rules;
  if (timeline === "per-poll" || (rules.copyPerPoll && job.action === "generate-ad-copy")) {
    return undefined;
  }
  return job.submittedAt + timeline.queuedMs + timeline.processingMs;
};

export interface ModelState {
  /** "unfinished" where nothing says whether it is queued or processing. */
  status: "queued" | "processing" | "unfinished" | "completed" | "failed";
  error?: string;
  hasExpired?: true;
  /** When it changes next; `undefined` where nothing says it. */
  until?: number;
}

const expired: ModelState = { status: "failed", error: "Job expired", hasExpired: true };

export const stateOf = (rules: Rules, job: ModelJob, now: number): ModelState => {
  const { forced, plan, submittedAt, polls } = job;
  if (forced?.status === "expired") return expired;
  if (forced?.status === "failed") return { status: "failed", error: forced.error };
  if (forced?.status === "completed") return { status: "completed" };
  const end: ModelState =
    plan.fail === undefined ? { status: "completed" } : { status: "failed", error: plan.fail };
  const expiresAt = submittedAt + expiryMs;
  const finish = finishesAt(rules, job);
  if (finish === undefined) {
    if (polls >= 2) return end;
    return now >= expiresAt ? expired : { status: polls === 0 ? "queued" : "processing" };
  }
  if (finish <= expiresAt && now >= finish) return end;
  if (now >= expiresAt) return expired;
  if (plan.takesMs !== undefined || rules.timeline === "per-poll") return { status: "unfinished" };
  const startsAt = submittedAt + rules.timeline.queuedMs;
  return now < startsAt
    ? { status: "queued", until: Math.min(startsAt, expiresAt) }
    : { status: "processing", until: Math.min(finish, expiresAt) };
};

/** Tells if a job can no longer be found. */
export const isGone = (rules: Rules, job: ModelJob, now: number): boolean =>
  (rules.expiry !== "failed" && stateOf(rules, job, now).hasExpired === true) ||
  (rules.expiry === "all-not-found" && now >= job.submittedAt + expiryMs);

export const isFinished = ({ status }: ModelState): boolean =>
  status === "completed" || status === "failed";

/** Tells if looks move the job on. */
export const isMovedByPolls = (rules: Rules, job: ModelJob): boolean =>
  finishesAt(rules, job) === undefined;

/** Once, and only what was paid. */
export const payBack = (rules: Rules, account: ModelAccount, job: ModelJob, at: number): void => {
  if (!rules.refundFailedJobs || job.charge === undefined || job.isRefunded) return;
  job.isRefunded = true;
  const { credit, monthly, purchased } = job.charge;
  const back = { monthly: 0 - monthly, purchased: 0 - purchased };
  post(account, { at, credit, ...back, reason: "refund", jobId: job.id });
};

/** When a job will fail if nobody does anything. */
const failsAt = (rules: Rules, job: ModelJob): number => {
  if (job.isRefunded || job.charge === undefined || job.forced) return Number.POSITIVE_INFINITY;
  const finish = finishesAt(rules, job);
  const expiresAt = job.submittedAt + expiryMs;
  if (finish === undefined) return job.polls >= 2 ? Number.POSITIVE_INFINITY : expiresAt;
  if (finish > expiresAt) return expiresAt;
  return job.plan.fail === undefined ? Number.POSITIVE_INFINITY : finish;
};

/** Everything that happened by itself until now, one thing after the other. */
export const settle = (rules: Rules, account: ModelAccount, now: number): void => {
  for (;;) {
    const renewsAt =
      rules.renewal === "monthly"
        ? monthsAfter(account.openedAt, account.renewals + 1)
        : Number.POSITIVE_INFINITY;
    let next: { at: number; job: ModelJob } | undefined;
    if (rules.refundFailedJobs) {
      for (const job of account.jobs) {
        const at = failsAt(rules, job);
        if (at <= now && at < (next?.at ?? Number.POSITIVE_INFINITY)) next = { at, job };
      }
    }
    if (next !== undefined && next.at <= renewsAt) {
      payBack(rules, account, next.job, next.at);
    } else if (renewsAt <= now) {
      account.renewals += 1;
      for (const credit of ["image", "video"] as const satisfies Credit[]) {
        const { purchased } = account.balances[credit];
        const { monthly } = account.starting[credit];
        setPots(account, renewsAt, credit, { monthly, purchased }, "renewal");
      }
    } else return;
  }
};
