import { type PollJobsOptions, type PollOptions, pollJob, pollJobs } from "adgen-sdk";
import { vi } from "vitest";
import { createRandom } from "../../helpers/random.ts";
import {
  createFakedClient,
  type FakedOptions,
  type FakeRequest,
  type Step,
  success,
  watchPromise,
} from "./scripted-client.ts";

type ShownJob = { readonly job_id: string; readonly status: string; readonly result?: unknown };

export interface FakeOptions extends FakedOptions {
  /** When each job finishes. @default never */
  readonly endOf?: (index: number) => number;
  /** Gives an answer in place of the usual one. `list` is the query of a list. */
  readonly answerOf?: (request: FakeRequest) => Step | undefined;
  /** Shows a job in the list, or not. @default as it is, without its result */
  readonly listed?: (job: ShownJob) => ShownJob | undefined;
}

/** Returns the ids of `count` jobs. */
export const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `job_${index}`);

/** The results of waits for `count` completed jobs. */
export const completed = (count: number) =>
  idsOf(count).map((id, index) => ({
    ...{ index, jobId: id, ok: true },
    data: { job_id: id, status: "completed", result: id },
  }));

/**
 * Creates a service with `count` jobs. Its responses take 20 ms, and its random numbers are the same
 * in each run. `lists` are the limits of lists, `singles` the ids of single polls.
 */
export const createFakeService = (
  count: number,
  {
    endOf = () => Number.POSITIVE_INFINITY,
    answerOf = () => undefined,
    listed = ({ job_id, status }) => ({ job_id, status }),
    ...options
  }: FakeOptions = {},
) => {
  const ends = new Map(idsOf(count).map((id, index) => [id, endOf(index)]));
  let submissions = 0;

  const show = (job_id: string): ShownJob =>
    faked.now() >= Number(ends.get(job_id))
      ? { job_id, status: "completed", result: job_id }
      : { job_id, status: "processing" };

  const answer = (request: FakeRequest): Step => {
    const special = answerOf(request);
    if (special !== undefined) return special;
    const { list, id, isPost } = request;
    if (isPost) return success({ job_id: `job_${submissions++}`, status: "queued" }, 202);
    if (list === undefined) return ends.has(id) ? success(show(id)) : 404;
    const shown = [...ends.keys()]
      .slice(0, Number(list.get("limit") ?? 100))
      .map(show)
      .map(listed);
    return success({ jobs: shown.filter(Boolean) });
  };

  const faked = createFakedClient(answer, { latencyMs: 20, random: createRandom(1), ...options });
  const { client, now, requests } = faked;
  return {
    ...faked,
    /** When each job finishes. Any other id gets a 404. */
    ends,
    lists: () => requests.flatMap(({ list }) => (list ? [list.get("limit")] : [])),
    singles: () => requests.flatMap(({ id }) => (id ? [id] : [])),
    /** Waits for each job in a call of its own. */
    pollEach: (optionsOf: (index: number) => PollOptions) =>
      idsOf(count).map((id, index) => watchPromise(pollJob(client, id, optionsOf(index)), now)),
    /** Waits for all jobs. */
    pollAll: (pollOptions?: PollJobsOptions) =>
      watchPromise(pollJobs(client, idsOf(count), pollOptions), now),
  };
};

export const passTime = (ms: number) => vi.advanceTimersByTimeAsync(ms);
