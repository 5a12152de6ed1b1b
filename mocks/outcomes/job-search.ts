import * as z from "zod/mini";
import type { Action } from "../../src/contract/actions.ts";
import { type JobStatus, jobStatuses } from "../../src/contract/jobs.ts";
import { type JobView, showJob, showWithoutResult } from "../domain/job-view.ts";
import { countJobs, type SeenJob, seeJobs } from "../domain/jobs.ts";
import type { Context } from "../domain/state.ts";
import {
  apiKey,
  count,
  type FieldsOf,
  fieldsOnly,
  oneOrMoreActions,
  oneOrMoreOf,
  optional,
  text,
} from "../options/fields.ts";
import { refusal, requireFit } from "../options/require.ts";

/** Choice of jobs, and how many of them to list. A field that is left out fits every job. @inline */
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
  /** Id of a job, the last one of a page: lists the next page, of older jobs. @default the newest */
  readonly before?: string;
  /** `false` leaves the results out, so that no picture is drawn. @default true */
  readonly results?: boolean;
}

/** A job with the API key of its account. @inline */
export type FoundJob = JobView & {
  /** API key of its account. */
  readonly account: string;
};

/** Jobs that a search has found. @inline */
export type FoundJobs = {
  /** Count of all jobs that fit, also of those that are not listed. */
  readonly total: number;
  /** Count in each state of the jobs that fit the other fields, whatever `status` asks for. */
  readonly counts: Readonly<Record<JobStatus, number>>;
  /** Those that are listed, newest first. */
  readonly jobs: readonly FoundJob[];
};

/** Schema of a search. */
export const jobSearchSchema = fieldsOnly({
  account: optional(apiKey, "Only jobs of this API key"),
  status: optional(oneOrMoreOf(jobStatuses), "Only jobs in this state, or in one of several"),
  action: optional(oneOrMoreActions, "Only jobs of this action, or of one of several"),
  text: optional(
    text,
    "Part of the id, the action, the prompt, the brand's name or the error, in any case",
  ),
  limit: optional(count, "Number of the jobs, the newest; 100 by default"),
  before: optional(text, "Id of a job: only jobs that come after it, which are older"),
  results: optional(z.boolean({ error: "true or false" }), "false leaves the results out"),
} satisfies FieldsOf<JobSearch>);

/** Check of everything but the status. */
const createFit = ({ action, text }: z.output<typeof jobSearchSchema>) => {
  const wanted = text?.toLowerCase();
  const wantedActions = action === undefined ? undefined : [action].flat();
  return ({ job, state }: SeenJob): boolean =>
    (wantedActions === undefined || wantedActions.includes(job.action)) &&
    (wanted === undefined ||
      [job.id, job.action, job.request["prompt"], job.brand?.name, state.error].some(
        (part) => typeof part === "string" && part.toLowerCase().includes(wanted),
      ));
};

/**
 * Creates the search among the jobs of a service.
 *
 * @param requireAccount - Throws when there is no account of that key
 */
export const createSearch =
  (contexts: () => readonly Context[], requireAccount: (key: string) => void) =>
  (search: JobSearch = {}): FoundJobs => {
    const checked = requireFit("search", jobSearchSchema, search);
    const { account, status, limit = 100, before, results = true } = checked;
    if (account !== undefined) requireAccount(account);
    const all = contexts()
      .filter((context) => account === undefined || context.account.key === account)
      .flatMap((context) => seeJobs(context))
      .sort((one, other) => other.job.submittedAt - one.job.submittedAt);
    const start = all.findIndex(({ job }) => job.id === before) + 1;
    if (before !== undefined && start === 0) {
      throw refusal("search.before", `the id of a job; it is "${before}"`);
    }
    const fits = createFit(checked);
    const wanted = [status ?? jobStatuses].flat();
    const jobs = [];
    for (const found of all.slice(start)) {
      if (jobs.length >= limit) break;
      const { job, state, context } = found;
      if (!wanted.includes(state.status) || !fits(found)) continue;
      const view = results
        ? structuredClone(showJob(context, job, state))
        : showWithoutResult(job, state);
      jobs.push({ ...view, account: context.account.key });
    }
    const counts = countJobs(all.filter(fits));
    return { total: wanted.reduce((sum, name) => sum + counts[name], 0), counts, jobs };
  };
