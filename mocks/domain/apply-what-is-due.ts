import { refund } from "./credits.ts";
import { failsAt, type JobRecord, jobStateAt } from "./job-timeline.ts";
import { nextRenewal, renewMonthlyCredits } from "./renewal.ts";
import type { Context } from "./state.ts";

/** Pays a failed job back, once. */
export const payBack = ({ account, rules }: Context, job: JobRecord, at: number): void => {
  if (!rules.refundFailedJobs || job.charge === undefined || job.refunded) return;
  job.refunded = true;
  refund(account, at, job.charge);
};

/** Remembers the time at which a paid job may fail, and be paid back. */
export const scheduleRefund = ({ account, rules }: Context, job: JobRecord): void => {
  if (!rules.refundFailedJobs || job.charge === undefined || job.refunded) return;
  const at = failsAt(job, rules.paces[job.action]);
  if (at !== undefined) account.dueJobs.add(at, job);
};

const applyRefunds = (context: Context, until: number): void => {
  const { account, rules } = context;
  for (let job = account.dueJobs.take(until); job; job = account.dueJobs.take(until)) {
    const pace = rules.paces[job.action];
    const { status } = jobStateAt(job, pace, until);
    if (status === "failed") payBack(context, job, failsAt(job, pace) ?? until);
  }
};

/**
 * Pays failed jobs back and renews monthly credits, in the order of their times. No timer runs at
 * those moments, so call this before every use of the balances.
 */
export const applyWhatIsDue = (context: Context): void => {
  const { account, rules, now } = context;
  while (rules.renewal === "monthly" && now >= account.renewsAt) {
    applyRefunds(context, account.renewsAt);
    renewMonthlyCredits(account, account.renewsAt);
    // Months without refunds change nothing, so skip all of them at once.
    const seenUntil = account.dueJobs.isDue(now) ? account.renewsAt : now;
    account.renewsAt = nextRenewal(account.openedAt, seenUntil);
  }
  applyRefunds(context, now);
};
