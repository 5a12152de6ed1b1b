import type { FinishedJob, JobRequest, SubmittedJob } from "../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import { notify } from "../hooks.ts";
import { pollJob } from "../polling/poll-job.ts";
import { type Result, toResult } from "../result.ts";
import type { Body } from "./requests.ts";
import { abortedBeforeError, createStopRule, notSentError, type Stop } from "./stop-rule.ts";
import type { SubmitClient } from "./submit-client.ts";
import type { SubmitManyConfig } from "./submit-many-options.ts";

/** A body, as `jobs.submit` takes it: that refuses what is none. */
type Sent = Body & JobRequest;

/** The end of one request. */
export type Settled = Result<FinishedJob> & {
  readonly index: number;
  readonly jobId?: string | undefined;
};

/** The receiver of everything that a batch tells. */
export interface BatchEvents {
  readonly onSettled: (settled: Settled) => void;
  /** Takes an error that is none of this library's: a bug, which ends the batch. */
  readonly onBug: (error: unknown) => void;
}

/** A batch whose requests are being sent. */
export interface Batch {
  /** The jobs so far, by the index of their requests. */
  readonly submitted: Map<number, SubmittedJob>;
  /** Sends the requests; resolves when no submission is under way any more. */
  readonly send: () => Promise<void>;
  /** Sends nothing more and ends the waits. Submissions under way go on. */
  readonly leave: () => void;
}

/** Makes a batch: nothing is sent yet. */
export const createBatch = (
  client: SubmitClient,
  bodies: readonly Body[],
  ids: readonly string[],
  config: SubmitManyConfig,
  { onSettled, onBug }: BatchEvents,
): Batch => {
  const { signal, concurrency } = config;
  const submitted = new Map<number, SubmittedJob>();
  const stopRule = createStopRule(config.stopAfterFailures);
  const waits = new AbortController();
  let nextIndex = 0;
  let isLeft = false;
  let stop: Stop | undefined;

  const onAbort = (): void => waits.abort(signal?.reason);
  const leave = (): void => {
    isLeft = true;
    waits.abort();
    signal?.removeEventListener?.("abort", onAbort);
  };

  /** Ends the batch at once: its reader may be busy with an earlier result. */
  const endByBug = (error: unknown): void => {
    leave();
    onBug(error);
  };

  const wait = async (job: SubmittedJob, index: number): Promise<void> => {
    const jobId = job.job_id;
    const finished = await toResult(pollJob(client, job, config.waitOf(index, waits.signal)));
    onSettled({ index, jobId, ...finished });
  };

  const noteSubmitted = (job: SubmittedJob, index: number): void => {
    stopRule.noteAnswer();
    submitted.set(index, job);
    const { onSubmitted } = config;
    notify("onSubmitted", onSubmitted && (() => onSubmitted(job, index)), job);
    // After the loop was left, the wait ends before its first poll.
    wait(job, index).catch(endByBug);
  };

  const noteFailed = (error: AnyAdGenError, index: number): void => {
    stop ??= stopRule.noteFailure(error, index);
    const { onSubmitFailed } = config;
    notify("onSubmitFailed", onSubmitFailed && (() => onSubmitFailed(error, index)), error);
    onSettled({ index, jobId: error.jobId, ok: false, error });
  };

  /** Settles the requests that are not sent any more. */
  const settleUnsent = (): void => {
    while (nextIndex < bodies.length) {
      const index = nextIndex++;
      const error = stop ? notSentError(stop, index) : abortedBeforeError(signal?.reason, index);
      onSettled({ index, ok: false, error });
    }
  };

  /** Sends one request after the other, until there are no more or something stops it. */
  const sendInTurn = async (): Promise<void> => {
    while (nextIndex < bodies.length && !stop && !isLeft && !signal?.aborted) {
      const index = nextIndex++;
      const options = { signal, ...(ids.length > 0 && { once: ids[index] }) };
      const answer = await toResult(client.jobs.submit(bodies[index] as Sent, options));
      if (answer.ok) noteSubmitted(answer.data, index);
      else noteFailed(answer.error, index);
    }
    if (!isLeft) settleUnsent();
  };

  return {
    submitted,
    leave,
    send: async () => {
      signal?.addEventListener("abort", onAbort);
      if (signal?.aborted) onAbort();
      const lanes = Array.from({ length: concurrency }, () => sendInTurn().catch(endByBug));
      await Promise.all(lanes);
    },
  };
};
