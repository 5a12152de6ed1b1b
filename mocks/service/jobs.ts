import { inspectJob, type MockJobDetail } from "../domain/inspect-job.ts";
import type { ForcedEnd } from "../domain/job-timeline.ts";
import { type JobView, showJob } from "../domain/job-view.ts";
import { endJob, findJob, findJobs } from "../domain/jobs.ts";
import { assumedMessages } from "../domain/messages.ts";
import type { OutcomeOptions } from "../domain/schedule.ts";
import type { Context } from "../domain/state.ts";
import { copyJson, jsonField, textField } from "../options/fields.ts";
import { addMembers, requireFit } from "../options/require.ts";
import type { ScheduledOutcomes } from "../outcomes/outcome.ts";

/** The jobs of the whole service. A test can look at them, and decide how they end. */
export interface MockJobs extends ScheduledOutcomes {
  /**
   * Completes an unfinished job at once.
   *
   * @param result - Any JSON. @default the standard result of the job's action
   * @throws Error when there is no such job, or it has already finished
   */
  complete(jobId: string, result?: unknown): void;
  /**
   * Fails an unfinished job at once.
   *
   * @param reason - The job's `error`. @default "Generation failed"
   * @throws Error when there is no such job, or it has already finished
   */
  fail(jobId: string, reason?: string): void;
  /**
   * Expires an unfinished job at once, as if 30 minutes had passed.
   *
   * @throws Error when there is no such job, or it has already finished
   */
  expire(jobId: string): void;
  /**
   * Finds a job as it is now, without advancing it. Returns `undefined` if there is no such job, or if
   * it has expired and the option `expiry` hides it.
   */
  find(jobId: string): JobView | undefined;
  /**
   * Finds everything about a job, such as its request, its cost and its times, without advancing it.
   * Returns `undefined` where `find` does.
   */
  inspect(jobId: string): MockJobDetail | undefined;
  /** All jobs that `find` finds, newest first. Reading it advances no job. */
  readonly all: readonly (JobView & { readonly account: string })[];
}

/** The jobs of one account, and the outcomes that are scheduled for them. */
export interface AccountJobs extends ScheduledOutcomes<Omit<OutcomeOptions, "account">> {
  /** All jobs of the account, newest first. Reading it advances no job. */
  readonly all: readonly JobView[];
  /** Returns the newest jobs, at most `limit` of them, newest first. */
  latest(limit: number): readonly JobView[];
  /** Number of submitted jobs, including expired ones. */
  readonly count: number;
}

/** Creates `jobs` of a service. */
export const createJobs = (
  contexts: () => readonly Context[],
  outcomes: ScheduledOutcomes,
): MockJobs => {
  const findOwner = (jobId: string): Context | undefined => {
    requireFit("job id", textField, jobId);
    return contexts().find(({ account }) => account.jobs.has(jobId));
  };

  const end = (jobId: string, how: ForcedEnd): void => {
    const owner = findOwner(jobId);
    if (owner === undefined) throw new Error(`The mock has no job ${jobId}`);
    if (endJob(owner, jobId, how)) return;
    throw new Error(`The mock cannot end the job ${jobId}, because it has already finished`);
  };

  return addMembers<ScheduledOutcomes, Omit<MockJobs, keyof ScheduledOutcomes>>(outcomes, {
    complete: (jobId, result) => {
      const own =
        result === undefined ? {} : { result: copyJson(requireFit("result", jsonField, result)) };
      end(jobId, { status: "completed", ...own });
    },
    fail: (jobId, reason = assumedMessages.jobFailed) => {
      requireFit("reason", textField, reason);
      end(jobId, { status: "failed", error: reason });
    },
    expire: (jobId) => end(jobId, { status: "expired" }),
    find: (jobId) => {
      const owner = findOwner(jobId);
      const seen = owner && findJob(owner, jobId);
      return seen && structuredClone(showJob(seen.context, seen.job, seen.state));
    },
    inspect: (jobId) => {
      const owner = findOwner(jobId);
      return owner && inspectJob(owner, jobId);
    },
    get all() {
      return contexts()
        .flatMap((context) => findJobs(context))
        .sort((one, other) => other.job.submittedAt - one.job.submittedAt)
        .map(({ context, job, state }) => ({
          ...structuredClone(showJob(context, job, state)),
          account: context.account.key,
        }));
    },
  });
};
