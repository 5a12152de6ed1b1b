import type { ForcedEnd } from "../domain/job-timeline.ts";
import type { JobView } from "../domain/job-view.ts";
import { endJob, findJob, listJobs } from "../domain/jobs.ts";
import { assumedMessages } from "../domain/messages.ts";
import type { PlannedEnd } from "../domain/planned-ends.ts";
import type { Context } from "../domain/state.ts";
import { copyJson, shallowJson, text } from "../options/fields.ts";
import { requireFit } from "../options/require.ts";
import {
  accountOutcomeOptionsSchema,
  type JobOutcome,
  type OutcomeOptions,
  outcomeOptionsSchema,
  outcomeSchema,
  planOutcome,
} from "./outcome.ts";

/** Decides what becomes of jobs. */
export interface MockJobs {
  /**
   * Decides how the next submitted job ends. Outcomes wait in the order they were given; each
   * submission takes the first that fits it.
   *
   * @throws TypeError when the outcome makes no sense; the message names the field
   */
  next(outcome: JobOutcome, options?: OutcomeOptions): void;
  /**
   * Makes an unfinished job complete, now.
   *
   * @param result - Any JSON. @default what a job of its action makes
   * @throws Error when there is no such job, or when it has finished
   */
  complete(jobId: string, result?: unknown): void;
  /**
   * Makes an unfinished job fail, now.
   *
   * @param reason - What the job's `error` says. @default "Generation failed"
   * @throws Error when there is no such job, or when it has finished
   */
  fail(jobId: string, reason?: string): void;
  /**
   * Makes an unfinished job expire, now, as if its 30 minutes were over.
   *
   * @throws Error when there is no such job, or when it has finished
   */
  expire(jobId: string): void;
  /**
   * The job as it is now; looking here does not move it on. `undefined` when there is none, or
   * when an expired one can no longer be found.
   */
  find(jobId: string): JobView | undefined;
  /** All jobs, newest first, each account's after the other's; looking here moves none on. */
  readonly all: readonly JobView[];
}

/** One account's jobs. */
export interface AccountJobs {
  /** The service's `jobs.next`, for this account alone. */
  next(outcome: JobOutcome, options?: Omit<OutcomeOptions, "account">): void;
  /** Newest first; looking here moves none on. */
  readonly all: readonly JobView[];
  /** The newest so many, newest first. */
  latest(limit: number): readonly JobView[];
  /** How many were submitted, expired ones included. */
  readonly count: number;
}

/**
 * Makes `next` for the jobs of a service, or of one account.
 *
 * @param requireAccount - Throws when there is no account of that key
 * @param account - Key of the account whose jobs these are. @default all accounts
 */
export const createNext =
  (
    current: { readonly world: { readonly plannedEnds: PlannedEnd[] } },
    requireAccount: (key: string) => void,
    account?: string,
  ): MockJobs["next"] =>
  (outcome, options = {}) => {
    const checked = requireFit("outcome", outcomeSchema, outcome);
    const schema = account === undefined ? outcomeOptionsSchema : accountOutcomeOptionsSchema;
    const which = { account, ...requireFit("outcome options", schema, options) };
    if (which.account !== undefined) requireAccount(which.account);
    current.world.plannedEnds.push(planOutcome(checked, which));
  };

/** Makes the jobs of a service, which a test can end and look at. */
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
