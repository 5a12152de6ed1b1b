import type { CallOptions } from "../call-options.ts";
import type { ClientConfig, ClientSchemas } from "../config.ts";
import type { Action } from "../contract/actions.ts";
import { endpoints } from "../contract/endpoint.ts";
import {
  type FinishedJob,
  isJobStatus,
  type Job,
  type JobFields,
  type JobRequest,
  type SubmittedJob,
} from "../contract/jobs.ts";
import type { Page } from "../contract/page.ts";
import { observe } from "../hooks.ts";
import { pollJob } from "../polling/poll-job.ts";
import { type PollOptions, resolvePollOptions } from "../polling/poll-options.ts";
import type { ListQuery } from "../query.ts";
import { copyBody } from "../serialize.ts";
import {
  type CheckedCall,
  checkWith,
  decodeError,
  type StandardSchema,
} from "../standard-schema.ts";
import type { Send } from "../transport.ts";
import type { JobRef, ResultOf } from "./job-ref.ts";

declare const schemasOfJobs: unique symbol;

/** What a wait needs of {@link JobsResource}. */
export interface JobReader<S extends ClientSchemas = ClientSchemas> {
  /** Never there at run time: types could not find the client's schemas in what `get` returns. */
  readonly [schemasOfJobs]?: S;

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
}

/** Generation jobs. */
export interface JobsResource<S extends ClientSchemas = ClientSchemas> extends JobReader<S> {
  /**
   * Submits a job. **This costs credits**, copy excepted, and is never sent twice: only an
   * attempt that provably never left this machine is made again, or one refused by a 429
   * whose wait fits the call's time.
   *
   * @param request The action and its parameters, read once, at the call.
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
    request: R,
    options?: CallOptions,
  ): Promise<SubmittedJob<R["action"]>>;

  /**
   * Lists recent jobs, in the service's order. Their results are not checked by your schemas.
   *
   * @throws {@link AdGenError}: `unauthorized` (401), and whatever a call can meet.
   * @see API v1, section 4 "Jobs"
   */
  list(query?: ListQuery, options?: CallOptions): Promise<Page<Job>>;

  /**
   * Submits a job and waits until it has finished: `submit`, then `pollJob`. An error after
   * the submission carries the `jobId`, so that the wait can be taken up again.
   *
   * @throws {@link AdGenError}: everything `submit` throws, and everything `pollJob` throws.
   * @see API v1, sections 3 and 4
   */
  submitAndPoll<const R extends JobRequest>(
    request: R,
    options?: PollOptions<ResultOf<S, R["action"]>>,
  ): Promise<FinishedJob<ResultOf<S, R["action"]>>>;
}

/** How many submitted jobs a client remembers the action of. */
const rememberedJobs = 10_000;

export const createJobs = (
  send: Send,
  { schemas, hooks }: Pick<ClientConfig, "schemas" | "hooks">,
): JobsResource => {
  const results = new Map<unknown, StandardSchema | undefined>(
    Object.entries(schemas.results ?? {}),
  );

  /** By job id, for the actions whose results have a schema. */
  const actionOfJob = new Map<string, unknown>();

  const remember = (jobId: string, action: unknown): void => {
    if (results.has(action)) actionOfJob.set(jobId, action);
    const [oldest] = actionOfJob.keys();
    if (oldest && actionOfJob.size > rememberedJobs) actionOfJob.delete(oldest);
  };

  const noteStatus = (path: string, { status }: JobFields): void => {
    if (isJobStatus(status)) return;
    const message = `job status ${String(status).slice(0, 50)}`;
    observe(hooks, "onDrift", { method: "GET", path, message } as const);
  };

  const jobs: JobsResource = {
    async submit(request, options) {
      const body = copyBody(request, "request");
      const input = { body: JSON.stringify(body) };
      const job = (await send("jobs.submit", input, options)) as SubmittedJob<never>;
      remember(job.job_id, body["action"]);
      return job;
    },

    async get(ref, options) {
      const { job_id: id, action } = (typeof ref === "string" ? { job_id: ref } : (ref ?? {})) as {
        job_id: string;
        action?: unknown;
      };
      const read = async (received: unknown, { clean, context }: CheckedCall) => {
        const job: Job = Object.assign({ job_id: id }, received as Job);
        if (job.job_id !== id) throw decodeError("another job", { ...context, received });
        noteStatus(context.path as string, job);
        const schema = results.get(actionOfJob.get(id) ?? action ?? job["action"]);
        if (!schema || job.status !== "completed") return job;
        const call = { clean, context: { ...context, lastJob: job } };
        return { ...job, result: await checkWith(schema, job.result, ["result"], call) };
      };
      return (await send("jobs.get", { id, read }, options)) as never;
    },

    async list(query, options) {
      const page = (await send("jobs.list", { query }, options)) as Page<Job>;
      for (const job of page.items) noteStatus(endpoints["jobs.list"].path, job);
      return page;
    },

    async submitAndPoll(request, options) {
      const config = resolvePollOptions(options); // refused before anything is paid
      const job = await jobs.submit(request, { signal: config.signal });
      return (await pollJob({ jobs }, job, config)) as never;
    },
  };
  return jobs;
};
