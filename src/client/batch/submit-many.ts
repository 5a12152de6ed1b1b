import type { Action } from "../../contract/actions.ts";
import type { JobRequest, SubmittedJob } from "../../contract/jobs.ts";
import type { RequestResult } from "../errors/result.ts";
import { describeValue } from "../errors/text.ts";
import type { ResultOf } from "../http/job-ref.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { refuseWrite } from "../options/rules.ts";
import { readIds, readRequests } from "./requests.ts";
import { runBatch } from "./run-batch.ts";
import {
  resolveSubmitManyOptions,
  type SubmitClient,
  type SubmitManyOptions,
} from "./submit-many-options.ts";

/**
 * The results of {@link submitMany} as they come, and the jobs so far. An `await` runs the whole
 * batch, and resolves with the results in the order of the requests.
 */
export interface RequestResults<R = unknown>
  extends AsyncGenerator<RequestResult<R>, void, undefined>,
    PromiseLike<RequestResult<R>[]> {
  /**
   * The submitted jobs so far, by the index of their requests. Jobs are also added after the loop
   * was left.
   */
  readonly submitted: ReadonlyMap<number, SubmittedJob>;
}

/** Lets an `await` read all results. They are read once, however often they are awaited. */
const createThen = <Each extends { readonly index: number }>(
  results: AsyncIterable<Each>,
): PromiseLike<Each[]>["then"] => {
  const readAll = async (): Promise<Each[]> => {
    const all: Each[] = [];
    for await (const result of results) all[result.index] = result;
    return all;
  };
  let reading: Promise<Each[]> | undefined;
  return (onResults, onError) => {
    reading ??= readAll();
    return reading.then(onResults, onError);
  };
};

const requireClient = (client: SubmitClient): void => {
  const jobs = client?.jobs;
  if (typeof jobs?.submit === "function" && typeof jobs.get === "function") return;
  refuseWrite(
    `submitMany takes a client first, and then a list of requests; got ${describeValue(client)}`,
  );
};

/**
 * Submits many requests and waits for their jobs, like `submitAndPoll` for each. It gives every
 * request's result as soon as it is settled. **Each request costs what its submission costs.**
 *
 * All requests are read and checked at the call. The first `next()`, or an `await`, begins to send.
 * After a 401, a 402, or `stopAfterFailures` shared failures in a row, nothing more is sent, but
 * the waits for submitted jobs go on. Each request that was not sent gets an error with
 * `outcome: "not-sent"`, with the code of the failure that stopped the batch, and with that failure
 * as its `cause`. This error has no `status`.
 *
 * Leaving the loop stops sending, ends the waits, and waits for the submissions under way:
 * `submitted` and `onSubmitted` then name every new job. An abort of `signal` ends the submissions
 * too.
 *
 * @param requests The requests: a list, or anything that can be iterated. Read once, at the call.
 * @returns An async iterator of {@link RequestResult}s, with their `index`. `submitted` holds the
 * jobs so far. `await` the iterator to get all results at once, in the order of the requests.
 * @throws `AdGenError`, at the call, before anything is sent
 * - `invalid_request`: an option makes no sense, a request cannot be sent, or there are more than
 *   `maxJobs` or `maxImageCredits` allow.
 * @see API v1, sections 3 and 4
 * @example
 * for await (const { index, ok, data, error } of submitMany(client, requests, { maxJobs: 50 })) {
 *   console.log(index, ok ? data.status : error.message);
 * }
 */
export const submitMany = <S extends ClientSchemas, A extends Action>(
  client: SubmitClient<S>,
  // An array is also an iterable. Naming it first makes the compiler's messages short.
  requests: readonly JobRequest<A>[] | Iterable<JobRequest<A>>,
  options: SubmitManyOptions<ResultOf<S, A>> = {},
): RequestResults<ResultOf<S, A>> => {
  requireClient(client);
  const config = resolveSubmitManyOptions(options);
  const bodies = readRequests(requests, config);
  const batch = runBatch(client, bodies, readIds(bodies, config.once), config);
  // biome-ignore lint/suspicious/noThenProperty: without it, an awaited batch would never be sent
  const results = Object.assign(batch, { then: createThen(batch) });
  // The client has checked the results by its schemas for the actions.
  return results as RequestResults<ResultOf<S, A>>;
};
