import type { Action } from "../contract/actions.ts";
import type { Job } from "../contract/jobs.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { type JobRef, type PollClient, type ResultOf, usableIdOf } from "../resources/job-ref.ts";
import { lookOf } from "./look.ts";
import { type PollOptions, resolvePollOptions } from "./poll-options.ts";
import { watch } from "./watch.ts";

/**
 * Waits for a job like {@link pollJob}, giving the job after every look: an async iterator that
 * ends after the finished job. Leaving the loop ends the wait, and so does `return()`, also while
 * a look is under way.
 *
 * @throws {@link AdGenError}, while iterating: what `pollJob` throws. Bad options are refused
 * at once (`invalid_request`).
 * @see API v1, section 3 "States and transitions"
 * @example
 * for await (const job of watchJob(client, id)) console.log(job.status);
 */
export const watchJob = <S extends ClientSchemas = ClientSchemas, A extends Action = never>(
  client: PollClient<S>,
  job: JobRef<A>,
  options?: PollOptions<ResultOf<S, A>>,
): AsyncGenerator<Job<ResultOf<S, A>>, void, undefined> => {
  const config = resolvePollOptions("watchJob", options);
  const look = lookOf("watchJob", client, job as JobRef);
  const { signal } = config;
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  let isLeft = false;

  const watchUntilLeft = async function* (): AsyncGenerator<Job, void, undefined> {
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
    try {
      yield* watch(look, usableIdOf(job), { ...config, signal: stop.signal });
    } catch (error) {
      if (!isLeft) throw error;
    } finally {
      signal?.removeEventListener?.("abort", onAbort);
    }
  };

  const iterator = watchUntilLeft();
  const leave = () => {
    isLeft = true;
    stop.abort();
  };
  const close = iterator.return.bind(iterator);
  const fail = iterator.throw.bind(iterator);
  // A generator's own methods take effect at the next yield: a look or a pause would go on.
  iterator.return = (value) => {
    leave();
    return close(value);
  };
  iterator.throw = (error) => {
    leave();
    return fail(error);
  };
  // The client has checked the result by its schema for the action.
  return iterator as AsyncGenerator<Job<ResultOf<S, A>>, void, undefined>;
};
