import { checkSchema } from "../answer/check-schema.ts";
import type { StandardSchema } from "../answer/standard-schema.ts";
import type { Action } from "../contract/actions.ts";
import { endpoints } from "../contract/endpoint.ts";
import {
  type CompletedJob,
  type FinishedJob,
  isJobStatus,
  type Job,
  type JobRequest,
  type KnownParametersOnly,
  type SubmittedJob,
} from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import { decodeError } from "../errors/make-error.ts";
import { describeKind, describeValue, oneLine } from "../errors/text.ts";
import { notify } from "../hooks.ts";
import type { CallOptions } from "../options/call-options.ts";
import type { ClientConfig, ClientSchemas } from "../options/client-options.ts";
import { refuseOption, refuseWrite } from "../options/rules.ts";
import { waitForEnd } from "../polling/poll-job.ts";
import { type PollOptions, resolvePollOptions } from "../polling/poll-options.ts";
import { createLearnedDurations, type LearnedDurations } from "../polling/schedule/durations.ts";
import { copyBody } from "../request/body.ts";
import { type ListQuery, problemOfId } from "../request/url.ts";
import type { Answered, Send } from "../transport/call.ts";
import { createJobMemory, withMemory } from "./job-memory.ts";
import { type JobReader, type JobRef, type ResultOf, readJobRef } from "./job-ref.ts";

/** Generation jobs. */
export interface JobsResource<S extends ClientSchemas = ClientSchemas> extends JobReader<S> {
  /**
   * Durations of the jobs that this client saw finish, by action. Waits learn from them when to
   * look. Give them as JSON to the next client: `createClient({ durations })`.
   */
  readonly durations: LearnedDurations;

  /**
   * Submits a job. **This costs credits**, copy excepted, and makes at most one job. An attempt is
   * made again only when it provably never left this machine, or when a 429 refused it. The wait
   * that the 429 asks for must fit the call's time.
   *
   * @param request The action and its parameters, read once, at the call. A parameter that no
   * action knows does not compile: see `ExtraJobParameters`.
   * @returns The new job: `job_id` and `status: "queued"`.
   * @throws {@link AdGenError} with `outcome`. `bad_request` (400: parameters, or an action
   * that is not supported), `unauthorized` (401), `payment_required` (402), `rate_limited`,
   * `server_error`, `unexpected_status`, `connection`, `timeout`, `aborted`, `decode`,
   * `invalid_request` (cannot be sent as JSON), `config`.
   * @see API v1, section 4 "Jobs"
   * @example
   * const job = await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
   */
  submit<const R extends JobRequest>(
    request: KnownParametersOnly<R>,
    options?: CallOptions,
  ): Promise<SubmittedJob<R["action"]>>;

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
   * @throws {@link AdGenError}: everything `submit` throws, and everything `pollJob` throws.
   * @see API v1, sections 3 and 4
   */
  submitAndPoll<const R extends JobRequest>(
    request: KnownParametersOnly<R>,
    options?: PollOptions<ResultOf<S, R["action"]>>,
  ): Promise<FinishedJob<ResultOf<S, R["action"]>>>;
}

/** Checks the result of a completed job by the caller's schema. */
const checkResult = async (
  job: CompletedJob,
  schema: StandardSchema,
  answered: Answered,
): Promise<Job> => {
  const fields = { ...answered.fields, lastJob: { ...job } };
  return {
    ...job,
    result: await checkSchema(schema, job.result, ["result"], { ...answered, fields }),
  };
};

/** Makes the error for an answer whose `job_id` cannot be used. */
const jobIdError = ({ call, fields }: Answered, what: string, message: string): Error =>
  decodeError(call, "data", what, { ...fields, issues: [{ path: ["job_id"], message }] });

/** Refuses an answered job that no later call can name. */
const requireUsableId = (job: SubmittedJob, answered: Answered): SubmittedJob => {
  const problem = problemOfId(job.job_id);
  if (problem !== undefined) {
    throw jobIdError(answered, `without a usable job_id: it ${problem}`, problem);
  }
  return job;
};

/** Refuses the answer about another job than the one that was asked for. */
const requireSameId = (received: unknown, id: unknown, answered: Answered): void => {
  if (received === id) return;
  const shown =
    typeof received === "string" ? describeValue(answered.clean(received)) : describeKind(received);
  const asked = describeValue(id);
  const message = `expected ${asked}, got ${shown}`;
  throw jobIdError(answered, `job_id ${shown}, asked for ${asked}`, message);
};

/** Makes `client.jobs`. */
export const createJobs = (
  send: Send,
  { schemas, hooks, durations }: Pick<ClientConfig, "schemas" | "hooks" | "durations">,
): JobsResource => {
  const results = new Map<unknown, StandardSchema | undefined>(
    Object.entries(schemas.results ?? {}),
  );
  const memory = createJobMemory(createLearnedDurations(durations, refuseOption));

  const noteStatus = (path: string, { status }: Job, { clean }: Answered): void => {
    if (isJobStatus(status)) return;
    const message = `job status ${oneLine(clean(String(status)), 50)}`;
    notify("onDrift", hooks.onDrift, { method: "GET", path, message });
  };

  const jobs: JobsResource = {
    durations: memory.durations,

    async submit(request, options) {
      const body = copyBody(request, "request");
      const finish = (job: SubmittedJob, answered: Answered): SubmittedJob => {
        const { retryAfterMs } = answered.fields;
        const submitted = requireUsableId(job, answered);
        const facts = { action: body["action"], answeredAt: performance.now(), retryAfterMs };
        memory.noteSubmitted(submitted.job_id, facts);
        return submitted;
      };
      const job = await send("jobs.submit", { body: JSON.stringify(body), finish }, options);
      return job as SubmittedJob<never>;
    },

    async get(ref, options) {
      const { id, action } = readJobRef(ref);
      const finish = (received: Job, answered: Answered): Job | Promise<Job> => {
        const job: Job = Object.assign({ job_id: String(id) }, received);
        requireSameId(job.job_id, id, answered);
        noteStatus(answered.call.path, job, answered);
        memory.noteSeen(job.job_id);
        const submitted = memory.submissionOf(job.job_id)?.action;
        const schema = results.get(submitted ?? action ?? readJobRef(job).action);
        return schema === undefined || job.status !== "completed"
          ? job
          : checkResult(job, schema, answered);
      };
      return (await send("jobs.get", { id, finish }, options)) as Job<never>;
    },

    async list(query, options) {
      const finish = (page: Page<Job>, answered: Answered): Page<Job> => {
        for (const job of page.items) {
          noteStatus(endpoints["jobs.list"].path, job, answered);
          memory.noteSeen(job.job_id);
        }
        return page;
      };
      return send("jobs.list", { query, finish }, options);
    },

    async submitAndPoll(request, options) {
      // Bad options are refused before anything is paid.
      const config = resolvePollOptions("jobs.submitAndPoll", options, refuseWrite);
      const job = await jobs.submit(request, { signal: config.signal });
      return (await waitForEnd(jobs, job, config)) as FinishedJob<never>;
    },
  };
  return withMemory(jobs, memory);
};
