import type { Action } from "../../contract/actions.ts";
import type { Job } from "../../contract/jobs.ts";
import { showCaller } from "../errors/adgen-error.ts";
import type { JobRef, PollClient, ResultOf } from "../http/job-ref.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { checkFor } from "../options/rules.ts";
import type { WaitStep } from "./advance.ts";
import { readerOf } from "./poll.ts";
import { type PollOptions, resolvePollOptions, type WaitProgress } from "./poll-options.ts";
import { createWait, type Wait } from "./wait.ts";

/** A wait as an async iterator. */
export interface JobWatch<R = unknown> extends AsyncGenerator<Job<R>, void, undefined> {
  /** The current progress; absent before the first step. */
  readonly progress: WaitProgress | undefined;
}

/**
 * Waits for a job like {@link pollJob}, and yields the job after every poll: an async iterator that
 * ends after the finished job. Leaving the loop ends the wait.
 *
 * @throws `AdGenError`
 * - `invalid_request`, at the call: an option makes no sense.
 * - The codes of `pollJob`, while iterating.
 * @see API v1, section 3 "States and transitions"
 * @example
 * for await (const job of watchJob(client, id)) console.log(job.status);
 */
export const watchJob = <S extends ClientSchemas = ClientSchemas, A extends Action = never>(
  client: PollClient<S>,
  job: JobRef<A>,
  options?: PollOptions<ResultOf<S, A>>,
): JobWatch<ResultOf<S, A>> => {
  const [config, reader] = checkFor(watchJob, () => [
    resolvePollOptions("watchJob", options),
    readerOf("watchJob", client),
  ]);
  let wait: Wait | undefined;

  const steps = async function* (): AsyncGenerator<Job, void, undefined> {
    const begun = createWait(reader, job as JobRef, config);
    wait = begun;
    try {
      for (let pollAt: number | undefined = 0; pollAt !== undefined; ) {
        const step = await begun.step().catch((error) => ({ error }) as WaitStep);
        if (step.job !== undefined) yield step.job;
        if (step.error !== undefined) throw showCaller(step.error);
        pollAt = step.pollAt;
      }
    } finally {
      begun.end();
    }
  };

  const watch = Object.defineProperty(steps(), "progress", { get: () => wait?.progress() });
  // The client has checked the result by its schema for the action.
  return watch as JobWatch<ResultOf<S, A>>;
};
