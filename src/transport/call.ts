import type { StandardSchema } from "../answer/standard-schema.ts";
import type { Answers, Endpoint, EndpointName } from "../contract/endpoint.ts";
import type { ErrorFields } from "../errors/error-fields.ts";
import type { CallFacts } from "../errors/make-error.ts";
import type { Clean } from "../errors/text.ts";
import type { CallConfig } from "../options/call-options.ts";
import type { ClientConfig, KeyFailure } from "../options/client-options.ts";

/** Facts of an answer that checks need for their errors. */
export interface Answered {
  readonly call: CallFacts;
  readonly fields: ErrorFields;
  readonly clean: Clean;
}

/** Parts of a call that a method of the client fills in. */
export interface CallInput<Data = unknown> {
  /** Id for the endpoint's `:id`. */
  readonly id?: unknown;
  readonly query?: unknown;
  /** The options hold a `query`. */
  readonly takesQuery?: true;
  /** JSON. */
  readonly body?: string;
  /** The caller's schema, for the answer or for each item of a list. */
  readonly schema?: StandardSchema | undefined;
  /** Stands for the data of an answer without any; absent where there must be some. */
  readonly empty?: object;
  /** Runs before anything is sent, within the call's time; an error that it throws ends the call. */
  readonly prepare?: (() => Promise<void>) | undefined;
  /** Makes the call's result of the checked data, within the attempt's time, of which this is left. */
  finish?(data: Data, answered: Answered, leftMs: number): Data | Promise<Data>;
}

/** One call of the service, ready to be sent. */
export interface Call extends CallFacts {
  readonly name: EndpointName;
  readonly endpoint: Endpoint;
  readonly config: ClientConfig;
  readonly options: CallConfig;
  readonly input: CallInput;
  readonly url: string;
  /** Headers of every attempt, the key excepted. */
  readonly headers: Readonly<Record<string, string>>;
}

/** Status line and headers of an answer. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers;
  /** Without the key. */
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
}

/** End of an attempt: facts alone; `judge` says what they mean. */
export interface Ending {
  /** The request was handed over to `fetch`. */
  readonly wasHandedOver: boolean;
  /** The caller's signal was aborted. */
  readonly wasAborted?: boolean;
  /** The time that ran out, with its option: `200 ms (timeoutMs)`. */
  readonly timeOver?: string;
  /** The key function failed, or gave a key that cannot be sent. */
  readonly keyFailure?: KeyFailure;
  /** Absent when no answer came. */
  readonly head?: ResponseHead;
  /** Body as far as it was read. */
  readonly text?: string;
  /** The whole body was read. */
  readonly isWhole?: boolean;
  /** The body has more bytes than are allowed. */
  readonly isTooLarge?: boolean;
  /** No byte of the request's body was read, and none can be any more. */
  readonly bodyStayed?: boolean;
  /** Error that `fetch`, or reading the answer's body, has thrown. */
  readonly thrown?: unknown;
  /** Cuts the attempt's key out of texts. */
  readonly clean: Clean;
}

/** The time for an attempt. */
export interface TimeLimit {
  readonly ms: number;
  /** The time as it was given, and its option, for the error: `200 ms (timeoutMs)`. */
  readonly label: string;
}

/** Makes one call: gives the checked data of its answer, or throws a typed error. */
export type Send = <Name extends EndpointName>(
  name: Name,
  input: CallInput<Answers[Name]>,
  options?: object,
) => Promise<Answers[Name]>;
