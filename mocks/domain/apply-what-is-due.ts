import { nextRenewal, renewMonthlyCredits } from "./accounts.ts";
import { addRefund } from "./credits.ts";
import { failsAt, type JobRecord, jobStateAt } from "./job-timeline.ts";
import type { Context } from "./state.ts";

/** Refunds a failed job, if the rules say so, unless it was refunded before. */
export const payBack = ({ account, rules }: Context, job: JobRecord, at: number): void => {
  if (!rules.refundFailedJobs || job.charge === undefined || job.refunded) return;
  job.refunded = true;
  addRefund(account, at, job.charge);
};

/** Schedules the refund of a paid job for the time at which it fails by itself. */
export const scheduleRefund = (
  { account: { dueJobs }, rules }: Pick<Context, "account" | "rules">,
  job: JobRecord,
): void => {
  const at = rules.refundFailedJobs ? failsAt(job, rules.paces[job.action]) : undefined;
  if (at === undefined) return;
  const place = dueJobs.findIndex((other) => other.at <= at);
  dueJobs.splice(place === -1 ? dueJobs.length : place, 0, { at, job });
};

const applyRefunds = (context: Context, until: number): void => {
  const { dueJobs } = context.account;
  for (let due = dueJobs.at(-1); due && due.at <= until; due = dueJobs.at(-1)) {
    dueJobs.pop();
    const { at, job } = due;
    const { status } = jobStateAt(job, context.rules.paces[job.action], until);
    if (status === "failed") payBack(context, job, at);
  }
};

/**
 * Refunds failed jobs and renews monthly credits, in the order of their times. There is no timer for
 * this, so call it before every use of the balances.
 */
export const applyWhatIsDue = (context: Context): void => {
  const { account, rules, now } = context;
  while (rules.renewal === "monthly" && now >= account.renewsAt) {
    applyRefunds(context, account.renewsAt);
    renewMonthlyCredits(account, account.renewsAt);
    // A month without refunds changes nothing, so skip all such months at once.
    const [due] = account.dueJobs.slice(-1);
    const seenUntil = due && due.at <= now ? account.renewsAt : now;
    account.renewsAt = nextRenewal(account.openedAt, seenUntil);
  }
  applyRefunds(context, now);
};
