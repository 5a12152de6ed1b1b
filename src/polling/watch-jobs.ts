import type { Action } from "../contract/actions.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { type JobRef, type PollClient, type ResultOf, usableIdOf } from "../request/job-ref.ts";
import type { RequestResult } from "../result.ts";
import { inSettleOrder } from "../settle-order.ts";
import { type PollJobsOptions, prepareWaits } from "./poll-jobs.ts";

/**
 * Waits for many jobs at once like `pollJobs`, and yields each result as it comes: an async iterator.
 * All waits begin with the first step. Leaving the loop ends those that are left.
 *
 * @throws {@link AdGenError}: `invalid_request` at once, for bad options or for something else
 * than a list. An error of one job is its result.
 * @see API v1, section 3 "States and transitions"
 * @example
 * for await (const { jobId, ok, data, error } of watchJobs(client, jobs)) {
 *   console.log(jobId, ok ? data.status : error.code);
 * }
 */
export const watchJobs = <S extends ClientSchemas = ClientSchemas, A extends Action = never>(
  client: PollClient<S>,
  jobs: object & Iterable<JobRef<A>>,
  options?: PollJobsOptions<ResultOf<S, A>>,
): AsyncGenerator<RequestResult<number, ResultOf<S, A>>, void, undefined> => {
  const waits = prepareWaits("watchJobs", client, jobs as Iterable<JobRef>, options);

  const watch = async function* (): AsyncGenerator<RequestResult, void, undefined> {
    const results = waits.start().map(async (result, index) => {
      const jobId = usableIdOf(waits.jobs[index]);
      return { index, jobId, ...(await result) } as RequestResult;
    });
    try {
      yield* inSettleOrder(results);
    } finally {
      waits.end();
    }
  };
  // The client has checked the results by its schemas for the actions.
  return watch() as AsyncGenerator<RequestResult<number, ResultOf<S, A>>, void, undefined>;
};
