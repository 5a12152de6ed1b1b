import { closable } from "../closable.ts";
import type { Action } from "../contract/actions.ts";
import { isFinished, type Job } from "../contract/jobs.ts";
import { showCaller } from "../errors/adgen-error.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import type { JobRef, PollClient, ResultOf } from "../resources/job-ref.ts";
import { type PollOptions, resolvePollOptions, type WaitProgress } from "./poll-options.ts";
import { pollerOf } from "./poller.ts";
import { readerOf } from "./read-job.ts";
import { Wait } from "./wait.ts";

/** A wait as an async iterator. */
export interface JobWatch<R = unknown> extends AsyncGenerator<Job<R>, void, undefined> {
  /** Progress by now; absent before the first step. */
  readonly progress: WaitProgress | undefined;
}

/**
 * Waits for a job like {@link pollJob}, giving the job after every poll: an async iterator that
 * ends after the finished job. Leaving the loop ends the wait, and so does `return()`, also while
 * a poll is under way.
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
  const poller = pollerOf(readerOf("watchJob", client));
  const { signal } = config;
  const stop = new AbortController();
  const onAbort = () => stop.abort(signal?.reason);
  let isLeft = false;
  let wait: Wait | undefined;

  const watchUntilLeft = async function* (): AsyncGenerator<Job, void, undefined> {
    signal?.addEventListener("abort", onAbort);
    if (signal?.aborted) onAbort();
    wait = new Wait(poller, job as JobRef, { ...config, signal: stop.signal });
    try {
      for (;;) {
        const { job, error } = await wait
          .run(true)
          .catch((thrown) => ({ job: undefined, error: thrown }));
        if (isLeft) return;
        if (job !== undefined) yield job;
        if (error !== undefined) throw showCaller(error);
        if (job !== undefined && isFinished(job.status)) return;
      }
    } finally {
      signal?.removeEventListener?.("abort", onAbort);
    }
  };

  const iterator = closable(watchUntilLeft(), () => {
    isLeft = true;
    stop.abort();
  });
  const watch = Object.defineProperty(iterator, "progress", {
    get: () => wait?.progress,
  });
  // The client has checked the result by its schema for the action.
  return watch as JobWatch<ResultOf<S, A>>;
};
