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
   * Largest number of submissions under way at once, a whole number from 1 to 100. It does not bound
   * the jobs that the service works on: see `maxOpenJobs`. Up to 20 jobs are
   * polled at once, whatever it is.
   * @default 6
   */
  concurrency?: number | undefined;
  /**
   * Largest number of jobs that are not finished yet, a whole number from 1. The next request is sent
   * when one of them has ended, or the wait for it.
   * @default no limit
   */
  maxOpenJobs?: number | undefined;
  /**
   * Largest number of requests, a whole number from 1. More are refused before anything is sent.
   * @default no limit
   */
  maxJobs?: number | undefined;
  /**
   * Largest sum of image credits, 0 or more: one for each variation of each image action. More are
   * refused before anything is sent. Videos have prices that the API's document does not show:
   * they do not count.
   * @default no limit
   */
  maxImageCredits?: number | undefined;
  /**
   * Number of submissions in a row that fail for a shared reason before nothing more is sent, a
   * whole number from 1. Shared reasons: an unknown outcome, no connection, a 429. What a record or
   * a budget has decided (`in_doubt`, `under_way`) does not count. A first 401, or a 402 of the
   * service, always stops the rest.
   * @default 3
   */
  stopAfterFailures?: number | undefined;
  /**
   * Returns the id of each request, by which it is submitted once: see `PostOptions`. It is called at
   * the call of `submitMany`, before anything is sent.
   */
  once?: ((request: { readonly [name: string]: unknown }, index: number) => string) | undefined;
  /**
   * Ends everything within 100 ms: submissions under way, whose outcome is then unknown, and waits.
   * Nothing is sent afterwards. To lose no id, leave the loop instead.
   */
  signal?: AbortSignal | undefined;
  /**
   * Observer of each new job, as soon as its submission is answered: save its id here. It is also
   * called when the loop was left meanwhile. What it throws is printed.
   */
  onSubmitted?: ((job: SubmittedJob, index: number) => void) | undefined;
  /**
   * Observer of each submission that was sent and failed. It is also called when the loop was left
   * meanwhile. What it throws is printed.
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
