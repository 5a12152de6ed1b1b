import { refund } from "./credits.ts";
import { failsAt, type JobRecord, jobStateAt } from "./job-timeline.ts";
import { nextRenewal, renew } from "./renewal.ts";
import type { Context } from "./state.ts";

/** Pays a failed job back; once. */
export const payBack = ({ account, rules }: Context, job: JobRecord, at: number): void => {
  if (!rules.refundFailedJobs || job.charge === undefined || job.refunded) return;
  job.refunded = true;
  refund(account, at, job.charge);
};

/** Remembers when a paid job may have to be paid back. */
export const expectRefund = ({ account, rules }: Context, job: JobRecord): void => {
  if (!rules.refundFailedJobs || job.charge === undefined || job.refunded) return;
  const at = failsAt(job, rules.paces[job.action]);
  if (at !== undefined) account.dueJobs.add(at, job);
};

const settleRefunds = (context: Context, until: number): void => {
  const { account, rules } = context;
  for (let job = account.dueJobs.take(until); job; job = account.dueJobs.take(until)) {
    const pace = rules.paces[job.action];
    const { status } = jobStateAt(job, pace, until);
    if (status === "failed") payBack(context, job, failsAt(job, pace) ?? until);
  }
};

/**
 * Does what has become due since anybody looked, in the order of its times: failed jobs are paid
 * back, monthly credits come anew. No code runs at those moments, so this comes before every use
 * of the balances.
 */
export const settle = (context: Context): void => {
  const { account, rules, now } = context;
  while (rules.renewal === "monthly" && now >= account.renewsAt) {
    settleRefunds(context, account.renewsAt);
    renew(account, account.renewsAt);
    // Months in which nothing is paid back change nothing: years of them are gone at once.
    const seenUntil = account.dueJobs.isDue(now) ? account.renewsAt : now;
    account.renewsAt = nextRenewal(account.openedAt, seenUntil);
  }
  settleRefunds(context, now);
};
