import { isFinished, isJobStatus, type Job } from "../contract/jobs.ts";
import { addFields } from "../errors/adgen-error.ts";
import { type AnyAdGenError, isAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { describeValue } from "../errors/text.ts";
import { notify } from "../hooks.ts";
import type { CallOptions } from "../options/call-options.ts";
import { sleep } from "../sleep.ts";
import { createFailureWatch, notFoundToleranceMs } from "./failed-looks.ts";
import type { PollConfig } from "./poll-options.ts";
import { nextWaitMs } from "./schedule/pace.ts";

/** Looks at the job once. */
export type Look = (options: CallOptions) => Promise<Job>;

/** Measures a wait by a clock that survives steps of the system's clock. */
const startClock = () => {
  const startedAt = performance.now();
  let sleptMs = 0;
  return {
    // What was slept counts also where `performance` stands still, as under some fake timers.
    elapsedMs: () => Math.max(performance.now() - startedAt, sleptMs),
    addSlept: (ms: number) => {
      sleptMs += ms;
    },
  };
};

const describeStatus = (job: Job | undefined): string => {
  if (job === undefined) return "it was never seen";
  // An unknown status is foreign text: it stays out of the message.
  return isJobStatus(job.status)
    ? `last status "${job.status}"`
    : "its last status is not one that this version knows: see lastJob.status";
};

const deadlineError = (
  jobId: unknown,
  { timeoutMs }: PollConfig,
  lastJob: Job | undefined,
  failure: AnyAdGenError | undefined,
): AnyAdGenError => {
  const last = failure === undefined ? "" : `; last failure: ${failure.message}`;
  const message =
    `job ${describeValue(jobId)} did not finish within ${timeoutMs} ms ` +
    `(${describeStatus(lastJob)}${last})`;
  return makeError("poll_timeout", message, { cause: failure });
};

/** The one loop of this library: looks, and waits, until the job has finished. */
export async function* watch(
  look: Look,
  jobId: string | undefined,
  config: PollConfig,
): AsyncGenerator<Job, void, undefined> {
  const { timeoutMs, signal } = config;
  const { elapsedMs, addSlept } = startClock();
  const failures = createFailureWatch();
  const lastLookMs = Math.min(5_000, Math.max(500, timeoutMs / 4));
  let looks = 0;
  let attempts = 0;
  let lastJob: Job | undefined;
  const tell = (error: AnyAdGenError): AnyAdGenError =>
    addFields(error, {
      jobId,
      attempts,
      elapsedMs: Math.round(elapsedMs()),
      lastJob: error.lastJob ?? (lastJob && { ...lastJob }),
    });

  for (;;) {
    looks++;
    const leftMs = timeoutMs - elapsedMs();
    // Timers may fire a moment early: less than a millisecond is no time for another look.
    const isLastLook = leftMs < 1;
    let job: Job | undefined;
    let failure: AnyAdGenError | undefined;
    let retryAfterMs: number | undefined;
    try {
      job = await look({
        signal,
        totalTimeoutMs: isLastLook ? lastLookMs : leftMs,
        maxRetries: 0,
        onResponse: (response) => {
          retryAfterMs = response.retryAfterMs;
        },
      });
      attempts++;
      failures.reset();
    } catch (error) {
      if (!isAdGenError(error)) throw error;
      failure = error;
      attempts += error.attempts ?? 0;
      const wait = { wasSeen: lastJob !== undefined, elapsedMs: elapsedMs() };
      if (failures.endsWait(error, wait)) throw tell(error);
      notify("onLookFailed", config.onLookFailed, error);
    }
    if (job !== undefined) {
      lastJob = job;
      notify("onUpdate", config.onUpdate, job);
      yield job;
      if (isFinished(job.status)) return;
    }
    if (isLastLook) throw tell(deadlineError(jobId, config, lastJob, failure));

    const waitMs = nextWaitMs(config, {
      looks,
      retryAfterMs,
      isUnfinished: job?.status === "queued" || job?.status === "processing",
      isRateLimited: failure?.status === 429,
      leftMs: timeoutMs - elapsedMs(),
    });
    // A last look at each limit: the deadline, and the time that a 404 is waited out.
    const mayAppear = failure?.code === "not_found" && elapsedMs() < notFoundToleranceMs;
    const limitMs = mayAppear ? Math.min(notFoundToleranceMs, timeoutMs) : timeoutMs;
    const cutMs = Math.ceil(Math.min(waitMs, Math.max(0, limitMs - elapsedMs())));
    // An abort ends the sleep; the next look, which sends nothing then, gives the error.
    await sleep(cutMs, signal);
    if (!signal?.aborted) addSlept(cutMs);
  }
}
