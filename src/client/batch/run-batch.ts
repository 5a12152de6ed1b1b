import type { FinishedJob, JobRequest, SubmittedJob } from "../../contract/jobs.ts";
import { type Result, toResult } from "../errors/result.ts";
import { memoryOf } from "../internal/job-memory.ts";
import { createLimit } from "../internal/limit.ts";
import { inSettleOrder } from "../internal/settle-order.ts";
import { linkSignal } from "../internal/sleep.ts";
import { callObserver } from "../options/hooks.ts";
import { waitForEnd } from "../polling/poll-job.ts";
import { defaultPollConcurrency } from "../polling/poll-jobs.ts";
import { createWaitGroup } from "../polling/wait.ts";
import type { Body } from "./requests.ts";
import { abortedBeforeError, createStopRule, notSentError, type Stop } from "./stop-rule.ts";
import type { SubmitClient, SubmitManyConfig } from "./submit-many-options.ts";

/** A body in the type that `jobs.submit` takes. `jobs.submit` checks it. */
type Sent = Body & JobRequest;

/** The result of one request, with the id of its job if that is known. */
type Settled = Result<FinishedJob> & {
  readonly index: number;
  readonly jobId?: string | undefined;
};

/**
 * Yields the results of requests as they come. The first `next()` begins to send. When the loop is
 * left, nothing more is sent and the waits end, while submissions under way go on.
 */
export const runBatch = (
  { jobs }: SubmitClient,
  bodies: readonly Body[],
  ids: readonly string[],
  config: SubmitManyConfig,
) => {
  const { signal, concurrency, onSubmitted, onSubmitFailed } = config;
  const { maxOpenJobs = Number.POSITIVE_INFINITY } = config;
  const memory = memoryOf(jobs);
  const submitted = new Map<number, SubmittedJob>();
  const stopRule = createStopRule(config.stopAfterFailures);
  const sending = createLimit(concurrency);
  const open = createLimit(maxOpenJobs);
  const waits = createWaitGroup(defaultPollConcurrency);
  const { signal: waitSignal, end } = linkSignal(signal);
  let stop: Stop | undefined;

  const leave = (): void => {
    end();
    open.lift();
  };

  /** Ends the batch at once, because its reader may still be busy with an earlier result. */
  const endByBug = (bug: unknown): never => {
    leave();
    throw bug;
  };

  const submit = async (body: Body, index: number): Promise<Result<SubmittedJob>> => {
    if (stop) return { ok: false, error: notSentError(stop, index) };
    if (waitSignal.aborted) return { ok: false, error: abortedBeforeError(signal?.reason, index) };
    // Pass `once` only if it was given, because the client refuses an explicit `undefined`.
    const options = { signal, ...(Object.hasOwn(config, "once") && { once: ids[index] }) };
    const answer = await toResult(jobs.submit(body as Sent, options)).catch(endByBug);
    const { data: job, error } = answer;
    if (answer.ok) {
      // A response from a record has no time, and says nothing about the service's present state.
      const isOnRecord = memory?.submissionOf(answer.data.job_id)?.answeredAt === undefined;
      if (memory === undefined || !isOnRecord) stopRule.noteAnswer();
      submitted.set(index, answer.data);
      callObserver("onSubmitted", onSubmitted && (() => onSubmitted(answer.data, index)), job);
    } else {
      stop ??= stopRule.noteFailure(answer.error, index);
      if (stop) open.lift();
      callObserver(
        "onSubmitFailed",
        onSubmitFailed && (() => onSubmitFailed(answer.error, index)),
        error,
      );
    }
    return answer;
  };

  const run = async (body: Body, index: number): Promise<Settled> => {
    const { ok, data: job, error } = await sending.run(() => submit(body, index));
    if (!ok) return { index, jobId: error.jobId, ok, error };
    // The wait ends with a finished job.
    const ended = waitForEnd(jobs, job, config.waitOf(index, waitSignal), waits);
    return {
      index,
      jobId: job.job_id,
      ...(await toResult(ended as Promise<FinishedJob>).catch(endByBug)),
    };
  };

  const giveResults = async function* (): AsyncGenerator<Settled, void, undefined> {
    const results = bodies.map((body, index) => open.run(() => run(body, index)));
    try {
      yield* inSettleOrder(results);
    } finally {
      leave();
      // Wait for submissions under way, because the id of a job would be lost with its response.
      await Promise.allSettled(results);
    }
  };

  return Object.assign(giveResults(), { submitted });
};
