import type { ClientSchemas } from "../config.ts";
import type { Action } from "../contract/actions.ts";
import type { FinishedJob } from "../contract/jobs.ts";
import type { JobRef, ResultOf } from "../resources/job-ref.ts";
import type { PollOptions } from "./poll-options.ts";
import { type PollClient, watchJob } from "./watch-job.ts";

/**
 * Waits until a job has finished. A failed job is an answer: it resolves with
 * `status: "failed"`. Network failures, 5xx, 429 and answers that make no sense are waited out.
 *
 * @param job A job as submitted, or its id.
 * @returns The completed or failed job: a union on `status`.
 * @throws {@link AdGenError}, with `jobId` and, once the job was seen, `lastJob`: `poll_timeout`
 * at the deadline, after a last look; `bad_request`, `unauthorized`, `payment_required`, 403 and
 * 410 (`unexpected_status`) at once; `not_found` at once when the job had been seen, else when it
 * lasts 10 seconds; `decode` when the result does not fit your schema; `aborted`;
 * `invalid_request` for bad options; `config`.
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
  let last: unknown;
  for await (const seen of watchJob(client, job, options)) last = seen;
  return last as FinishedJob<ResultOf<S, A>>;
};
