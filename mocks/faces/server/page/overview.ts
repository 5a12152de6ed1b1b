import type { JournalEntry } from "../../../journal/entry.ts";
import { maskKey } from "../../../journal/mask-key.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { lookAtAccounts } from "./accounts/account-look.ts";
import { lookAtJobs } from "./jobs/job-look.ts";

/** Requests that the overview shows, so that it costs the same for a million. */
const shownRequests = 50;

/** Shows an entry without its bodies, which may be large. */
const showEntry = (entry: JournalEntry, keys: ReadonlyMap<string, string>) => ({
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

/** Reads the newest of everything, without the time, which always changes. */
export const overview = (service: MockService) => {
  const { accounts, faults, journal } = service;
  const keys = new Map(accounts.map(({ key }) => [maskKey(key), key]));
  const { total, items, brands, savedAds } = lookAtAccounts(service);
  const jobs = lookAtJobs(service);
  return {
    accounts: { total, items },
    jobs: {
      total: jobs.total,
      counts: jobs.counts,
      items: jobs.lanes.flatMap((lane) => lane.items),
    },
    brands,
    savedAds,
    faults: faults.planned,
    journal: {
      total: journal.count,
      items: [...journal.latest(shownRequests)].reverse().map((entry) => showEntry(entry, keys)),
    },
  };
};

/** Data that `GET /__mock/state` shows. */
export type Overview = ReturnType<typeof overview>;

export type EntryOverview = Overview["journal"]["items"][number];
