import type { ForcedEnd } from "../domain/job-timeline.ts";
import { endJob, findJob, listJobs } from "../domain/jobs.ts";
import { assumedMessages } from "../domain/messages.ts";
import type { PlannedEnd } from "../domain/planned-ends.ts";
import type { Context } from "../domain/state.ts";
import type { MockJobs } from "../service/mock-service.ts";
import { checkOutcome, checkOutcomeOptions, checkReason, copyJson } from "./outcome-checks.ts";

/**
 * `requireAccount` throws where there is no such account; `account`: for the jobs of one account
 * alone, its key.
 */
export const createNext =
  (
    current: { readonly world: { readonly plannedEnds: PlannedEnd[] } },
    requireAccount: (key: string) => void,
    account?: string,
  ): MockJobs["next"] =>
  (outcome, options = {}) => {
    const end = checkOutcome(outcome);
    const { times = 1, ...which } = checkOutcomeOptions(options, account !== undefined);
    if (which.account !== undefined) requireAccount(which.account);
    const only = account === undefined ? which : { ...which, account };
    current.world.plannedEnds.push({ ...only, end, remaining: times });
  };

export const createJobs = (
  contexts: () => readonly Context[],
  next: MockJobs["next"],
): MockJobs => {
  const end = (jobId: string, how: ForcedEnd): void => {
    for (const context of contexts()) {
      const job = context.account.jobs.get(jobId);
      if (job === undefined) continue;
      if (endJob(context, job, how)) return;
      throw new Error(`The job ${jobId} has finished; nothing can change it any more`);
    }
    throw new Error(`The mock has no job ${jobId}`);
  };

  return {
    next,
    complete: (jobId, result) => {
      const own = result === undefined ? {} : { result: copyJson("result", result) };
      end(jobId, { status: "completed", ...own });
    },
    fail: (jobId, reason = assumedMessages.jobFailed) =>
      end(jobId, { status: "failed", error: checkReason("reason", reason) }),
    expire: (jobId) => end(jobId, { status: "expired" }),
    find: (jobId) => {
      for (const context of contexts()) {
        const job = findJob(context, jobId);
        if (job !== undefined) return job;
      }
      return undefined;
    },
    get all() {
      return contexts().flatMap((context) => listJobs(context, Number.POSITIVE_INFINITY));
    },
  };
};
