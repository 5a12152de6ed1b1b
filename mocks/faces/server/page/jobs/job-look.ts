import { type JobStatus, jobStatuses } from "../../../../../src/contract/jobs.ts";
import type { MockJobDetail } from "../../../../domain/inspect-job.ts";
import { cutText } from "../../../../seeded/cut-text.ts";
import type { MockService } from "../../../../service/mock-service.ts";
import { actionGroups, type Choice } from "../choice.ts";
import { showMade } from "./made.ts";

/** States of the jobs in each lane. */
const lanes = [
  { id: "queued", title: "Queued", statuses: ["queued"] },
  { id: "processing", title: "Processing", statuses: ["processing"] },
  { id: "finished", title: "Finished", statuses: ["completed", "failed"] },
] as const;

/** Jobs of each state in its lane, and on a page of the list of one state. */
const most = { ofLane: 8, ofPage: 40 };

const none = { queued: 0, processing: 0, completed: 0, failed: 0 };

/** Graphemes that a card has room for. */
const longest = { prompt: 160, error: 300, parameter: 40 };

const mostParameters = 4;

/** Cuts a text, also one whose graphemes are long. */
const cut = (text: string, most: number): string => cutText(text, most, 4 * most);

/** Fields of a request that a card shows in places of their own. */
const placed = new Set(["action", "prompt", "brand_id"]);

const units: Readonly<Record<string, (value: unknown) => string>> = {
  variations: (value) => `${value} ${value === 1 ? "variation" : "variations"}`,
  duration: (value) => `${value} s`,
};

/** Describes a field of a request in a few words. */
const describeParameter = ([name, value]: readonly [string, unknown]): string => {
  const shortName = cut(name, longest.parameter);
  if (Array.isArray(value)) return `${value.length} ${shortName}`;
  if (typeof value === "object" || value === true) return shortName;
  return cut(units[name]?.(value) ?? `${shortName} ${value}`, longest.parameter);
};

/** Shows a job as a card does: its request, its cost and what it made, all of it short. */
export const showJob = ({ job, account, request, brand, cost }: MockJobDetail) => {
  const { result, error, ...view } = job;
  const { prompt } = request;
  const others = Object.entries(request).filter(([name]) => !placed.has(name));
  const parameters = others.slice(0, mostParameters).map(describeParameter);
  const rest = others.length - parameters.length;
  return {
    ...view,
    error: error === undefined ? undefined : cut(error, longest.error),
    account,
    prompt: typeof prompt === "string" ? cut(prompt, longest.prompt) : undefined,
    parameters: rest > 0 ? [...parameters, `${rest} more`] : parameters,
    brand,
    cost,
    made: result === undefined ? undefined : showMade(job.job_id, result),
  };
};

/** A job as a card shows it. */
export type JobOverview = ReturnType<typeof showJob>;

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
        ...(status === undefined ? { each: most.ofLane } : { status, limit: most.ofPage }),
        ...(isLater && { before }),
        results: false,
      })
    : { counts: none, jobs: [] };
  const sum = (statuses: readonly JobStatus[]): number =>
    statuses.reduce((total, name) => total + counts[name], 0);
  const list = (statuses: readonly JobStatus[]) =>
    jobs
      .filter((job) => statuses.includes(job.status))
      .flatMap(({ job_id }) => service.jobs.inspect(job_id) ?? [])
      .map(showJob);
  return {
    /** Number of all jobs that there are. */
    all: service.jobs.search({ limit: 0 }).total,
    /** Number of the jobs that fit, in all states. */
    total: sum(jobStatuses),
    counts,
    isKnown,
    isLater,
    /** The list of the chosen state, or else a lane for each stage. */
    lanes: (status === undefined ? lanes : [{ id: status, title: status, statuses: [status] }]).map(
      (lane) => ({ ...lane, total: sum(lane.statuses), items: list(lane.statuses) }),
    ),
  };
};

/** The jobs as the page shows them. */
export type JobsLook = ReturnType<typeof lookAtJobs>;

/** Jobs of one stage, or of one state. */
export type Lane = JobsLook["lanes"][number];
