import { type PollJobsOptions, pollJobs } from "adgen-sdk";
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

export interface FakeOptions extends FakedOptions {
  /** When each job finishes. @default never */
  readonly endOf?: (index: number) => number;
  /** Returns a response in place of the usual one. */
  readonly answerOf?: (request: FakeRequest) => Step | undefined;
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
 * Creates a service with `count` jobs and no list. Its responses take 20 ms, and its random numbers
 * are the same in each run.
 */
export const createFakeService = (
  count: number,
  {
    endOf = () => Number.POSITIVE_INFINITY,
    answerOf = () => undefined,
    ...options
  }: FakeOptions = {},
) => {
  const ends = new Map(idsOf(count).map((id, index) => [id, endOf(index)]));
  const answer = (request: FakeRequest): Step => {
    const special = answerOf(request);
    if (special !== undefined) return special;
    const endsAt = ends.get(request.id);
    if (endsAt === undefined) return 404;
    const isDone = faked.now() >= endsAt;
    return isDone ? success({ status: "completed", result: request.id }) : "processing";
  };
  const faked = createFakedClient(answer, { latencyMs: 20, random: createRandom(1), ...options });
  const { client, now } = faked;
  return {
    ...faked,
    /** Waits for all jobs. */
    pollAll: (pollOptions?: PollJobsOptions) =>
      watchPromise(pollJobs(client, idsOf(count), pollOptions), now),
  };
};

export const passTime = (ms: number) => vi.advanceTimersByTimeAsync(ms);
