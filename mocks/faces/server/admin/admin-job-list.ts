import type { JobStatus } from "../../../../src/contract/jobs.ts";
import type { JobView } from "../../../domain/job-view.ts";
import type { MockAccount } from "../../../service/account.ts";
import type { MockService } from "../../../service/mock-service.ts";

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

/** Not opened: what a job has made is drawn when somebody looks at it. */
interface Place {
  readonly key: string;
  readonly job: JobView;
}

const placesOf = ({ key }: MockAccount, jobs: readonly JobView[]): Place[] =>
  jobs.map((job) => ({ key, job }));

/** ISO times of one length sort as text. The sort is stable: an account's order stays. */
const newestFirst = (places: Place[], limit: number): Place[] =>
  places
    .sort(({ job: { created_at: one } }, { job: { created_at: other } }) => {
      if (one === other) return 0;
      return one < other ? 1 : -1;
    })
    .slice(0, limit);

/**
 * Each account's share first, then more of those whose share was used up: the newest of a
 * hundred accounts cost little more than those of one.
 */
const findNewest = (accounts: readonly MockAccount[], limit: number): Place[] => {
  const share = Math.ceil(limit / Math.max(accounts.length, 1));
  const taken = accounts.map((account) => ({
    account,
    asked: share,
    places: placesOf(account, account.jobs.latest(share)),
  }));
  for (;;) {
    const newest = newestFirst(
      taken.flatMap(({ places }) => places),
      limit,
    );
    const shown = new Set(newest);
    const short = taken.filter(({ asked, places }) => {
      const last = places.at(-1);
      return asked < limit && places.length === asked && last !== undefined && shown.has(last);
    });
    if (short.length === 0) return newest;
    for (const one of short) {
      one.asked = Math.min(one.asked * 2, limit);
      one.places = placesOf(one.account, one.account.jobs.latest(one.asked));
    }
  }
};

const findFitting = (accounts: readonly MockAccount[], status: JobStatus): Place[] =>
  accounts.flatMap((account) =>
    placesOf(
      account,
      account.jobs.all.filter((job) => job.status === status),
    ),
  );

/** The newest jobs of all accounts, or of one. */
export const listOwnedJobs = (
  service: MockService,
  { account, status, limit }: JobChoice,
): OwnedJob[] => {
  const accounts = account === undefined ? service.accounts : [service.account(account)];
  const places =
    status === undefined
      ? findNewest(accounts, limit)
      : newestFirst(findFitting(accounts, status), limit);
  return places.map(({ key, job }) => ({ ...job, account: key }));
};
