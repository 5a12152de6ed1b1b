import type { JournalEntry } from "../../../journal/entry.ts";
import { maskKey } from "../../../journal/mask-key.ts";
import type { MockAccount } from "../../../service/account.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { listOwnedJobs } from "../admin/job-list.ts";
import { showMade } from "./admin-made.ts";
import { showThing } from "./admin-thing.ts";

/** How much of each the overview shows, so that it costs the same for a million jobs. */
const shown = { accounts: 50, ledger: 12, jobs: 48, things: 24, journal: 50 };

/** A list that was cut, and how long it was. */
const cut = <Item>(items: readonly Item[], most: number) => ({
  total: items.length,
  items: items.slice(0, most),
});

const newestFirst = <Item>(items: readonly Item[], most: number) => ({
  total: items.length,
  items: items.slice(-most).reverse(),
});

const shorten = <Item, View>(items: readonly Item[], show: (item: Item) => View) => {
  const { total, items: first } = cut(items, shown.things);
  return { total, items: first.map(show) };
};

const showAccount = (account: MockAccount, serviceTime: number) => ({
  key: account.key,
  // In whole seconds: between the two readings a real clock has moved on.
  aheadSeconds: Math.round((account.clock.now() - serviceTime) / 1000),
  credits: account.credits,
  ledger: newestFirst(account.ledger, shown.ledger),
  brands: shorten(account.brands, showThing),
  savedAds: shorten(account.savedAds, showThing),
});

/** Without the bodies, which may be large: those are at `/__mock/journal/:number`. */
const showEntry = (entry: JournalEntry, keys: ReadonlyMap<string, string>) => ({
  number: entry.number,
  at: entry.at,
  method: entry.method,
  path: entry.path.slice(0, 300),
  operation: entry.operation,
  action: entry.action,
  // The page shows whole keys anyway, and masked ones tell a reader little.
  account: keys.get(entry.account ?? "") ?? entry.account,
  status: entry.answer?.status,
  accepted: entry.accepted,
  fault: entry.fault?.kind,
});

const showJobs = (service: MockService) => ({
  total: service.accounts.reduce((sum, { jobs }) => sum + jobs.count, 0),
  items: listOwnedJobs(service, { limit: shown.jobs }).map(({ result, ...job }) => ({
    ...job,
    ...(result !== undefined && { made: showMade(job.job_id, result) }),
  })),
});

/** What the page shows, but for the time: that has its own header, and changes by itself. */
export const overview = (service: MockService) => {
  const now = service.clock.now();
  const accounts = cut(service.accounts, shown.accounts);
  const { journal } = service;
  const latest = [...journal.latest(shown.journal)].reverse();
  const keys = new Map(service.accounts.map(({ key }) => [maskKey(key), key]));
  return {
    accounts: {
      total: accounts.total,
      items: accounts.items.map((account) => showAccount(account, now)),
    },
    jobs: showJobs(service),
    faults: service.faults.planned,
    journal: { total: journal.count, items: latest.map((entry) => showEntry(entry, keys)) },
  };
};

export type Overview = ReturnType<typeof overview>;
