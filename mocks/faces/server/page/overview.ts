import type { MockService } from "../../../service/mock-service.ts";

/** Jobs, and requests, that the overview shows. */
const most = 50;

/** Characters of a path or an error. */
const longestText = 300;

/** Reads the newest of everything, without the time, which always changes. */
export const overview = ({ accounts, jobs, faults, journal }: MockService) => {
  const { total, counts, jobs: found } = jobs.search({ limit: most, results: false });
  const requests = [...journal.latest(most)].reverse();
  return {
    accounts: accounts.map(({ key, credits, counts }) => ({ key, credits, counts })),
    jobs: {
      ...{ total, counts },
      items: found.map(({ error, ...job }) => ({ ...job, error: error?.slice(0, longestText) })),
    },
    faults: faults.planned,
    outcomes: jobs.planned,
    journal: {
      total: journal.count,
      items: requests.map(({ body: _, answer, path, ...entry }) => ({
        ...entry,
        path: path.slice(0, longestText),
        status: answer?.status,
      })),
    },
  };
};
