import type { Outcome } from "adgen-sdk";
import { failureEnvelope, successEnvelope } from "../contract/envelope.ts";
import { outcomeHeader } from "../contract/proxy-headers.ts";

/** One answer of the proxy, as it is sent and remembered: a repeat gets the very same. */
export interface ProxyAnswer {
  readonly status: number;
  /** JSON; empty for the answer to OPTIONS. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Facts about a failure beside its words. */
export interface FailureFacts {
  /** Fate of the write; absent for a read. */
  readonly outcome?: Outcome | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
  /** Job that exists, though its submission failed. */
  readonly jobId?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
}

type PassedOn = Pick<FailureFacts, "retryAfterMs" | "requestId">;

/** Tells whether a header can hold it: an odd id of a request must not lose a paid answer. */
const isPlain = (text: string | undefined): text is string => /^[!-~]{1,200}$/.test(text ?? "");

/** Headers of the service that the page may see. Other ones tell about the service's house. */
const passedOn = ({ retryAfterMs, requestId }: PassedOn): Record<string, string> => ({
  ...(retryAfterMs !== undefined && { "retry-after": String(Math.ceil(retryAfterMs / 1000)) }),
  ...(isPlain(requestId) && { "x-request-id": requestId }),
});

/** Makes the answer of a success. */
export const succeed = (status: number, data: unknown, facts: PassedOn = {}): ProxyAnswer => ({
  status,
  body: JSON.stringify(successEnvelope(data)),
  headers: passedOn(facts),
});

/** Makes the answer of a failure, in the envelope. */
export const fail = (status: number, words: string, facts: FailureFacts = {}): ProxyAnswer => ({
  status,
  body: JSON.stringify({
    ...failureEnvelope(words),
    ...(facts.jobId !== undefined && { job_id: facts.jobId }),
  }),
  headers: {
    ...passedOn(facts),
    ...facts.headers,
    ...(facts.outcome !== undefined && { [outcomeHeader]: facts.outcome }),
  },
});

/** Reads the fate of a write in its answer; `undefined` for a success. */
export const outcomeOf = ({ headers }: ProxyAnswer): Outcome | undefined =>
  headers[outcomeHeader] as Outcome | undefined;

/** Tells whether a value that a store gave is an answer. */
export const isAnswer = (value: unknown): value is ProxyAnswer => {
  const { status, body, headers } = (value ?? {}) as Partial<ProxyAnswer>;
  const isInRange = Number.isInteger(status) && Number(status) >= 200 && Number(status) < 600;
  // A Response takes no body with these.
  const takesBody = ![204, 205, 304].includes(Number(status));
  return (
    isInRange &&
    takesBody &&
    typeof body === "string" &&
    typeof headers === "object" &&
    headers !== null
  );
};

/** Carries an answer out of the steps before the service: the request goes no further. */
export class Refusal extends Error {
  readonly answer: ProxyAnswer;

  constructor(answer: ProxyAnswer, words: string) {
    super(words);
    this.answer = answer;
  }
}

/** Refuses a request: nothing of it reaches the service. */
export const refuse = (status: number, words: string, facts?: FailureFacts): never => {
  const outcome = status < 500 ? "refused" : "not-sent";
  throw new Refusal(fail(status, words, { outcome, ...facts }), words);
};

/** Refuses what is not there, and what is somebody else's, in the same words. */
export const refuseAsUnknown = (): never => refuse(404, "Not found");
