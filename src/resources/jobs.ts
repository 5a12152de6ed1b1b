import type { Action } from "../contract/actions.ts";
import {
  type FinishedJob,
  isJobStatus,
  type Job,
  type JobRequest,
  type SubmittedJob,
} from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import { addFields } from "../errors/adgen-error.ts";
import { isAdGenError } from "../errors/errors.ts";
import { oneLine } from "../errors/text.ts";
import { observe } from "../hooks.ts";
import { writeBody } from "../http/body.ts";
import type { Answer, Transport } from "../http/call.ts";
import { createJobMemory, noteAction, withMemory } from "../http/job-memory.ts";
import { type JobReader, type JobRef, type ResultOf, readJobRef } from "../http/job-ref.ts";
import type { ListQuery } from "../http/url.ts";
import type { CallOptions, PostOptions } from "../options/call-options.ts";
import type { ClientConfig, ClientSchemas } from "../options/client-options.ts";
import { onceRule, refuseWrite } from "../options/rules.ts";
import type { StandardSchema } from "../options/standard-schema.ts";
import { waitForEnd } from "../polling/poll-job.ts";
import { type PollOptions, resolvePollOptions } from "../polling/poll-options.ts";
import { checkResult, requireSameJob } from "./check-job.ts";
import { createNameWarner } from "./name-warner.ts";
import type { Post } from "./post-once.ts";

/** Options of `jobs.submitAndPoll`: those of the wait, and the id of the submission. */
export interface SubmitAndPollOptions<R = unknown>
  extends PollOptions<R>,
    Pick<PostOptions, "once"> {}

/** Generation jobs. */
export interface JobsResource<S extends ClientSchemas = ClientSchemas> extends JobReader<S> {
  /**
   * Submits a job. **This costs credits**, copy excepted, and makes at most one job. An attempt is
   * made again only when it provably never left this machine, or when a 429 refused it. The wait
   * that the 429 asks for must fit the call's time.
   *
   * With `once: id`, a repeat gets the first answer, also in another process and after a crash.
   *
   * @param request The action and its parameters, read once, at the call. To send others, declare
   * them: see `ExtraJobParameters`.
   * @returns The new job: `job_id` and `status: "queued"`.
   * @throws {@link AdGenError} with `outcome`. `bad_request` (400: parameters, or an action
   * that is not supported), `unauthorized` (401), `payment_required` (402), `rate_limited`,
   * `server_error`, `unexpected_status`, `connection`, `timeout`, `aborted`, `decode`,
   * `invalid_request` (cannot be sent as JSON, or the id is another request's), `config`, `store`,
   * `in_doubt`, `under_way`.
   * @see API v1, section 4 "Jobs"
   * @example
   * const job = await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
   */
  submit<A extends Action>(
    request: JobRequest<A>,
    options?: PostOptions,
    // `NoInfer`: inside the call of a wait, the action is still that of the request.
  ): Promise<SubmittedJob<NoInfer<A>>>;

  /**
   * Gets a job as it is now.
   *
   * @throws {@link AdGenError}: `not_found` (404), `unauthorized` (401), `decode` when a
   * completed job's result does not fit your schema (the job is in `lastJob`), and whatever
   * a call can meet.
   * @see API v1, section 4 "Jobs"
   */
  get<A extends Action = never>(
    job: JobRef<A>,
    options?: CallOptions,
  ): Promise<Job<ResultOf<S, A>>>;

  /**
   * Lists recent jobs, in the service's order. Their results are not checked by your schemas.
   *
   * @throws {@link AdGenError}: `unauthorized` (401), and whatever a call can meet.
   * @see API v1, section 4 "Jobs"
   */
  list(query?: ListQuery, options?: CallOptions): Promise<Page<Job>>;

  /**
   * Submits a job and waits until it has finished: `submit`, then `pollJob`. An error after
   * the submission carries the `jobId`, so that the wait can be taken up again. It has no
   * `outcome`, because the submission did not fail.
   *
   * A submission that has left when `signal` aborts gets up to 5 seconds for its answer, so that the
   * `AbortedError` names the job. Nothing is sent after an abort.
   *
   * @throws {@link AdGenError}: everything `submit` throws, and everything `pollJob` throws.
   * @see API v1, sections 3 and 4
   */
  submitAndPoll<A extends Action>(
    request: JobRequest<A>,
    options?: SubmitAndPollOptions<ResultOf<S, A>>,
  ): Promise<FinishedJob<ResultOf<S, A>>>;
}

/** Time for the answer to a submission that has left when its caller aborts: it names the job. */
const answerGraceMs = 5_000;

export const createJobs = (
  { prepareCall, send }: Transport,
  config: ClientConfig,
  post: Post,
): JobsResource => {
  const { schemas, submissions } = config;
  const results = new Map<unknown, StandardSchema | undefined>(
    Object.entries(schemas.results ?? {}),
  );
  const memory = createJobMemory((options) => submissions?.listOpen(jobs, options));

  const warnOfNames = createNameWarner();

  const noteSeen = ({ job_id: id, status }: Job, { call, clean }: Answer) => {
    memory.noteSeen(id);
    if (isJobStatus(status)) return;
    const message = `job status ${oneLine(clean(String(status)), 50)}`;
    const { name: operation, method, path } = call;
    observe(config, "onDrift", { operation, method, path, message });
  };

  const submit = async (request: unknown, options: PostOptions | undefined, graceMs = 0) => {
    const body = writeBody(request, "request");
    const call = prepareCall("jobs.submit", { body, graceMs }, options);
    warnOfNames(body.fields);
    const action = body.fields["action"];
    const work = post(call);
    memory.underWay.add(work);
    try {
      const { data, fields } = await work;
      const { elapsedMs, retryAfterMs } = fields;
      const answeredAt = elapsedMs === undefined ? undefined : call.startedAt + elapsedMs;
      noteAction(data, action);
      memory.noteSubmitted(data.job_id, { action, answeredAt, retryAfterMs });
      return data as SubmittedJob<never>;
    } catch (error) {
      if (isAdGenError(error)) {
        const known = typeof action === "string" ? { action } : {};
        memory.failures.set(addFields(error, known), call.startedAt);
      }
      throw error;
    } finally {
      memory.underWay.delete(work);
    }
  };

  const jobs: JobsResource = {
    submit: async (request, options) => submit(request, options),

    async get(ref, options) {
      const { id, action } = readJobRef(ref);
      const call = prepareCall("jobs.get", { id }, options);
      const answer = await send(call);
      const received = requireSameJob(answer, id);
      noteSeen(received, answer);
      const submitted = memory.submissionOf(received.job_id)?.action;
      const schema = results.get(submitted ?? action ?? readJobRef(received).action);
      const isChecked = schema !== undefined && received.status === "completed";
      const job = isChecked ? await checkResult(received, schema, answer) : received;
      return job as Job<never>;
    },

    async list(query, options) {
      const call = prepareCall("jobs.list", { query }, options);
      const answer = await send(call);
      for (const job of answer.data.items) noteSeen(job, answer);
      return answer.data;
    },

    async submitAndPoll(request, options) {
      // Bad options are refused before anything is paid.
      const rules = { once: onceRule };
      const config = resolvePollOptions("jobs.submitAndPoll", options, refuseWrite, rules);
      const { signal, once } = config;
      const ownOnce = Object.hasOwn(options ?? {}, "once") && { once };
      const job = await submit(request, { signal, ...ownOnce }, answerGraceMs);
      return (await waitForEnd(jobs, job, config)) as FinishedJob<never>;
    },
  };
  return withMemory(jobs, memory);
};
