import type { JournalEntry } from "../../../journal/entry.ts";
import { maskKey } from "../../../journal/mask-key.ts";
import type { MockAccount } from "../../../service/account.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { listOwnedJobs, type OwnedJob } from "../admin/job-list.ts";
import { type Made, showMade, showThing, type Thing } from "./made.ts";

/** Items of each list that the overview shows, so that it costs the same for a million jobs. */
const shown = { accounts: 50, ledger: 12, jobs: 48, things: 24, journal: 50 };

/** The first or newest items of a list, and the length of the whole list. */
export interface Cut<Item> {
  readonly total: number;
  readonly items: readonly Item[];
}

/** An account as the page shows it. */
export interface AccountOverview extends Pick<MockAccount, "key" | "credits"> {
  /** Seconds by which the account's clock is ahead of the service's. */
  readonly aheadSeconds: number;
  readonly ledger: Cut<MockAccount["ledger"][number]>;
  readonly brands: Cut<Thing>;
  readonly savedAds: Cut<Thing>;
}

/** A job as the page shows it. */
export interface JobOverview extends Omit<OwnedJob, "result"> {
  readonly made?: Made;
}

/** A request as the page lists it: `GET /__mock/journal/:number` has its bodies. */
export interface EntryOverview
  extends Pick<JournalEntry, "number" | "at" | "method" | "operation" | "action" | "accepted"> {
  readonly path: string;
  readonly account: string | undefined;
  readonly status: number | undefined;
  readonly fault: string | undefined;
}

/** Data that the page and `GET /__mock/state` show. The time is not in it, since it always changes. */
export interface Overview {
  readonly accounts: Cut<AccountOverview>;
  readonly jobs: Cut<JobOverview>;
  readonly faults: MockService["faults"]["planned"];
  readonly journal: Cut<EntryOverview>;
}

const cutThings = (things: readonly ({ readonly id: string } & object)[]): Cut<Thing> => ({
  total: things.length,
  items: things.slice(0, shown.things).map(showThing),
});

const showAccount = (account: MockAccount, serviceTime: number): AccountOverview => ({
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

const showJob = ({ result, ...job }: OwnedJob): JobOverview => ({
  ...job,
  ...(result !== undefined && { made: showMade(job.job_id, result) }),
});

const showEntry = (entry: JournalEntry, keys: ReadonlyMap<string, string>): EntryOverview => ({
  number: entry.number,
  at: entry.at,
  method: entry.method,
  path: entry.path.slice(0, 300),
  operation: entry.operation,
  action: entry.action,
  // The page shows whole keys anyway, and a masked key tells a reader little.
  account: keys.get(entry.account ?? "") ?? entry.account,
  status: entry.answer?.status,
  accepted: entry.accepted,
  fault: entry.fault?.kind,
});

/** Reads the newest of everything that a service has. */
export const overview = (service: MockService): Overview => {
  const { accounts, clock, faults, journal } = service;
  const now = clock.now();
  const keys = new Map(accounts.map(({ key }) => [maskKey(key), key]));
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
