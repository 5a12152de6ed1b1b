import type { MockAccount } from "../../../service/account.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { listOwnedJobs, type OwnedJob } from "../owned-jobs.ts";
import { keysByMask, showEntry } from "./journal/journal-look.ts";
import { showMade, showThing } from "./made.ts";

/** Items of each list that the overview shows, so that it costs the same for a million jobs. */
const shown = { accounts: 50, ledger: 12, jobs: 48, things: 24, journal: 50 };

const cutThings = (things: readonly ({ readonly id: string } & object)[]) => ({
  total: things.length,
  items: things.slice(0, shown.things).map(showThing),
});

const showAccount = (account: MockAccount, serviceTime: number) => ({
  key: account.key,
  // Whole seconds, because a real clock moves on between the two readings.
  aheadSeconds: Math.round((account.clock.now() - serviceTime) / 1000),
  credits: account.credits,
  ledger: {
    total: account.ledger.length,
    items: account.ledger.slice(-shown.ledger).reverse(),
  },
  brands: cutThings(account.brands),
  savedAds: cutThings(account.savedAds),
});

const showJob = ({ result, ...job }: OwnedJob) => ({
  ...job,
  ...(result !== undefined && { made: showMade(job.job_id, result) }),
});

/** Reads the newest of everything, without the time, which always changes. */
export const overview = (service: MockService) => {
  const { accounts, clock, faults, journal } = service;
  const now = clock.now();
  const keys = keysByMask(service);
  return {
    accounts: {
      total: accounts.length,
      items: accounts.slice(0, shown.accounts).map((account) => showAccount(account, now)),
    },
    jobs: {
      total: accounts.reduce((sum, { jobs }) => sum + jobs.count, 0),
      items: listOwnedJobs(service, { limit: shown.jobs }).map(showJob),
    },
    faults: faults.planned,
    journal: {
      total: journal.count,
      items: [...journal.latest(shown.journal)].reverse().map((entry) => showEntry(entry, keys)),
    },
  };
};

/** Data that the page and `GET /__mock/state` show. */
export type Overview = ReturnType<typeof overview>;

export type AccountOverview = Overview["accounts"]["items"][number];

export type JobOverview = Overview["jobs"]["items"][number];
