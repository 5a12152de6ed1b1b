import type { StandardSchema } from "../answer/standard-schema.ts";
import type { Action } from "../contract/actions.ts";
import { endpoints } from "../contract/endpoint.ts";
import {
  type FinishedJob,
  isJobStatus,
  type Job,
  type JobRequest,
  type SubmittedJob,
} from "../contract/jobs.ts";
import type { KnownParametersOnly } from "../contract/known-parameters.ts";
import type { Page } from "../contract/page.ts";
import { addFields } from "../errors/adgen-error.ts";
import { isAdGenError } from "../errors/errors.ts";
import { oneLine } from "../errors/text.ts";
import { notify } from "../hooks.ts";
import type { RecoveredSubmissions, RecoverOptions } from "../journal/submission-journal.ts";
import type { CallOptions } from "../options/call-options.ts";
import type { ClientConfig, ClientSchemas } from "../options/client-options.ts";
import { refuseOption, refuseWrite } from "../options/rules.ts";
import { waitForEnd } from "../polling/poll-job.ts";
import { type PollOptions, resolvePollOptions } from "../polling/poll-options.ts";
import { emptyDurations, type LearnedDurations } from "../polling/schedule/durations.ts";
import { copyBody } from "../request/body.ts";
import type { ListQuery } from "../request/url.ts";
import type { Answered, Send } from "../transport/call.ts";
import { checkResult, requireSameId, requireUsableId } from "./check-job.ts";
import { createJobMemory, withMemory } from "./job-memory.ts";
import { type JobReader, type JobRef, type ResultOf, readJobRef } from "./job-ref.ts";

/** Generation jobs. */
export interface JobsResource<S extends ClientSchemas = ClientSchemas> extends JobReader<S> {
  /**
   * Durations of the jobs that this client saw finish, by action. Waits learn from them when to
   * poll. Keep them as JSON for the next run: see `createLearnedDurations`.
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
   * `invalid_request` (cannot be sent as JSON), `config`, `journal` (it cannot be written).
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
   * Tells what earlier processes, or this one, have left open: jobs to wait for, submissions of
   * unknown outcome with candidates, and finished jobs. It needs `createClient({ journal })`, and
   * lists the recent jobs once where a submission is unknown.
   *
   * @throws {@link AdGenError}: `config` without a journal, `journal` when it cannot be read,
   * `invalid_request`, `aborted`, and whatever `jobs.list` throws.
   * @example
   * const { waiting, unknown } = await client.jobs.recover();
   * await pollJobs(client, waiting);
   */
  recover(options?: RecoverOptions): Promise<RecoveredSubmissions>;

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

/** Makes `client.jobs`. */
export const createJobs = (
  send: Send,
  given: Pick<ClientConfig, "schemas" | "hooks"> & Partial<ClientConfig>,
): JobsResource => {
  const { schemas, hooks, durations, journal, baseUrl } = given;
  const results = new Map<unknown, StandardSchema | undefined>(
    Object.entries(schemas.results ?? {}),
  );
  const memory = createJobMemory(durations ?? emptyDurations());

  const noteStatus = (path: string, { status }: Job, { clean }: Answered): void => {
    if (isJobStatus(status)) return;
    const message = `job status ${oneLine(clean(String(status)), 50)}`;
    notify("onDrift", hooks.onDrift, { method: "GET", path, message });
  };

  const jobs: JobsResource = {
    durations: memory.durations,

    async submit(request, options) {
      const body = copyBody(request, "request");
      const json = JSON.stringify(body);
      const onRecord = journal?.track({ body, json, url: baseUrl?.url });
      const startedAt = performance.now();
      let leftMs = 0;
      const finish = (job: SubmittedJob, answered: Answered, left: number): SubmittedJob => {
        leftMs = left;
        const { retryAfterMs } = answered.fields;
        const submitted = requireUsableId(job, answered);
        const facts = { action: body["action"], answeredAt: performance.now(), retryAfterMs };
        memory.noteSubmitted(submitted.job_id, facts, body);
        return submitted;
      };
      try {
        const input = { body: json, prepare: onRecord?.begin, finish };
        memory.underWay.add(body);
        const job = await send("jobs.submit", input, options);
        await onRecord?.accepted(job.job_id, leftMs, options?.signal);
        return job as SubmittedJob<never>;
      } catch (error) {
        memory.underWay.delete(body);
        if (isAdGenError(error)) {
          memory.failures.set(addFields(error, { action: String(body["action"]) }), startedAt);
        }
        await onRecord?.failed(error);
        throw error;
      }
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
      const job = (await send("jobs.get", { id, finish }, options)) as Job<never>;
      journal?.notePoll(job);
      return job;
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

    async recover(options) {
      if (journal !== undefined) return journal.recover(options, jobs);
      return refuseOption("jobs.recover needs a journal: createClient({ journal })");
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
