import type { JobStatus } from "../../../../../src/contract/jobs.ts";
import type { MockService } from "../../../../service/mock-service.ts";
import type { Choice } from "../choice.ts";
import { showJob } from "./show-job.ts";

/**
 * States of the jobs in each lane, and how many jobs a lane shows. On a narrow screen the style sheet
 * hides those after `narrow`.
 */
const lanes = [
  { id: "queued", title: "Queued", statuses: ["queued"], limit: 8, narrow: 4 },
  { id: "processing", title: "Processing", statuses: ["processing"], limit: 8, narrow: 4 },
  { id: "finished", title: "Finished", statuses: ["completed", "failed"], limit: 16, narrow: 6 },
] as const;

const mostOfLane = Math.max(...lanes.map(({ limit }) => limit));

/** Jobs on a page of the list of one state. */
const pageSize = 40;

const titles = {
  queued: "Queued",
  processing: "Processing",
  completed: "Completed",
  failed: "Failed",
};

const none = { queued: 0, processing: 0, completed: 0, failed: 0 };

/** Reads the jobs that are chosen: some of each lane, or a page of one state. */
export const lookAtJobs = (service: MockService, choice: Choice = {}) => {
  const { account, action, text, status, before } = choice;
  const isKnown = account === undefined || service.accounts.some(({ key }) => key === account);
  const isLater =
    status !== undefined && before !== undefined && service.jobs.inspect(before) !== undefined;
  const { counts, jobs } = isKnown
    ? service.jobs.search({
        ...(account !== undefined && { account }),
        ...(action !== undefined && { action }),
        ...(text !== undefined && { text }),
        ...(status === undefined ? { each: mostOfLane } : { status, limit: pageSize }),
        ...(isLater && { before }),
        results: false,
      })
    : { counts: none, jobs: [] };
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isFiltered = account !== undefined || action !== undefined || text !== undefined;
  const parts =
    status === undefined
      ? lanes
      : [
          {
            id: status,
            title: titles[status],
            statuses: [status] as const,
            limit: pageSize,
            narrow: pageSize,
          },
        ];
  const list = (statuses: readonly JobStatus[], limit: number) =>
    jobs
      .filter((job) => statuses.includes(job.status))
      .slice(0, limit)
      .flatMap(({ job_id }) => {
        const detail = service.jobs.inspect(job_id);
        return detail === undefined ? [] : [showJob(detail)];
      });
  return {
    /** Number of all jobs that there are. */
    all: isFiltered ? service.jobs.search({ limit: 0 }).total : total,
    /** Number of the jobs that fit, in all states. */
    total,
    counts,
    isKnown,
    isLater,
    lanes: parts.map(({ id, title, statuses, limit, narrow }) => ({
      id,
      title,
      statuses,
      narrow,
      items: list(statuses, limit),
    })),
  };
};

/** The jobs as the page shows them. */
export type JobsLook = ReturnType<typeof lookAtJobs>;

export type Lane = JobsLook["lanes"][number];
