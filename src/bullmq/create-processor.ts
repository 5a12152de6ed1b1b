import type { Job as QueuedJob } from "bullmq";
import { finalCodes } from "../client/errors/code-groups.ts";
import type { AnyAdGenError, InDoubtError } from "../client/errors/errors.ts";
import { toResult } from "../client/errors/result.ts";
import { memoryOf } from "../client/internal/job-memory.ts";
import type { ClientSchemas } from "../client/options/client-options.ts";
import { isObject } from "../client/options/rules.ts";
import { firstPollAt } from "../client/polling/advance.ts";
import { pollOnce } from "../client/polling/poll-once.ts";
import { createPollTicket, type PollTicket } from "../client/polling/poll-ticket.ts";
import type { FinishedJob } from "../contract/jobs.ts";
import { UnrecoverableError } from "./installed-bullmq.ts";
import { createJobRun, type JobRun, pauseMs, retryOutages } from "./job-run.ts";
import {
  type ProcessorOptions,
  resolveProcessorOptions,
  type SubmissionData,
} from "./processor-options.ts";
import { createThrottle } from "./throttle.ts";

/** Maximum time between two reads of a submission that is under way in another worker. */
const maxLookMs = 10_000;

/**
 * Whether the same request can never succeed. A `config` error with attempts comes from the key
 * function, which may return another key later.
 */
const isFinal = ({ code, attempts, outcome, retryAfterMs }: AnyAdGenError): boolean =>
  finalCodes.includes(code) ||
  (code === "config" && !attempts) ||
  // The whole budget of the submissions is smaller than the cost of this job.
  (code === "payment_required" && outcome === "not-sent" && retryAfterMs === undefined);

/** Whether a 401 is about the key. An HTML page of a gateway says nothing about the key. */
const isOfKey = ({ code, contentType }: AnyAdGenError): boolean =>
  code === "unauthorized" && contentType === undefined;

/**
 * Returns the id by which a submission is paid once. Refuses an id that BullMQ chose, because
 * BullMQ counts from the start again when a queue is cleaned.
 */
const onceIdOf = ({ job: { id = "" } }: JobRun): string => {
  if (!/^\d*$/.test(id)) return id;
  throw new UnrecoverableError(
    `BullMQ chose the id of this job (${id}), and may choose it again, so a repeat could be paid ` +
      'twice: add the job with an id of yours, { jobId: "order-1138" }',
  );
};

/**
 * Refuses a worker with `maxStartedAttempts`. Each poll is a start, so a paid job would fail while
 * the service works on it. BullMQ's types don't show that a job knows its worker.
 */
const refuseStartLimit = ({ job }: JobRun): void => {
  const { queue } = job as unknown as {
    readonly queue?: { readonly opts?: { readonly maxStartedAttempts?: number } };
  };
  const max = queue?.opts?.maxStartedAttempts;
  if (!max) return;
  throw new UnrecoverableError(
    `this worker has maxStartedAttempts: ${max}, and each poll is a start, so a paid job would fail ` +
      "while it is made: leave that option out, and then retry this job. Nothing was sent",
  );
};

/**
 * Creates the processor of a BullMQ queue. Each BullMQ job is one submission, with the same id, and
 * the wait for its result:
 *
 * - It submits with `once`, so the same id is paid once, whichever process dies.
 * - Between two polls the BullMQ job is delayed, and holds no worker.
 * - It returns the finished job. A job that the service failed is a result too.
 * - A BullMQ job that fails keeps its `error` in its data, and a `doubt` if nobody knows whether it
 *   was paid. After `submissions.decide(job.data.doubt, …)`, `job.retry()` goes on.
 *
 * @throws `AdGenError`
 * - `config`: an option is missing or makes no sense; the message names it.
 * @see API v1, sections 3 and 4
 * @example
 * const queue = new Queue("ads", { connection, defaultJobOptions: { priority: 1 } });
 * const client = createClient({ submissions });
 * new Worker("ads", createProcessor({ client, queue, submissions }), { connection });
 * await queue.add("ad", { request }, { jobId: "order-1138" });
 */
export const createProcessor = <S extends ClientSchemas>(options: ProcessorOptions<S>) => {
  const config = resolveProcessorOptions(options);
  const { client, submissions, timeoutMs, intervalMs, candidateLimit, throttleMs } = config;
  const throttle = createThrottle(config.queue, throttleMs, config.onThrottle);
  const memory = memoryOf(client.jobs);
  let isWarned = false;

  /**
   * Warns once if a job has no priority. Polls must come before submissions, because the service
   * keeps a job only for a time.
   */
  const warnOfPriority = ({ job }: JobRun): void => {
    if (isWarned || (job.opts.priority ?? 0) > 0) return;
    isWarned = true;
    console.warn(
      `adgen-sdk: BullMQ's job ${job.id} has no priority, so polls stand in line behind all ` +
        "submissions: give the queue defaultJobOptions: { priority: 1 }",
    );
  };

  const pollLater = async (run: JobRun, ticket: PollTicket, at: number): Promise<never> => {
    const { job } = run;
    await job.updateProgress(ticket);
    if (job.priority > 0) await job.changePriority({ priority: 0 });
    return run.requeue(Math.min(at, ticket.deadlineAt) - Date.now());
  };

  /**
   * Fails the BullMQ job with the submission in doubt and its candidates. Before that, it requeues
   * until the service had time to list the job.
   */
  const failWithDoubt = async (run: JobRun, error: InDoubtError): Promise<never> => {
    const leftMs = error.doubt.settlesAt - Date.now();
    if (leftMs > 0) return run.requeue(leftMs);
    const listed = await toResult(submissions.listOpen(client.jobs, { candidateLimit }));
    if (!listed.ok) {
      if (listed.error.code === "store") throw listed.error;
      await run.job.log(`Candidates not listed: ${listed.error.message}`);
      // An outage passes, and a person who sees no candidates may decide to pay twice.
      if (!isFinal(listed.error)) return run.requeue(Math.max(throttleMs, pauseMs));
    }
    const { id, token } = error.doubt;
    const known = listed.data?.unknown.find((one) => one.id === id && one.token === token);
    return run.fail(error, { ...(known ?? error.doubt), mayStillArrive: false });
  };

  /** Handles a failed submission. If it returns, the caller makes the same call again. */
  const handleFailure = async (run: JobRun, error: AnyAdGenError): Promise<void> => {
    if (error.code === "in_doubt") return failWithDoubt(run, error);
    if (error.code === "store") throw error;
    if (isFinal(error)) return run.fail(error);
    if (error.code === "under_way") {
      return run.requeue(Math.min(error.retryAfterMs, throttleMs, maxLookMs));
    }
    if (error.code === "rate_limited") {
      // Wait even if the service asks for no wait, because many workers would send a burst.
      return throttle.limit(error, Math.max(pauseMs, error.retryAfterMs ?? 0));
    }
    const isOfAll = isOfKey(error) || error.code === "payment_required";
    // After an unknown outcome, the retry throws `in_doubt`, which is handled above.
    if (isOfAll || error.outcome === "unknown") {
      return throttle.countFailure(error, isOfAll, run.job.data.request);
    }
    // Don't throttle other workers, because only this machine may be cut off.
    await run.job.log(`Not sent, tried again later: ${error.message}`);
    return run.requeue(Math.max(pauseMs, error.retryAfterMs ?? throttleMs));
  };

  const submit = async (run: JobRun): Promise<never> => {
    const once = onceIdOf(run);
    refuseStartLimit(run);
    const { request } = run.job.data;
    warnOfPriority(run);
    for (;;) {
      await run.waitOrRequeue(await throttle.leftMs(), throttleMs);
      const { waitMs, isProbe } = await throttle.takeProbe(request);
      if (waitMs > 0 && (await submissions.find(once)).state === "free") await run.requeue(waitMs);
      // The client doesn't retry, so that all workers wait after a 429, and not only this one.
      const submitted = await toResult(
        client.jobs.submit(request, { once: { id: once, waitMs: 0 }, maxRetries: 0 }),
      );
      if (!submitted.ok) {
        await handleFailure(run, submitted.error);
        continue;
      }
      const { job_id } = submitted.data;
      const { answeredAt, retryAfterMs } = memory?.submissionOf(job_id) ?? {};
      // A recorded answer doesn't say when it came, nor whether the service works now.
      if (answeredAt !== undefined) await throttle.noteSuccess(request, isProbe);
      const { doubt, error } = run.job.data;
      if (doubt !== undefined || error !== undefined) await run.keep({});
      const now = Date.now();
      const submittedAt = answeredAt === undefined ? undefined : now;
      const made = { job_id, action: request.action };
      const ticket = createPollTicket(made, { timeoutMs, submittedAt });
      const pollAt = firstPollAt(ticket, retryAfterMs, { now, config });
      return pollLater(run, ticket, pollAt);
    }
  };

  const poll = async (run: JobRun, ticket: PollTicket): Promise<FinishedJob> => {
    const leftMs = (): number => Math.max(0, ticket.deadlineAt - Date.now());
    await run.waitOrRequeue(Math.min(leftMs(), await throttle.leftMs()), throttleMs);
    let failure: AnyAdGenError | undefined;
    const onPollFailed = (error: AnyAdGenError): void => {
      failure = error;
    };
    const polled = await toResult(pollOnce(client, ticket, { intervalMs, onPollFailed }));
    if (!polled.ok) {
      const { error } = polled;
      if (!isOfKey(error) || leftMs() === 0) return run.fail(error);
      await throttle.countFailure(error, true);
      return run.requeue(Math.min(throttleMs, leftMs()));
    }
    if (polled.data.done) return polled.data.job;
    const { ticket: next, waitMs } = polled.data;
    if (failure?.code === "rate_limited") {
      await throttle.limit(failure, failure.retryAfterMs ?? waitMs);
    }
    return pollLater(run, next, Date.now() + waitMs);
  };

  return (job: QueuedJob<SubmissionData>, token = ""): Promise<FinishedJob> =>
    retryOutages(`BullMQ's job ${job.id}`, () => {
      const run = createJobRun(job, token);
      const { progress }: { readonly progress: unknown } = job;
      // A job with progress is waiting: the processor stores the ticket as progress, because an
      // update of the data would write a request with pictures again. The poll checks the ticket,
      // because another program may have set the progress.
      return isObject(progress) ? poll(run, progress as unknown as PollTicket) : submit(run);
    });
};
