import type { Action } from "../../contract/actions.ts";
import {
  type CompletedJob,
  type FinishedJob,
  isJobStatus,
  type Job,
  type JobRequest,
  type SubmittedJob,
} from "../../contract/jobs.ts";
import type { Page } from "../../contract/page.ts";
import { addFields } from "../errors/adgen-error.ts";
import { isAdGenError } from "../errors/errors.ts";
import { describeKind, describeValue, oneLine } from "../errors/text.ts";
import { requestForm, writeBody } from "../http/body.ts";
import type { CheckedResponse } from "../http/call.ts";
import { checkPart, jobIdError } from "../http/check-schema.ts";
import { type JobReader, type JobRef, type ResultOf, readJobRef } from "../http/job-ref.ts";
import { createJobMemory, noteAction, withMemory } from "../internal/job-memory.ts";
import type { CallOptions, ListQuery, PostOptions } from "../options/call-options.ts";
import type { ClientConfig, ClientSchemas } from "../options/client-options.ts";
import { callHooks } from "../options/hooks.ts";
import { onceRule, refuseWrite } from "../options/rules.ts";
import type { StandardSchema } from "../options/standard-schema.ts";
import { waitForEnd } from "../polling/poll-job.ts";
import { type PollOptions, resolvePollOptions } from "../polling/poll-options.ts";
import type { RecordedTransport } from "./recorded-post.ts";

/** Options of `jobs.submitAndPoll`: the options of the wait, and the id of the submission. */
export interface SubmitAndPollOptions<R = unknown>
  extends PollOptions<R>,
    Pick<PostOptions, "once"> {}

/** Generation jobs. */
export interface JobsResource<S extends ClientSchemas = ClientSchemas> extends JobReader<S> {
  /**
   * Submits a job. **This costs credits**, except for ad text, and makes at most one job. On a
   * server the client ensures that, and in a page the proxy. An attempt is repeated only if it
   * provably never left this machine, if a 429 refused it, or if the proxy asks for a repeat. The
   * wait that the answer asks for must fit the call's time.
   *
   * With `once: id`, a repeat gets the first answer, also in another process and after a crash.
   *
   * @param request The action and its parameters, read once, at the call. Declare parameters that
   * the type does not know: see `ExtraJobParameters`.
   * @returns The new job: `job_id` and `status: "queued"`.
   * @throws `AdGenError`, whose `outcome` says whether the job may exist and be charged
   * - `bad_request` (400): the service refuses a parameter, or does not support the action.
   * - `unauthorized` (401): the API key is missing or invalid.
   * - `payment_required` (402): the credits do not suffice, or a limit of your proxy is reached.
   * - `rate_limited` (429): there are too many requests; see `retryAfterMs`.
   * - `server_error` (5xx), `unexpected_status`: the service answers with another failure.
   * - `connection`, `timeout`: no whole answer came, or not in time.
   * - `aborted`: `signal` was aborted.
   * - `decode`: the answer cannot be used.
   * - `invalid_request`: the request cannot be sent, or `once` is the id of another request, or was
   *   dropped by a decision.
   * - `config`: the function `apiKey` fails, or `once` is given without `submissions` or a proxy.
   * - `store`: the store of submissions fails.
   * - `in_doubt`: an earlier call with this `once` may have been carried out; decide about
   *   `doubt`.
   * - `under_way`: another call with this `once` has not ended yet.
   * @see API v1, section 4 "Jobs"
   * @example
   * const job = await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
   */
  submit<A extends Action>(
    request: JobRequest<A>,
    options?: PostOptions,
    // `NoInfer` keeps the action of the request when this is an argument of a wait.
  ): Promise<SubmittedJob<NoInfer<A>>>;

  /**
   * Gets a job as it is now.
   *
   * @throws `AdGenError`
   * - `not_found` (404): there is no such job, or it is somebody else's.
   * - `decode`: the result of a completed job does not fit your schema; `lastJob` has the job.
   * - The codes that every call can meet: see `ErrorCode`.
   * @see API v1, section 4 "Jobs"
   */
  get<A extends Action = never>(
    job: JobRef<A>,
    options?: CallOptions,
  ): Promise<Job<ResultOf<S, A>>>;

  /**
   * Lists recent jobs, in the service's order. Their results are not checked by your schemas.
   *
   * @throws `AdGenError`
   * - The codes that every call can meet: see `ErrorCode`.
   * @see API v1, section 4 "Jobs"
   */
  list(query?: ListQuery, options?: CallOptions): Promise<Page<Job>>;

  /**
   * Submits a job and waits until it has finished: `submit`, then `pollJob`. **This costs
   * credits.** An error after the submission carries the `jobId`, so that you can wait again with
   * `pollJob`. It has no `outcome`, because the submission did not fail.
   *
   * A submission that has left when `signal` aborts gets up to 5 seconds for its answer, so that
   * the `AbortedError` names the job. Nothing is sent after an abort.
   *
   * @returns The completed or failed job: a union on `status`.
   * @throws `AdGenError`
   * - The codes of `submit`, with `outcome`.
   * - The codes of `pollJob`, with `jobId` and without `outcome`.
   * @see API v1, sections 3 and 4
   */
  submitAndPoll<A extends Action>(
    request: JobRequest<A>,
    options?: SubmitAndPollOptions<ResultOf<S, A>>,
  ): Promise<FinishedJob<ResultOf<S, A>>>;
}

/**
 * Milliseconds that a submission which has left gets for its response after an abort, because the
 * response names the job.
 */
const answerGraceMs = 5_000;

/** Ends the message of a result that doesn't fit. The caller must not submit the job again. */
const isPaid = "; the job is completed and paid: its result is in error.lastJob.result";

/** Checks the result of a completed job by the caller's schema. */
const checkResult = async (
  job: CompletedJob,
  schema: StandardSchema,
  answer: CheckedResponse,
): Promise<Job> => {
  const fields = { ...answer.fields, lastJob: { ...job } };
  const whole = { ...answer, fields };
  return { ...job, result: await checkPart(schema, job.result, ["result"], whole, isPaid) };
};

/** Returns the job that was asked for, and refuses a response about another job. */
const requireSameJob = (answer: CheckedResponse<Job>, id: unknown): Job => {
  const job = { job_id: String(id), ...(answer.data as Partial<Job>) } as Job;
  const received: unknown = job.job_id;
  if (received === id) return job;
  const shown =
    typeof received === "string"
      ? describeValue(answer.redactLine(received))
      : describeKind(received);
  const asked = describeValue(id);
  const message = `expected ${asked}, got ${shown}`;
  throw jobIdError(answer, `job_id ${shown}, asked for ${asked}`, message);
};

export const createJobsResource = (
  { prepareCall, send, post }: RecordedTransport,
  config: ClientConfig,
): JobsResource => {
  const { schemas, submissions } = config;
  const results = new Map<unknown, StandardSchema | undefined>(
    Object.entries(schemas.results ?? {}),
  );
  const memory = createJobMemory((options) => submissions?.listOpen(jobs, options));

  const noteSeen = ({ job_id: id, status }: Job, { call, redactLine }: CheckedResponse) => {
    memory.noteSeen(id);
    if (isJobStatus(status)) return;
    const message = `job status ${oneLine(redactLine(String(status)), 50)}`;
    const { name: operation, method, path } = call;
    callHooks(config, "onDrift", { operation, method, path, message });
  };

  const submit = async (request: unknown, options: PostOptions | undefined, graceMs = 0) => {
    const body = writeBody(request, "request", requestForm);
    const call = prepareCall("jobs.submit", { body, graceMs }, options);
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
      // Refuse bad options before anything is paid.
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
