import { createArrivals } from "../arrivals.ts";
import { closable } from "../closable.ts";
import type { FinishedJob, JobRequest, SubmittedJob } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { notify } from "../hooks.ts";
import { linkSignal } from "../linked-signal.ts";
import { waitForEnd } from "../polling/poll-job.ts";
import { type Result, toResult } from "../result.ts";
import type { Body } from "./requests.ts";
import { abortedBeforeError, createStopRule, notSentError, type Stop } from "./stop-rule.ts";
import type { SubmitClient, SubmitManyConfig } from "./submit-many-options.ts";

/** A body, as `jobs.submit` takes it: that refuses what is none. */
type Sent = Body & JobRequest;

/** The end of one request. */
type Settled = Result<FinishedJob> & {
  readonly index: number;
  readonly jobId?: string | undefined;
};

/**
 * Yields the results of requests as they come; the first `next()` begins to send. Once it is left,
 * nothing more is sent and the waits end. Submissions under way go on.
 */
export const runBatch = (
  { jobs }: SubmitClient,
  bodies: readonly Body[],
  ids: readonly string[],
  config: SubmitManyConfig,
) => {
  const { signal, concurrency, onSubmitted, onSubmitFailed } = config;
  const { maxOpenJobs = Number.POSITIVE_INFINITY } = config;
  const submitted = new Map<number, SubmittedJob>();
  const stopRule = createStopRule(config.stopAfterFailures);
  const waits = linkSignal(signal);
  const arrivals = createArrivals<Settled>(bodies.length);
  /** All senders take from it in turn. */
  const queue = bodies.entries();
  let isLeft = false;
  let stop: Stop | undefined;
  /** Jobs that are being submitted, or waited for. */
  let open = 0;
  /** Senders that wait until there are fewer. */
  let waiting: (() => void)[] = [];

  const wakeSenders = (): void => {
    const woken = waiting;
    waiting = [];
    for (const wake of woken) wake();
  };

  const endOpen = (): void => {
    open -= 1;
    wakeSenders();
  };

  const leave = (): void => {
    isLeft = true;
    wakeSenders();
    waits.end();
    arrivals.end();
  };

  /** Ends the batch at once: its reader may be busy with an earlier result. */
  const endByBug = (error: unknown): void => {
    arrivals.fail(error);
    leave();
  };

  const wait = async (job: SubmittedJob, index: number): Promise<void> => {
    const ended = waitForEnd(jobs, job, config.waitOf(index, waits.signal));
    // It ends with a finished job.
    const result = (await toResult(ended)) as Result<FinishedJob>;
    endOpen();
    arrivals.give({ index, jobId: job.job_id, ...result });
  };

  const noteSubmitted = (job: SubmittedJob, index: number): void => {
    stopRule.noteAnswer();
    submitted.set(index, job);
    notify("onSubmitted", onSubmitted && (() => onSubmitted(job, index)), job);
    // After the loop was left, the wait ends before its first poll.
    wait(job, index).catch(endByBug);
  };

  const noteFailed = (error: AnyAdGenError, index: number): void => {
    stop ??= stopRule.noteFailure(error, index);
    notify("onSubmitFailed", onSubmitFailed && (() => onSubmitFailed(error, index)), error);
    arrivals.give({ index, jobId: error.jobId, ok: false, error });
    endOpen();
  };

  /** Takes a place for one more job, as soon as there is one. */
  const openOne = async (): Promise<void> => {
    while (open >= maxOpenJobs && !isLeft && stop === undefined) {
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    open += 1;
  };

  const sendInTurn = async (): Promise<void> => {
    for (;;) {
      await openOne();
      const next = isLeft ? undefined : queue.next().value;
      if (next === undefined) return endOpen();
      const [index, body] = next;
      if (stop || signal?.aborted) {
        const error = stop ? notSentError(stop, index) : abortedBeforeError(signal?.reason, index);
        arrivals.give({ index, ok: false, error });
        endOpen();
      } else {
        const options = { signal, ...(ids.length > 0 && { once: ids[index] }) };
        const answer = await toResult(jobs.submit(body as Sent, options));
        if (answer.ok) noteSubmitted(answer.data, index);
        else noteFailed(answer.error, index);
      }
    }
  };

  const giveResults = async function* (): AsyncGenerator<Settled, void, undefined> {
    waits.listen();
    const senders = Array.from({ length: concurrency }, () => sendInTurn().catch(endByBug));
    try {
      yield* arrivals.read();
    } finally {
      leave();
      // The id of a job is lost with its answer: submissions under way are waited for.
      await Promise.all(senders);
    }
  };

  return Object.assign(closable(giveResults(), leave), { submitted });
};
