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
import { findJob } from "./jobs.ts";
import type { Context } from "./state.ts";

/** The credits that a job cost. @inline */
export interface JobCost extends CreditPots {
  /** Kind of the credits. */
  readonly credit: CreditKind;
  /** Whole credits in total, more than zero. */
  readonly amount: number;
  /** `true` after they were refunded. */
  readonly refunded: boolean;
}

/** Everything the mock knows about a job. Times are in milliseconds since 1970, by the account's clock. */
export interface MockJobDetail extends JobTimes {
  /** The job, as the service would show it. */
  readonly job: JobView;
  /** API key of its account. */
  readonly account: string;
  /** Body of its submission. Texts are cut after 1,000 characters. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Name that its brand had when it was submitted; `undefined` without a brand. */
  readonly brand: string | undefined;
  /** The credits it cost; `undefined` for a free job. */
  readonly cost: JobCost | undefined;
  /** Time of its submission. */
  readonly submittedAt: number;
  /** Number of polls before it finished. */
  readonly polls: number;
  /**
   * Why it ended; `undefined` while it is unfinished. "scheduled" means an outcome of `jobs.next`.
   * "command" means a call such as `jobs.fail`, or a button on the mock's page.
   */
  readonly endedBy: "timeline" | "scheduled" | "command" | "expiry" | undefined;
}

const endedBy = (job: JobRecord, state: JobState): MockJobDetail["endedBy"] => {
  if (!isFinished(state)) return undefined;
  if (job.forced !== undefined) return "command";
  if (state.expired) return "expiry";
  return job.scheduledEnd === undefined ? "timeline" : "scheduled";
};

/** Collects everything about a job, without advancing it. */
export const inspectJob = (context: Context, id: string): MockJobDetail | undefined => {
  const seen = findJob(context, id);
  if (seen === undefined) return undefined;
  const { job, state } = seen;
  const pace = context.rules.paces[job.action];
  const { request, charge, refunded = false, submittedAt, polls } = job;
  return {
    job: structuredClone(showJob(context, job, state)),
    account: context.account.key,
    // Copy the body, because the caller may change it.
    request: structuredClone(request),
    brand: job.brand,
    cost: charge && { ...costOf(charge), refunded },
    submittedAt,
    ...jobTimesAt(job, pace, context.now),
    polls,
    endedBy: endedBy(job, state),
  };
};
