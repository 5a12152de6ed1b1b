import type { MockJobDetail } from "../../domain/inspect-job.ts";
import type { JobView } from "../../domain/job-view.ts";
import type { FoundJob, FoundJobs, JobSearch } from "../../outcomes/job-search.ts";
import type { PlannedOutcome } from "../../outcomes/outcome.ts";
import type { ConnectedAccountJobs, ConnectedJobs } from "./connected-mock.ts";
import { type Connection, pathOf } from "./connection.ts";
import { readPlanned } from "./endless.ts";

interface OutcomeList {
  readonly outcomes: readonly PlannedOutcome[];
}

/** A job as the server shows it: with the numbers of its entries, which `journal.find` finds too. */
interface ShownJob extends MockJobDetail {
  readonly requests: readonly number[];
}

/** Makes the face of the outcomes that wait. */
const connectOutcomes = ({ ask, askForOne, tell }: Connection, account?: string) => {
  const planned = async (): Promise<readonly PlannedOutcome[]> => {
    const { outcomes } = await ask<OutcomeList>("GET", "jobs/next", { account });
    return outcomes.map(readPlanned);
  };
  return {
    next: async (outcome: object, options?: object): Promise<PlannedOutcome> =>
      readPlanned(await ask("POST", "jobs/next", { account, ...outcome, ...options })),
    planned,
    removePlanned: async (id: string) => {
      // The server takes back any outcome of this id. An account has only its own.
      const isOurs = account === undefined || (await planned()).some((one) => one.id === id);
      return isOurs && (await askForOne("DELETE", pathOf("jobs", "next", id))) !== undefined;
    },
    clearPlanned: () => tell("DELETE", "jobs/next", { account }),
    assertTaken: () => tell("POST", "jobs/next/assert", { account }),
  };
};

/** Jobs in one answer of the server, at most. */
const pageLimit = 1000;

/** Asks for one page of jobs, in the words of a query. */
const askForPage = ({ ask }: Connection, { status, ...search }: JobSearch): Promise<FoundJobs> =>
  ask("GET", "jobs", { ...search, status: status && [status].flat().join() });

/** Searches, and joins the pages of a long answer. */
const search = async (connection: Connection, choice: JobSearch): Promise<FoundJobs> => {
  const { limit = 100, before } = choice;
  const { status, ...anyState } = choice;
  if (Array.isArray(status) && status.length === 0) {
    // A query cannot say "in no state"; the counts are of all states in any case.
    return { ...(await askForPage(connection, { ...anyState, limit: 0 })), total: 0, jobs: [] };
  }
  const jobs: FoundJob[] = [];
  for (;;) {
    const wanted = Math.min(limit - jobs.length, pageLimit);
    const last = jobs.at(-1)?.job_id ?? before;
    const page = await askForPage(connection, {
      ...choice,
      limit: wanted,
      ...(last && { before: last }),
    });
    jobs.push(...page.jobs);
    if (jobs.length >= limit || page.jobs.length < wanted) return { ...page, jobs };
  }
};

/** Makes the face of the jobs of all accounts. */
export const connectJobs = (connection: Connection): ConnectedJobs => {
  const { askForOne, tell } = connection;
  const inspect = async (jobId: string): Promise<MockJobDetail | undefined> => {
    const shown = await askForOne<ShownJob>("GET", pathOf("jobs", jobId));
    if (shown === undefined) return undefined;
    const { requests: _, ...detail } = shown;
    return detail;
  };
  return {
    ...connectOutcomes(connection),
    complete: (jobId, result) => tell("POST", pathOf("jobs", jobId, "complete"), { result }),
    fail: (jobId, reason) => tell("POST", pathOf("jobs", jobId, "fail"), { reason }),
    expire: (jobId) => tell("POST", pathOf("jobs", jobId, "expire")),
    inspect,
    find: async (jobId) => (await inspect(jobId))?.job,
    search: (choice = {}) => search(connection, choice),
    all: async () => (await search(connection, { limit: Number.POSITIVE_INFINITY })).jobs,
  };
};

/** Makes the face of one account's jobs. */
export const connectAccountJobs = (
  connection: Connection,
  account: string,
): ConnectedAccountJobs => {
  const latest = async (limit: number): Promise<readonly JobView[]> => {
    const { jobs } = await search(connection, { account, limit: Math.max(0, limit) });
    return jobs.map(({ account: _, ...job }) => job);
  };
  return {
    ...connectOutcomes(connection, account),
    all: () => latest(Number.POSITIVE_INFINITY),
    latest,
    count: async () => (await search(connection, { account, limit: 0 })).total,
  };
};
