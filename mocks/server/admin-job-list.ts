import type { JobStatus } from "../../src/contract/jobs.ts";
import type { MockAccount } from "../account.ts";
import type { JobView } from "../domain/jobs.ts";
import type { MockService } from "../mock-service.ts";

/** A job, and whose it is. */
export interface OwnedJob extends JobView {
  readonly account: string;
}

/** Which jobs to list. */
export interface JobChoice {
  /** One API key's. */
  readonly account?: string;
  readonly status?: JobStatus;
  readonly limit: number;
}

const newestOf = (account: MockAccount, { status, limit }: JobChoice): OwnedJob[] => {
  const { all } = account.jobs;
  const fitting = status === undefined ? all : all.filter((job) => job.status === status);
  return fitting.slice(0, limit).map((job) => ({ ...job, account: account.key }));
};

/** The newest jobs of all accounts, or of one. */
export const listOwnedJobs = (service: MockService, choice: JobChoice): OwnedJob[] => {
  const accounts =
    choice.account === undefined ? service.accounts : [service.account(choice.account)];
  const newest = accounts.flatMap((account) => newestOf(account, choice));
  // ISO times of one length: they sort as text. The sort is stable: an account's order stays.
  newest.sort((one, other) =>
    one.created_at === other.created_at ? 0 : one.created_at < other.created_at ? 1 : -1,
  );
  return newest.slice(0, choice.limit);
};

export const countJobs = (accounts: readonly MockAccount[]): number =>
  accounts.reduce((sum, account) => sum + account.jobs.all.length, 0);

export const findOwnedJob = (service: MockService, id: string): OwnedJob | undefined => {
  for (const account of service.accounts) {
    const job = account.jobs.all.find(({ job_id }) => job_id === id);
    if (job) return { ...job, account: account.key };
  }
  return undefined;
};
