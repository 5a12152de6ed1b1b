import * as z from "zod/mini";
import { type Action, actions } from "../../src/contract/actions.ts";
import { type JobStatus, jobStatuses } from "../../src/contract/jobs.ts";
import { type JobView, showJob } from "../domain/job-view.ts";
import { type JobCounts, searchJobs } from "../domain/search-jobs.ts";
import type { Context } from "../domain/state.ts";
import {
  action,
  apiKey,
  count,
  type FieldsOf,
  fieldsOnly,
  oneOf,
  optional,
  text,
} from "../options/fields.ts";
import { refusal, requireFit } from "../options/require.ts";

/** Choice of jobs, and how many of them to list. A field that is left out fits every job. */
export interface JobSearch {
  /** API key of their account. @default all accounts */
  readonly account?: string;
  /** Their state, or one of several. @default any */
  readonly status?: JobStatus | readonly JobStatus[];
  /** Their action, or one of several. @default any */
  readonly action?: Action | readonly Action[];
  /**
   * Part of the id, the action, the prompt, the brand's name or the error, in upper or lower case.
   *
   * @default any
   */
  readonly text?: string;
  /** Count of the jobs to list, the newest; zero only counts. @default 100 */
  readonly limit?: number;
  /** Count of the jobs to list of each state, beside the limit of all. @default limit */
  readonly each?: number;
  /** Id of a job, the last one of a page: lists the next page, of older jobs. @default the newest */
  readonly before?: string;
  /** `false` leaves the results out, so that no picture is drawn. @default true */
  readonly results?: boolean;
}

/** A job with the API key of its account. */
export interface FoundJob extends JobView {
  /** API key of its account. */
  readonly account: string;
}

/** Jobs that a search has found. */
export interface FoundJobs {
  /** Count of all jobs that fit, also of those that are not listed. */
  readonly total: number;
  /** Count in each state of the jobs that fit the other fields, whatever `status` asks for. */
  readonly counts: JobCounts;
  /** Those that are listed, newest first. */
  readonly jobs: readonly FoundJob[];
}

const status = oneOf(jobStatuses);

/** Fields of a search, for schemas that add others to them. */
export const jobSearchFields = {
  account: optional(apiKey, "Only jobs of this API key"),
  status: optional(
    z.union([status, z.array(status)], {
      error: `one or more of ${jobStatuses.join(", ")}`,
    }),
    "Only jobs in this state, or in one of several",
  ),
  action: optional(
    z.union([action, z.array(action).check(z.minLength(1))], {
      error: `one or more of ${actions.join(", ")}`,
    }),
    "Only jobs of this action, or of one of several",
  ),
  text: optional(
    text,
    "Part of the id, the action, the prompt, the brand's name or the error, in any case",
  ),
  limit: optional(count, "Number of the jobs, the newest; 100 by default"),
  each: optional(count, "Number of the jobs of each state, beside the limit of all"),
  before: optional(text, "Id of a job: only jobs that come after it, which are older"),
  results: optional(z.boolean({ error: "true or false" }), "false leaves the results out"),
} satisfies FieldsOf<JobSearch>;

const jobSearchSchema = fieldsOnly(jobSearchFields);

/**
 * Makes the search among the jobs of a service.
 *
 * @param requireAccount - Throws when there is no account of that key
 */
export const createSearch =
  (contexts: () => readonly Context[], requireAccount: (key: string) => void) =>
  (search: JobSearch = {}): FoundJobs => {
    const {
      account,
      limit = 100,
      each,
      before,
      results = true,
      ...choice
    } = requireFit("search", jobSearchSchema, search);
    if (account !== undefined) requireAccount(account);
    const chosen = contexts().filter(
      (context) => account === undefined || context.account.key === account,
    );
    if (before !== undefined && !chosen.some((context) => context.account.jobs.get(before))) {
      throw refusal("search.before", `the id of a job; it is "${before}"`);
    }
    const { counts, newest } = searchJobs(chosen, choice, { limit, each, before });
    const statuses = [choice.status ?? jobStatuses].flat();
    return {
      total: statuses.reduce((sum, name) => sum + counts[name], 0),
      counts,
      jobs: newest.map(({ context, job, state }) => ({
        ...showJob(context, job, state, results),
        account: context.account.key,
      })),
    };
  };
