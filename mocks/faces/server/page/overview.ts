import type { MockService } from "../../../service/mock-service.ts";
import { lookAtAccounts } from "./accounts/account-look.ts";
import { lookAtJobs } from "./jobs/job-look.ts";
import { keysByMask, showEntry } from "./journal/journal-look.ts";

/** Requests that the overview shows. */
const shownRequests = 50;

/** Reads the newest of everything, without the time, which always changes. */
export const overview = (service: MockService) => {
  const { faults, journal } = service;
  const keys = keysByMask(service);
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
    outcomes: service.jobs.planned,
    journal: {
      total: journal.count,
      items: [...journal.latest(shownRequests)].reverse().map((entry) => showEntry(entry, keys)),
    },
  };
};
