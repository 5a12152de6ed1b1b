import { inspectJob, type MockJobDetail } from "../domain/inspect-job.ts";
import type { ForcedEnd } from "../domain/job-timeline.ts";
import { type JobView, showJob } from "../domain/job-view.ts";
import { endJob, seeJob, seeJobs } from "../domain/jobs.ts";
import { assumedMessages } from "../domain/messages.ts";
import type { Context } from "../domain/state.ts";
import { copyJson, shallowJson, text } from "../options/fields.ts";
import { extend, requireFit } from "../options/require.ts";
import type { OutcomeOptions, PlannedOutcomes } from "../outcomes/outcome.ts";

/** Jobs of the whole service, to look at and to end as a test wants. */
export interface MockJobs extends PlannedOutcomes {
  /**
   * Completes an unfinished job, now.
   *
   * @param result - Any JSON. @default the standard result of the job's action
   * @throws Error when there is no such job, or when it has finished
   */
  complete(jobId: string, result?: unknown): void;
  /**
   * Makes an unfinished job fail, now.
   *
   * @param reason - Text of the job's `error`. @default "Generation failed"
   * @throws Error when there is no such job, or when it has finished
   */
  fail(jobId: string, reason?: string): void;
  /**
   * Makes an unfinished job expire, now, as if 30 minutes had passed.
   *
   * @throws Error when there is no such job, or when it has finished
   */
  expire(jobId: string): void;
  /**
   * Finds a job as it is now, without advancing it. Returns `undefined` when there is no such job,
   * or when it has expired and can no longer be found.
   */
  find(jobId: string): JobView | undefined;
  /**
   * Finds all that is known about a job: its request, its cost, its times. It does not advance the job.
   * Returns `undefined` where `find` does.
   */
  inspect(jobId: string): MockJobDetail | undefined;
  /** All jobs that can be found, newest first; reading it advances no job. */
  readonly all: readonly (JobView & { readonly account: string })[];
}

/** One account's jobs, and the outcomes that wait for them alone. */
export interface AccountJobs extends PlannedOutcomes<Omit<OutcomeOptions, "account">> {
  /** All jobs of the account, newest first; reading it advances no job. */
  readonly all: readonly JobView[];
  /** Returns the newest jobs, at most `limit` of them, newest first. */
  latest(limit: number): readonly JobView[];
  /** Count of the submitted jobs, expired ones included. */
  readonly count: number;
}

/** Creates the jobs of a service, which a test can end and look at. */
export const createJobs = (
  contexts: () => readonly Context[],
  outcomes: PlannedOutcomes,
): MockJobs => {
  const findOwner = (jobId: string): Context | undefined => {
    requireFit("job id", text, jobId);
    return contexts().find(({ account }) => account.jobs.has(jobId));
  };

  const end = (jobId: string, how: ForcedEnd): void => {
    const owner = findOwner(jobId);
    if (owner === undefined) throw new Error(`The mock has no job ${jobId}`);
    if (endJob(owner, jobId, how)) return;
    throw new Error(`The job ${jobId} has finished; nothing can change it any more`);
  };

  return extend<PlannedOutcomes, Omit<MockJobs, keyof PlannedOutcomes>>(outcomes, {
    complete: (jobId, result) => {
      const own =
        result === undefined ? {} : { result: copyJson(requireFit("result", shallowJson, result)) };
      end(jobId, { status: "completed", ...own });
    },
    fail: (jobId, reason = assumedMessages.jobFailed) => {
      requireFit("reason", text, reason);
      end(jobId, { status: "failed", error: reason });
    },
    expire: (jobId) => end(jobId, { status: "expired" }),
    find: (jobId) => {
      const owner = findOwner(jobId);
      const seen = owner && seeJob(owner, jobId);
      return seen && structuredClone(showJob(seen.context, seen.job, seen.state));
    },
    inspect: (jobId) => {
      const owner = findOwner(jobId);
      return owner && inspectJob(owner, jobId);
    },
    get all() {
      return contexts()
        .flatMap((context) =>
          seeJobs(context).map(({ job, state }) => ({
            job,
            view: {
              ...structuredClone(showJob(context, job, state)),
              account: context.account.key,
            },
          })),
        )
        .sort((one, other) => other.job.submittedAt - one.job.submittedAt)
        .map(({ view }) => view);
    },
  });
};
