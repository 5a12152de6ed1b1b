import type { AdGenClient } from "adgen-sdk";
import type { Queue } from "bullmq";
import type { Doubt } from "../client/errors/doubt.ts";
import type { AnyAdGenError } from "../client/errors/errors.ts";
import type { ClientSchemas } from "../client/options/client-options.ts";
import {
  createRule,
  functionRule,
  millisecondsRule,
  refuseOption,
  wholeNumberRule,
} from "../client/options/rules.ts";
import type { RecoverOptions, Submissions } from "../client/options/submissions.ts";
import { type PollOptions, pollRules, resolvePollOptions } from "../client/polling/poll-options.ts";
import type { CreditKind } from "../contract/actions.ts";
import type { JobRequest } from "../contract/jobs.ts";

/**
 * Data of a BullMQ job. You set `request`, and the processor sets the other fields. The job's
 * progress is the ticket of its wait: see `pollOnce`.
 */
export interface SubmissionData {
  /** Body of the submission. */
  readonly request: JobRequest;
  /** Submission that may have been carried out. Pass it to `submissions.decide`. */
  readonly doubt?: Doubt | undefined;
  /** Error that ended the last attempt. */
  readonly error?: ErrorRecord | undefined;
}

/** An error in the form that `JSON.stringify` gives. */
export interface ErrorRecord {
  /** Code of the failure. */
  readonly code: string;
  /** Description of the failure. */
  readonly message: string;
  /** Further facts: status, jobId, outcome. */
  readonly [field: string]: unknown;
}

/** A failure after which the requests of all workers are throttled. */
export interface ThrottleEvent {
  /**
   * What is throttled: after a 429 all `"requests"`, otherwise only `"submissions"` and no polls.
   */
  readonly throttled: "requests" | "submissions";
  /**
   * Kind of credit that ran out, after a 402. Only submissions that cost this kind are throttled.
   */
  readonly credit?: CreditKind | undefined;
  /** A 429, a 401 or a 402, or the last of three unknown outcomes in a row. */
  readonly error: AnyAdGenError;
  /** Time until the next request, in milliseconds. If submissions are throttled, it is a probe. */
  readonly waitMs: number;
}

/** Options of `createProcessor`. `client`, `queue` and `submissions` are required. */
export interface ProcessorOptions<S extends ClientSchemas = ClientSchemas>
  extends Pick<PollOptions, "timeoutMs" | "intervalMs">,
    Pick<RecoverOptions, "candidateLimit"> {
  /** Client with `submissions` in Redis. Its schemas check the results. */
  readonly client: AdGenClient<S>;
  /** The submissions of the client. */
  readonly submissions: Submissions;
  /** Queue of the worker. Its Redis holds the state of the throttling for all workers. */
  readonly queue: Queue;
  /**
   * Time in milliseconds for which submissions are throttled after a 401, a 402 or three unknown
   * outcomes in a row. After this time, one submission is sent as a probe. A submission that could
   * not be sent is retried after this time. A submission that is under way in another worker is
   * looked up again within 10 seconds, or within this time if it is shorter.
   * @default 60000
   */
  readonly throttleMs?: number | undefined;
  /**
   * Called in the worker whose request began to throttle the requests of all workers. After a 429,
   * it is called only if the wait is longer than `throttleMs`.
   */
  readonly onThrottle?: ((event: ThrottleEvent) => void) | undefined;
}

const processorRules = () => ({
  client: createRule<AdGenClient>(
    "what createClient gave",
    (value) => typeof (value as AdGenClient | null)?.jobs?.submit === "function",
  ),
  queue: createRule<Queue>(
    "a Queue of BullMQ",
    (value) => typeof (value as Queue | null)?.getBackend === "function",
  ),
  submissions: createRule<Submissions>(
    "what createSubmissions gave",
    (value) => typeof (value as Submissions | null)?.decide === "function",
  ),
  candidateLimit: wholeNumberRule(1, Number.MAX_SAFE_INTEGER),
  throttleMs: millisecondsRule(),
  onThrottle: functionRule<(event: ThrottleEvent) => void>(),
});

/** Checks and fills the options of a processor. */
export const resolveProcessorOptions = (options: unknown) => {
  const owner = "createProcessor";
  const { intervalMs, timeoutMs } = pollRules();
  const waitRules = { intervalMs, timeoutMs };
  const config = resolvePollOptions(owner, options, refuseOption, processorRules(), waitRules);
  const { client = refuseOption(`${owner} needs a client`) } = config;
  const { queue = refuseOption(`${owner} needs the queue of its worker`) } = config;
  const { submissions = refuseOption(`${owner} needs the client's submissions`) } = config;
  const { throttleMs = 60_000 } = config;
  return { ...config, client, queue, submissions, throttleMs };
};
