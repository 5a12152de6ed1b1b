import { closable } from "../closable.ts";
import type { Action } from "../contract/actions.ts";
import { isFinished, type Job } from "../contract/jobs.ts";
import { traceWait } from "../diagnostics.ts";
import { showCaller } from "../errors/adgen-error.ts";
import { linkSignal } from "../linked-signal.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import type { JobRef, PollClient, ResultOf } from "../request/job-ref.ts";
import { type PollOptions, resolvePollOptions, type WaitProgress } from "./poll-options.ts";
import { pollerOf } from "./poller.ts";
import { readerOf } from "./read-jobs.ts";
import type { Wait } from "./wait.ts";

/** A wait as an async iterator. */
export interface JobWatch<R = unknown> extends AsyncGenerator<Job<R>, void, undefined> {
  /** Progress by now; absent before the first step. */
  readonly progress: WaitProgress | undefined;
}

/**
 * Waits for a job like {@link pollJob}, and yields the job after every poll: an async iterator that
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
  const link = linkSignal(config.signal);
  let isLeft = false;
  let wait: Wait | undefined;

  const watchUntilLeft = async function* (): AsyncGenerator<Job, void, undefined> {
    link.listen();
    const created = poller.createWait(job as JobRef, { ...config, signal: link.signal });
    wait = created;
    try {
      for (;;) {
        const step = traceWait(created, () => poller.run(created, true));
        const seen = await step.catch((error) => ({ job: undefined, error }));
        if (isLeft) return;
        if (seen.job !== undefined) yield seen.job;
        if (seen.error !== undefined) throw showCaller(seen.error);
        if (seen.job !== undefined && isFinished(seen.job.status)) return;
      }
    } finally {
      link.end();
    }
  };

  const iterator = closable(watchUntilLeft(), () => {
    isLeft = true;
    link.end();
  });
  const watch = Object.defineProperty(iterator, "progress", {
    get: () => wait && poller.readProgress(wait),
  });
  // The client has checked the result by its schema for the action.
  return watch as JobWatch<ResultOf<S, A>>;
};
