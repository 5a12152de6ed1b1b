import { type ClientOptions, createClient, type PollJobsOptions, pollJobs } from "adgen-sdk";
import { onTestFinished, vi } from "vitest";
import { createRandom } from "../../bench/polling/random.ts";
import { pollOf, type Step, success, watchPromise } from "./scripted-client.ts";

type ShownJob = { readonly job_id: string; readonly status: string; readonly result?: unknown };

interface FakeRequest {
  readonly at: number;
  /** The query, where the list is asked for. */
  readonly list: URLSearchParams | undefined;
  /** Id of a single job. */
  readonly id: string;
}

export interface FakeOptions extends ClientOptions {
  /** When each job finishes. @default never */
  readonly endOf?: (index: number) => number;
  /** Gives an answer in place of the usual one. `list` is the query of a list. */
  readonly answerOf?: (request: FakeRequest) => Step | undefined;
  /** Shows a job in the list, or not. @default as it is, without its result */
  readonly listed?: (job: ShownJob) => ShownJob | undefined;
  /** Time that an answer takes. @default 20 */
  readonly latencyMs?: number;
  /** Chance, which spreads the polls. @default the same in each run */
  readonly random?: () => number;
}

/** Ids of so many jobs. */
export const idsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `job_${index}`);

/**
 * Makes a service without a network that knows so many jobs, and lists them, on the clock that the
 * test fakes. `requests` are those for jobs, `lists` the limits of lists, `singles` the ids of others.
 */
export const createFakeService = (
  count: number,
  {
    endOf = () => Number.POSITIVE_INFINITY,
    answerOf = () => undefined,
    listed = ({ job_id, status }) => ({ job_id, status }),
    latencyMs = 20,
    random = createRandom(1),
    ...options
  }: FakeOptions = {},
) => {
  vi.spyOn(Math, "random").mockImplementation(random);
  onTestFinished(() => void vi.restoreAllMocks());
  const startedAt = performance.now();
  const now = () => Math.round(performance.now() - startedAt);
  const ends = new Map(idsOf(count).map((id, index) => [id, endOf(index)]));
  const requests: FakeRequest[] = [];
  let atOnce = 0;
  let mostAtOnce = 0;
  let submissions = 0;

  const show = (job_id: string): ShownJob =>
    now() >= Number(ends.get(job_id))
      ? { job_id, status: "completed", result: job_id }
      : { job_id, status: "processing" };

  const answer = (request: FakeRequest): Step => {
    const special = answerOf(request);
    if (special !== undefined) return special;
    const { list, id } = request;
    if (list === undefined) return ends.has(id) ? success(show(id)) : 404;
    const shown = [...ends.keys()]
      .slice(0, Number(list.get("limit") ?? 100))
      .map(show)
      .map(listed);
    return success({ jobs: shown.filter(Boolean) });
  };

  const client = createClient({
    baseUrl: "http://ads.test",
    apiKey: "test-key",
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (request.method === "POST") {
        return success({ job_id: `job_${submissions++}`, status: "queued" }, 202)(request);
      }
      const id = pathname.slice("/v1/jobs/".length);
      const received = { at: now(), list: id === "" ? searchParams : undefined, id };
      requests.push(received);
      mostAtOnce = Math.max(mostAtOnce, ++atOnce);
      try {
        if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
        return await pollOf(answer(received))(request);
      } finally {
        atOnce--;
      }
    },
    ...options,
  });

  return {
    client,
    now,
    /** When each job finishes; an id that is not in it is a 404. */
    ends,
    requests,
    lists: () => requests.flatMap(({ list }) => (list ? [list.get("limit")] : [])),
    singles: () => requests.flatMap(({ list, id }) => (list ? [] : [id])),
    mostAtOnce: () => mostAtOnce,
    /** Waits for all jobs. */
    pollAll: (pollOptions?: PollJobsOptions) =>
      watchPromise(pollJobs(client, idsOf(count), pollOptions), now),
  };
};

/** Waits for all jobs of such a service to the end. */
export const pollToEnd = async (count: number, fake?: FakeOptions, options?: PollJobsOptions) => {
  const service = createFakeService(count, fake);
  const all = service.pollAll(options);
  await vi.runAllTimersAsync();
  return { ...service, all };
};

export const passTime = (ms: number) => vi.advanceTimersByTimeAsync(ms);
