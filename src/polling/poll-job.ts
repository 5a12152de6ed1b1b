import type { Action } from "../contract/actions.ts";
import type { FinishedJob, Job } from "../contract/jobs.ts";
import { showCaller } from "../errors/adgen-error.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { type JobRef, type PollClient, type ResultOf, usableIdOf } from "../resources/job-ref.ts";
import { lookOf } from "./look.ts";
import { type PollConfig, type PollOptions, resolvePollOptions } from "./poll-options.ts";
import { type Look, watch } from "./watch.ts";

/** Waits for the last job that a watch gives. */
export const waitForEnd = async (
  look: Look,
  id: string | undefined,
  config: PollConfig,
): Promise<Job> => {
  let last: Job | undefined;
  try {
    for await (const seen of watch(look, id, config)) last = seen;
  } catch (error) {
    throw showCaller(error);
  }
  // A watch ends after the finished job only.
  return last as Job;
};

/**
 * Waits until a job has finished. A failed job is an answer: it resolves with
 * `status: "failed"`. Network failures, 5xx, 429 and stray pages are waited out.
 *
 * @param job A job as submitted, or its id.
 * @returns The completed or failed job: a union on `status`.
 * @throws {@link AdGenError}, with `jobId` and, once the job was seen, `lastJob`.
 * `poll_timeout` at the deadline, after a last look.
 * `bad_request`, `unauthorized`, `payment_required`, 403 and 410 (`unexpected_status`) at once.
 * `not_found` at once when the job had been seen, else when it lasts 10 seconds.
 * `decode` when the answer is too large, or the result does not fit your schema.
 * Any answer that cannot be used and comes again and again for 30 seconds.
 * `aborted`, `invalid_request` for bad options, and `config`.
 * @see API v1, section 3 "States and transitions"
 * @example
 * const finished = await pollJob(client, job, { onUpdate: ({ status }) => console.log(status) });
 * if (finished.status === "completed") console.log(finished.result);
 */
export const pollJob = async <S extends ClientSchemas = ClientSchemas, A extends Action = never>(
  client: PollClient<S>,
  job: JobRef<A>,
  options?: PollOptions<ResultOf<S, A>>,
): Promise<FinishedJob<ResultOf<S, A>>> => {
  const config = resolvePollOptions("pollJob", options);
  const look = lookOf("pollJob", client, job as JobRef);
  // The client has checked the result by its schema for the action.
  return (await waitForEnd(look, usableIdOf(job), config)) as FinishedJob<ResultOf<S, A>>;
};
