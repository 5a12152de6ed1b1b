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
 * Gives the results of requests as they come; the first `next()` begins to send. Once it is left,
 * nothing more is sent and the waits end. Submissions under way go on.
 */
export const runBatch = (
  { jobs }: SubmitClient,
  bodies: readonly Body[],
  ids: readonly string[],
  config: SubmitManyConfig,
) => {
  const { signal, concurrency, onSubmitted, onSubmitFailed } = config;
  const submitted = new Map<number, SubmittedJob>();
  const stopRule = createStopRule(config.stopAfterFailures);
  const waits = linkSignal(signal);
  /** News for the reader, in the order in which they came; a bug throws. */
  const line: (() => Settled)[] = [];
  let wake = (): void => {};
  let nextIndex = 0;
  let isLeft = false;
  let stop: Stop | undefined;

  const leave = (): void => {
    isLeft = true;
    waits.end();
    wake();
  };

  const tell = (news: () => Settled): void => {
    line.push(news);
    wake();
  };
  const settle = (settled: Settled): void => tell(() => settled);

  /** Ends the batch at once: its reader may be busy with an earlier result. */
  const endByBug = (error: unknown): void => {
    leave();
    tell(() => {
      throw error;
    });
  };

  const wait = async (job: SubmittedJob, index: number): Promise<void> => {
    const ended = waitForEnd(jobs, job, config.waitOf(index, waits.signal));
    // It ends with a finished job.
    const result = (await toResult(ended)) as Result<FinishedJob>;
    settle({ index, jobId: job.job_id, ...result });
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
    settle({ index, jobId: error.jobId, ok: false, error });
  };

  /** Sends one request after the other, until there are no more or something stops it. */
  const sendInTurn = async (): Promise<void> => {
    while (nextIndex < bodies.length && !stop && !isLeft && !signal?.aborted) {
      const index = nextIndex++;
      const options = { signal, ...(ids.length > 0 && { once: ids[index] }) };
      const answer = await toResult(jobs.submit(bodies[index] as Sent, options));
      if (answer.ok) noteSubmitted(answer.data, index);
      else noteFailed(answer.error, index);
    }
    // What is left is not sent any more.
    while (nextIndex < bodies.length && !isLeft) {
      const index = nextIndex++;
      const error = stop ? notSentError(stop, index) : abortedBeforeError(signal?.reason, index);
      settle({ index, ok: false, error });
    }
  };

  const giveResults = async function* (): AsyncGenerator<Settled, void, undefined> {
    waits.listen();
    const lanes = Array.from({ length: concurrency }, () => sendInTurn().catch(endByBug));
    try {
      for (let given = 0; given < bodies.length; ) {
        const next = line.shift();
        if (next !== undefined) {
          given++;
          yield next();
        } else if (isLeft) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      leave();
      // The id of a job is lost with its answer: submissions under way are waited for.
      await Promise.all(lanes);
    }
  };

  return Object.assign(closable(giveResults(), leave), { submitted });
};
