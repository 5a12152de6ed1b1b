import { isAdGenError, type Outcome } from "adgen-sdk";
import type { Redact } from "../client/errors/text.ts";
import { failureEnvelope, successEnvelope } from "../contract/envelope.ts";
import { outcomeHeader, type ReachedLimit } from "../contract/proxy-answers.ts";

/** One answer of the proxy, as it is sent and remembered. A repeat gets the very same answer. */
export interface ProxyAnswer {
  readonly status: number;
  /** Envelope in JSON. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Facts about a failure. */
export interface FailureFacts {
  /** Whether the write was carried out. A read has no outcome. */
  readonly outcome?: Outcome | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
  /** Job that exists although its submission failed, or the job of the call id. */
  readonly jobId?: string | undefined;
  /** Limit of the app that was reached. It is absent if the service refuses. */
  readonly limit?: ReachedLimit | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

type PassedOn = Pick<FailureFacts, "retryAfterMs" | "requestId">;

/**
 * Whether a header can hold a text. A strange request id must not turn a paid answer into an error.
 */
const isPlain = (text: string | undefined): text is string => /^[!-~]{1,200}$/.test(text ?? "");

/**
 * Returns the service's headers that the page may see. Other headers could show how the service is
 * built.
 */
const passedOn = ({ retryAfterMs, requestId }: PassedOn): Record<string, string> => ({
  ...(retryAfterMs !== undefined && { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }),
  ...(isPlain(requestId) && { "x-request-id": requestId }),
});

/**
 * Makes the answer of a success, and cuts out keys that the service has echoed in a value or a
 * name.
 */
export const successAnswer = (
  status: number,
  data: unknown,
  redact: Redact,
  facts: PassedOn = {},
): ProxyAnswer => ({
  status,
  // Redact the values first, because JSON escapes some characters of a key, and then the field
  // names.
  body: redact(
    JSON.stringify(successEnvelope(data), (_, value) =>
      typeof value === "string" ? redact(value) : value,
    ),
  ),
  headers: passedOn(facts),
});

export const failureAnswer = (
  status: number,
  words: string,
  facts: FailureFacts = {},
): ProxyAnswer => ({
  status,
  body: JSON.stringify({
    ...failureEnvelope(words),
    ...(facts.jobId !== undefined && { job_id: facts.jobId }),
    ...(facts.limit !== undefined && { limit: facts.limit }),
  }),
  headers: {
    ...passedOn(facts),
    ...facts.headers,
    ...(facts.outcome !== undefined && { [outcomeHeader]: facts.outcome }),
  },
});

/** Reads the outcome of a write from its answer; `undefined` for a success. */
export const outcomeOf = ({ headers }: ProxyAnswer): Outcome | undefined =>
  headers[outcomeHeader] as Outcome | undefined;

/** Whether an answer says that its call was not carried out, and never will be. */
export const isSurelyNotDone = (answer: ProxyAnswer): boolean =>
  ["refused", "not-sent"].includes(outcomeOf(answer) ?? "");

/** Whether a value that a store gave is an answer. */
export const isAnswer = (value: unknown): value is ProxyAnswer => {
  const { status, body } = Object(value);
  return typeof status === "number" && typeof body === "string";
};

/** Ends a request at any step, and carries the answer to send. */
export class ProxyRefusal extends Error {
  readonly answer: ProxyAnswer;

  constructor(answer: ProxyAnswer) {
    super(answer.body);
    this.answer = answer;
  }
}

/** Wait before a page asks again for a call whose record could not be read. */
const askAgainMs = 1_000;

/**
 * Answers a call with an id whose record could not be read: this request was not sent, but a copy
 * of it may have been. The client may repeat it after the wait, because the id keeps it from being
 * sent twice.
 */
export const unreadableAnswer = (status: number, words: string): ProxyAnswer =>
  failureAnswer(status, words, { outcome: "unknown", retryAfterMs: askAgainMs });

/**
 * Turns what a step or the store has thrown into a refusal. It reports all errors except refusals
 * and store errors.
 */
export const refusalOf = (thrown: unknown, report: (error: unknown) => void): ProxyRefusal => {
  if (thrown instanceof ProxyRefusal) return thrown;
  if (isAdGenError(thrown) && thrown.code === "store") {
    const words = "the proxy's store cannot be reached, so this request was not sent";
    // A store error has an outcome only if the record of a call id could not be read.
    const isUnread = thrown.outcome === "unknown";
    return new ProxyRefusal(
      isUnread ? unreadableAnswer(503, words) : failureAnswer(503, words, { outcome: "not-sent" }),
    );
  }
  report(thrown);
  // The service may already have been asked.
  return new ProxyRefusal(failureAnswer(500, "the proxy failed", { outcome: "unknown" }));
};

/** Refuses a request before anything reaches the service. */
export const refuseRequest = (status: number, words: string, facts?: FailureFacts): never => {
  const outcome = status < 500 ? "refused" : "not-sent";
  throw new ProxyRefusal(failureAnswer(status, words, { outcome, ...facts }));
};

/** Refuses a missing thing and somebody else's thing in the same words. */
export const refuseAsUnknown = (): never => refuseRequest(404, "Not found");
