import type { Action } from "../../contract/actions.ts";
import type { FinishedJob, Job } from "../../contract/jobs.ts";
import { showCaller } from "../errors/adgen-error.ts";
import type { JobReader, JobRef, PollClient, ResultOf } from "../http/job-ref.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { checkFor } from "../options/rules.ts";
import { readerOf } from "./poll.ts";
import { type PollConfig, type PollOptions, resolvePollOptions } from "./poll-options.ts";
import { createWait, type WaitGroup } from "./wait.ts";

/** Waits until a job has finished. The stacks of its errors begin at the caller. */
export const waitForEnd = async (
  reader: JobReader,
  job: JobRef,
  config: PollConfig,
  group?: WaitGroup,
): Promise<Job> => {
  const wait = createWait(reader, job, config, group);
  try {
    for (;;) {
      const step = await wait.step();
      if (step.error !== undefined) throw step.error;
      if (step.pollAt === undefined) return step.job as Job;
    }
  } catch (error) {
    throw showCaller(error);
  } finally {
    wait.end();
  }
};

/**
 * Waits until a job has finished. A failed job is an answer: the promise resolves with
 * `status: "failed"`. The wait goes on after network failures, 5xx, 429 and pages of other servers.
 *
 * @param job A job as submitted, or its id.
 * @returns The completed or failed job: a union on `status`.
 * @throws `AdGenError`, with `jobId` and, once the job was seen, `lastJob`
 * - `poll_timeout`: the job had not finished at the deadline, nor in a last poll.
 * - `bad_request`, `unauthorized`, `payment_required`: at once.
 * - `unexpected_status`: at once for 403 and 410.
 * - `not_found`: at once when the job had been seen before, else when it lasts 10 seconds.
 * - `decode`: the answer is too large, or the result does not fit your schema.
 * - The code of any other answer that cannot be used, when it lasts 30 seconds.
 * - `aborted`: `signal` was aborted.
 * - `invalid_request`: the job has no usable id, or an option makes no sense.
 * - `config`: the function `apiKey` fails.
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
  const [config, reader] = checkFor(pollJob, () => [
    resolvePollOptions("pollJob", options),
    readerOf("pollJob", client),
  ]);
  // The client has checked the result by its schema for the action.
  return (await waitForEnd(reader, job as JobRef, config)) as FinishedJob<ResultOf<S, A>>;
};
