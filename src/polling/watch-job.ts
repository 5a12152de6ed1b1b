import type { ClientSchemas } from "../config.ts";
import type { Action } from "../contract/actions.ts";
import { isFinished, isJobStatus, type Job } from "../contract/jobs.ts";
import { type AdGenError, addContext, isAdGenError, PollTimeoutError } from "../errors.ts";
import { observe } from "../hooks.ts";
import type { JobRef, ResultOf } from "../resources/job-ref.ts";
import type { JobReader } from "../resources/jobs.ts";
import { sleep } from "../sleep.ts";
import { type PollConfig, type PollOptions, resolvePollOptions } from "./poll-options.ts";
import { nextWaitMs } from "./schedule.ts";

/** What a wait needs of a client. */
export interface PollClient<S extends ClientSchemas = ClientSchemas> {
  /** Where the jobs are looked at. */
  readonly jobs: JobReader<S>;
}

/** A job that was just submitted may not be found everywhere at once. */
const notFoundToleranceMs = 10_000;

const fatalStatuses: readonly unknown[] = [400, 401, 402, 403, 410];
const fatalCodes = ["aborted", "invalid_request", "config"];

/** Whether the next look could only fail again; everything else passes, given time. */
const isFatal = ({ status, code, lastJob }: AdGenError, seen: boolean, elapsedMs: number) =>
  fatalStatuses.includes(status) ||
  fatalCodes.includes(code) ||
  (status === 404 && (seen || elapsedMs >= notFoundToleranceMs)) ||
  Boolean(lastJob); // a finished job that does not fit the caller's schema

/** The one loop of this library: looks, and waits, until the job has finished. */
async function* watch(client: PollClient, ref: JobRef, config: PollConfig): AsyncGenerator<Job> {
  const { timeoutMs, signal } = config;
  const jobId = typeof ref === "string" ? ref : ref?.job_id;
  const startedAt = performance.now();
  // What was slept counts also where `performance` stands still, as under some fake timers.
  let sleptMs = 0;
  const elapsedMs = () => Math.max(performance.now() - startedAt, sleptMs);
  const lastLookMs = Math.min(5_000, Math.max(500, timeoutMs / 4));
  let attempts = 0;
  let lastJob: Job | undefined;

  for (;;) {
    let job: Job | undefined;
    let failure: AdGenError | undefined;
    let retryAfterMs: number | undefined;
    // Timers may fire a moment early: less than a millisecond is no time for another look.
    const leftMs = timeoutMs - elapsedMs();
    const about = () => ({ jobId, lastJob, attempts, elapsedMs: Math.round(elapsedMs()) });
    try {
      job = await client.jobs.get(ref, {
        signal,
        totalTimeoutMs: leftMs < 1 ? lastLookMs : leftMs,
        maxRetries: 0,
        onResponse: (response) => {
          retryAfterMs = response.retryAfterMs;
        },
      });
      attempts++;
    } catch (error) {
      if (!isAdGenError(error)) throw error;
      attempts += error.attempts ?? 1;
      if (isFatal(error, lastJob !== undefined, elapsedMs())) {
        throw addContext(error, { ...about(), lastJob: error.lastJob ?? lastJob });
      }
      failure = error;
    }
    if (job) {
      lastJob = job;
      observe(config, "onUpdate", job);
      yield job;
      if (isFinished(job.status)) return;
    }
    if (leftMs < 1) {
      const status = isJobStatus(lastJob?.status) ? lastJob?.status : "?"; // foreign text stays out
      const message = `job ${jobId} did not finish in time; last seen: ${status}`;
      throw new PollTimeoutError("poll_timeout", message, { ...about(), cause: failure });
    }
    const unfinished = isJobStatus(job?.status); // in a documented state, and not in a last one
    const waitMs = nextWaitMs(config, attempts, retryAfterMs, unfinished);
    const untilMs = failure?.status === 404 ? Math.min(timeoutMs, notFoundToleranceMs) : timeoutMs;
    const cutMs = Math.ceil(Math.max(0, Math.min(waitMs, untilMs - elapsedMs())));
    try {
      await sleep(cutMs, signal);
      sleptMs += cutMs;
    } catch {} // aborted: the next look, which sends nothing then, gives the error
  }
}

/**
 * Waits for a job like {@link pollJob}, giving the job after every look: an async iterator that
 * ends after the finished job. Leaving the loop ends the wait.
 *
 * @throws {@link AdGenError}, while iterating: what `pollJob` throws. Bad options are refused
 * at once (`invalid_request`).
 * @see API v1, section 3 "States and transitions"
 * @example
 * for await (const job of watchJob(client, id)) console.log(job.status);
 */
export const watchJob = <S extends ClientSchemas = ClientSchemas, A extends Action = never>(
  client: PollClient<S>,
  job: JobRef<A>,
  options?: PollOptions<ResultOf<S, A>>,
): AsyncGenerator<Job<ResultOf<S, A>>, void, undefined> =>
  watch(client as PollClient, job as JobRef, resolvePollOptions(options)) as AsyncGenerator<
    Job<ResultOf<S, A>>,
    void,
    undefined
  >;
