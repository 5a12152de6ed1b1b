import type { Job, JobRequest, SubmittedJob } from "../../contract/jobs.ts";
import type { AnyAdGenError } from "../errors/errors.ts";
import type { PollClient } from "../http/job-ref.ts";
import type { PostOptions } from "../options/call-options.ts";
import type { ClientSchemas } from "../options/client-options.ts";
import { functionRule, numberRule, refuseWrite, wholeNumberRule } from "../options/rules.ts";
import {
  type PollConfig,
  type PollOptions,
  resolvePollOptions,
  type WaitProgress,
} from "../polling/poll-options.ts";

/** The part of a client that submits and waits. In tests, you can write one by hand. */
export interface SubmitClient<S extends ClientSchemas = ClientSchemas> {
  /** Submits the jobs, and reads them. */
  readonly jobs: PollClient<S>["jobs"] & {
    /** Submits a job. */
    submit(request: JobRequest, options?: PostOptions): Promise<SubmittedJob>;
  };
}

/** Options of `submitMany`, including the options of each wait. Everything in it is optional. */
export interface SubmitManyOptions<R = unknown> extends Omit<PollOptions<R>, "onUpdate"> {
  /**
   * Largest number of submissions under way at once, a whole number from 1 to 100. It limits
   * neither the jobs that the service works on (see `maxOpenJobs`) nor the polls, of which up to 20
   * are under way at once.
   * @default 6
   */
  concurrency?: number | undefined;
  /**
   * Largest number of jobs that are not finished yet, a whole number from 1. The next request is
   * sent when one of these jobs, or the wait for it, has ended.
   * @default no limit
   */
  maxOpenJobs?: number | undefined;
  /**
   * Largest number of requests, a whole number from 1. A longer list is refused before anything is
   * sent.
   * @default no limit
   */
  maxJobs?: number | undefined;
  /**
   * Largest sum of image credits, 0 or more. Each variation of an image action costs one credit. A
   * list that costs more is refused before anything is sent. Videos do not count, because the API's
   * document does not show their prices.
   * @default no limit
   */
  maxImageCredits?: number | undefined;
  /**
   * Number of submissions in a row that fail for a shared reason before nothing more is sent, a
   * whole number from 1. Shared reasons are an unknown outcome, no connection, and a 429. A failure
   * that a record or your `budget` has decided, such as `in_doubt`, does not count. A first 401, or
   * a 402 of the service, always stops the rest.
   * @default 3
   */
  stopAfterFailures?: number | undefined;
  /**
   * Returns the id of each request, by which it is submitted once: see `PostOptions`. `submitMany`
   * calls it for all requests before anything is sent.
   */
  once?: ((request: { readonly [name: string]: unknown }, index: number) => string) | undefined;
  /**
   * Ends the waits and the submissions under way within 100 ms. The outcome of such a submission is
   * then unknown. Nothing is sent afterwards. If you need the ids of all jobs, leave the loop
   * instead.
   */
  signal?: AbortSignal | undefined;
  /**
   * Observer of each new job, called as soon as its submission is answered: save its id here. It is
   * also called after the loop was left. What it throws is printed.
   */
  onSubmitted?: ((job: SubmittedJob, index: number) => void) | undefined;
  /**
   * Observer of each submission that failed. It is also called after the loop was left, but not for
   * requests that the batch left out after it had stopped. What it throws is printed.
   */
  onSubmitFailed?: ((error: AnyAdGenError, index: number) => void) | undefined;
  /**
   * Observer of a job after every poll, of its wait's progress, and of the index of its request.
   * What it throws is printed.
   */
  onUpdate?: ((job: Job<R>, progress: WaitProgress, index: number) => void) | undefined;
}

const ownRules = () => ({
  concurrency: wholeNumberRule(1, 100),
  maxOpenJobs: wholeNumberRule(1, Number.MAX_SAFE_INTEGER),
  maxJobs: wholeNumberRule(1, Number.MAX_SAFE_INTEGER),
  maxImageCredits: numberRule(0, Number.MAX_SAFE_INTEGER),
  stopAfterFailures: wholeNumberRule(1, Number.MAX_SAFE_INTEGER),
  once: functionRule<(request: object, index: number) => unknown>(),
  onSubmitted: functionRule<(job: SubmittedJob, index: number) => void>(),
  onSubmitFailed: functionRule<(error: AnyAdGenError, index: number) => void>(),
});

/** Checks and fills the options of `submitMany`. */
export const resolveSubmitManyOptions = (options: unknown) => {
  const checked = resolvePollOptions("submitMany", options, refuseWrite, ownRules());
  const { concurrency = 6, stopAfterFailures = 3, onUpdate: observer, ...config } = checked;
  // Keep an explicit `once: undefined`, so that the client refuses the missing id.
  const given = Object.hasOwn(Object(options), "once") ? { once: config.once } : {};
  const onUpdate = observer as SubmitManyOptions["onUpdate"];
  return {
    ...config,
    ...given,
    concurrency,
    stopAfterFailures,
    /** Returns the options of the wait for a request's job. */
    waitOf: (index: number, signal: AbortSignal): PollConfig => ({
      ...config,
      signal,
      onUpdate: onUpdate && ((job, progress) => onUpdate(job, progress, index)),
    }),
  };
};

/** The options of `submitMany`, checked and filled in. */
export type SubmitManyConfig = ReturnType<typeof resolveSubmitManyOptions>;
