import { type JobStatus, jobStatuses } from "../../../../../src/contract/jobs.ts";
import type { MockService } from "../../../../service/mock-service.ts";
import { actionGroups, type Choice } from "../choice.ts";
import { showJob } from "./show-job.ts";

/** States of the jobs in each lane, and how many jobs a lane shows. */
const lanes = [
  { id: "queued", title: "Queued", statuses: ["queued"], limit: 8 },
  { id: "processing", title: "Processing", statuses: ["processing"], limit: 8 },
  { id: "finished", title: "Finished", statuses: ["completed", "failed"], limit: 12 },
] as const;

const mostOfLane = Math.max(...lanes.map(({ limit }) => limit));

/** Jobs on a page of the list of one state. */
const pageSize = 40;

const none = { queued: 0, processing: 0, completed: 0, failed: 0 };

/** Reads the jobs that are chosen: some of each lane, or a page of one state. */
export const lookAtJobs = (service: MockService, choice: Partial<Choice> = {}) => {
  const { account, text, status, before } = choice;
  const action = choice.action === undefined ? undefined : actionGroups[choice.action];
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
  const sum = (statuses: readonly JobStatus[]): number =>
    statuses.reduce((total, name) => total + counts[name], 0);
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
    all: service.jobs.search({ limit: 0 }).total,
    /** Number of the jobs that fit, in all states. */
    total: sum(jobStatuses),
    counts,
    isKnown,
    isLater,
    /** The list of the chosen state, or else a lane for each stage. */
    lanes: (status === undefined
      ? lanes
      : [{ id: status, title: status, statuses: [status], limit: pageSize }]
    ).map(({ id, title, statuses, limit }) => ({
      id,
      title,
      statuses,
      total: sum(statuses),
      items: list(statuses, limit),
    })),
  };
};

/** The jobs as the page shows them. */
export type JobsLook = ReturnType<typeof lookAtJobs>;

/** Jobs of one stage, or of one state. */
export type Lane = JobsLook["lanes"][number];
