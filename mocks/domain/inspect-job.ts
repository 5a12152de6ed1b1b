import type { CreditKind } from "../../src/contract/actions.ts";
import { type CreditPots, costOf } from "./credits.ts";
import {
  isFinished,
  type JobRecord,
  type JobState,
  type JobTimes,
  jobTimesAt,
} from "./job-timeline.ts";
import { type JobView, showJob } from "./job-view.ts";
import { seeJob } from "./jobs.ts";
import type { Context } from "./state.ts";

/** Credits that a job cost. @inline */
export interface JobCost extends CreditPots {
  /** Kind of the credits. */
  readonly credit: CreditKind;
  /** Whole credits in all, more than zero. */
  readonly amount: number;
  /** `true` when they were paid back. */
  readonly refunded: boolean;
}

/** All that the mock knows about one job. Times are milliseconds since 1970, by the account's clock. */
export interface MockJobDetail extends JobTimes {
  /** The job as the service shows it. */
  readonly job: JobView;
  /** API key of its account. */
  readonly account: string;
  /**
   * Body of its submission.
   */
  readonly request: Readonly<Record<string, unknown>>;
  /** Name of its brand at that time; `undefined` without a brand. */
  readonly brand: string | undefined;
  /** Credits that it cost; `undefined` for a free job. */
  readonly cost: JobCost | undefined;
  /** Time of its submission. */
  readonly submittedAt: number;
  /** Number of times that a client asked for it while it was unfinished. */
  readonly polls: number;
  /**
   * Reason for its end; `undefined` when it is unfinished. A "plan" is a planned outcome. An "order"
   * is a call such as `jobs.fail`, or a button of the page.
   */
  readonly endedBy: "timeline" | "plan" | "order" | "expiry" | undefined;
}

const endedBy = (job: JobRecord, state: JobState): MockJobDetail["endedBy"] => {
  if (!isFinished(state)) return undefined;
  if (job.forced !== undefined) return "order";
  if (state.expired) return "expiry";
  return job.planned === undefined ? "timeline" : "plan";
};

/** Shows all that is known about a job, and does not move it on. */
export const inspectJob = (context: Context, id: string): MockJobDetail | undefined => {
  const seen = seeJob(context, id);
  if (seen === undefined) return undefined;
  const { job, state } = seen;
  const pace = context.rules.paces[job.action];
  const { request, charge, refunded = false, submittedAt, polls } = job;
  return {
    job: structuredClone(showJob(context, job, state)),
    account: context.account.key,
    // A copy: a caller that changes it must not change the job.
    request: structuredClone(request),
    brand: job.brand,
    cost: charge && { ...costOf(charge), refunded },
    submittedAt,
    ...jobTimesAt(job, pace, context.now),
    polls,
    endedBy: endedBy(job, state),
  };
};
