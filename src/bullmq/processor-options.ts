import type { AdGenClient } from "adgen-sdk";
import type { Queue } from "bullmq";
import type { Doubt } from "../client/errors/doubt.ts";
import type { AnyAdGenError } from "../client/errors/errors.ts";
import type { ClientSchemas } from "../client/options/client-options.ts";
import { func, milliseconds, refuseOption, rule, wholeNumber } from "../client/options/rules.ts";
import type { RecoverOptions, Submissions } from "../client/options/submissions.ts";
import { type PollOptions, pollRules, resolvePollOptions } from "../client/polling/poll-options.ts";
import type { CreditKind } from "../contract/actions.ts";
import type { JobRequest } from "../contract/jobs.ts";

/**
 * Data of a BullMQ job: you give the request, the processor keeps the rest. Its progress is the
 * ticket of the wait: see `pollOnce`.
 */
export interface SubmissionData {
  /** Body of the submission. */
  readonly request: JobRequest;
  /** Submission that may have been carried out: give it to `submissions.decide`. */
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

/** Reason to hold requests back, met by one worker. */
export interface HoldEvent {
  /** `"requests"` after a 429. Otherwise `"submissions"`: polls go on. */
  readonly held: "requests" | "submissions";
  /** Kind of credit that ran out, after a 402. Only submissions that cost this kind are held back. */
  readonly credit?: CreditKind | undefined;
  /** A 429, a 401 or a 402, or the third unknown outcome in a row. */
  readonly error: AnyAdGenError;
  /** Time until the next request, in milliseconds. After it, a single submission is sent as a probe. */
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
  /** Queue of the worker: its connection carries the holds of all workers. */
  readonly queue: Queue;
  /**
   * Time for which a 401 or a 402 holds submissions back, in milliseconds. Then one submission is sent
   * as a probe. A submission that could not be sent is retried after this time, too. A submission that
   * is under way in another worker is read again after 10 seconds, or after this time if it is shorter.
   * @default 60000
   */
  readonly holdMs?: number | undefined;
  /** Called in the worker whose request was the reason to hold back the requests of all workers. */
  readonly onHold?: ((event: HoldEvent) => void) | undefined;
}

const processorRules = () => ({
  client: rule<AdGenClient>(
    "what createClient gave",
    (value) => typeof (value as AdGenClient | null)?.jobs?.submit === "function",
  ),
  queue: rule<Queue>(
    "a Queue of BullMQ",
    (value) => typeof (value as Queue | null)?.getBackend === "function",
  ),
  submissions: rule<Submissions>(
    "what createSubmissions gave",
    (value) => typeof (value as Submissions | null)?.decide === "function",
  ),
  candidateLimit: wholeNumber(1, Number.MAX_SAFE_INTEGER),
  holdMs: milliseconds(),
  onHold: func<(event: HoldEvent) => void>(),
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
  const { holdMs = 60_000 } = config;
  return { ...config, client, queue, submissions, holdMs };
};
