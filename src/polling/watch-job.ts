import type { Action } from "../contract/actions.ts";
import { isFinished, type Job } from "../contract/jobs.ts";
import { showCaller } from "../errors/adgen-error.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import type { JobRef, PollClient, ResultOf } from "../resources/job-ref.ts";
import { type PollOptions, resolvePollOptions, type WaitProgress } from "./poll-options.ts";
import { readerOf } from "./reader.ts";
import { schedulerOf } from "./scheduler/scheduler-of.ts";
import type { Wait } from "./wait.ts";

/** A wait as an async iterator. */
export interface JobWatch<R = unknown> extends AsyncGenerator<Job<R>, void, undefined> {
  /** Progress by now; absent before the first step. */
  readonly progress: WaitProgress | undefined;
}

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
): JobWatch<ResultOf<S, A>> => {
  const config = resolvePollOptions("watchJob", options);
  const scheduler = schedulerOf(readerOf("watchJob", client));
  const { signal } = config;
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  let isLeft = false;
  let wait: Wait | undefined;

  const watchUntilLeft = async function* (): AsyncGenerator<Job, void, undefined> {
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
    wait = scheduler.createWait(job as JobRef, { ...config, signal: stop.signal }, undefined, true);
    try {
      for (;;) {
        const seen = await scheduler.run(wait).catch((error) => {
          if (!isLeft) throw showCaller(error);
        });
        if (seen === undefined) return;
        yield seen;
        if (isFinished(seen.status)) return;
      }
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
  const watch = Object.defineProperty(iterator, "progress", {
    get: () => wait && scheduler.progressOf(wait),
  });
  // The client has checked the result by its schema for the action.
  return watch as JobWatch<ResultOf<S, A>>;
};
