import type { JobStatus } from "../../../src/contract/jobs.ts";
import type { MockAccount } from "../../service/account.ts";
import type { MockService } from "../../service/mock-service.ts";

type JobView = MockAccount["jobs"]["all"][number];

/** A job with the API key of its account. */
export interface OwnedJob extends JobView {
  readonly account: string;
}

/** Choice of the jobs to list. A field left out chooses all. */
interface JobChoice {
  readonly account?: string;
  readonly status?: JobStatus;
  readonly limit: number;
}

const ownedBy = ({ key }: MockAccount, jobs: readonly JobView[]): OwnedJob[] =>
  jobs.map((job) => ({ ...job, account: key }));

/** Sorts jobs by their ISO times, which compare as text. The sort keeps an account's own order. */
const takeNewest = (jobs: OwnedJob[], limit: number): OwnedJob[] =>
  jobs
    .sort(({ created_at: one }, { created_at: other }) => {
      if (one === other) return 0;
      return one < other ? 1 : -1;
    })
    .slice(0, limit);

/**
 * Finds the newest jobs of many accounts. A view of a job draws its pictures, so that few are
 * made: each account gives an equal share first. It gives more while its whole share is listed.
 */
const findNewest = (accounts: readonly MockAccount[], limit: number): OwnedJob[] => {
  const share = Math.ceil(limit / Math.max(accounts.length, 1));
  const taken = accounts.map((account) => ({
    account,
    asked: share,
    jobs: ownedBy(account, account.jobs.latest(share)),
  }));
  for (;;) {
    const newest = takeNewest(
      taken.flatMap(({ jobs }) => jobs),
      limit,
    );
    const listed = new Set(newest);
    const usedUp = taken.filter(({ asked, jobs }) => {
      const last = jobs.at(-1);
      return asked < limit && jobs.length === asked && last !== undefined && listed.has(last);
    });
    if (usedUp.length === 0) return newest;
    for (const one of usedUp) {
      one.asked = Math.min(one.asked * 2, limit);
      one.jobs = ownedBy(one.account, one.account.jobs.latest(one.asked));
    }
  }
};

/** Lists the newest jobs of all accounts, or of one. */
export const listOwnedJobs = (
  service: MockService,
  { account, status, limit }: JobChoice,
): OwnedJob[] => {
  const accounts = account === undefined ? service.accounts : [service.account(account)];
  if (status === undefined) return findNewest(accounts, limit);
  const fitting = accounts.flatMap((one) =>
    ownedBy(
      one,
      one.jobs.all.filter((job) => job.status === status),
    ),
  );
  return takeNewest(fitting, limit);
};
