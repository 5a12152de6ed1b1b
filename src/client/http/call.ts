import type { EndpointName, ResponseData } from "../../contract/endpoint.ts";
import type { ErrorFields } from "../errors/error-fields.ts";
import type { Failure } from "../errors/make-error.ts";
import type { RedactLine } from "../errors/text.ts";
import type { ResponseInfo } from "../options/call-options.ts";
import type { ClientConfig } from "../options/client-options.ts";
import type { JsonBody } from "./body.ts";
import type { TimedCall } from "./call-time.ts";

/** Parts of a call that a method of the client fills in. */
export interface CallInput {
  /** Id for the endpoint's `:id`. */
  readonly id?: unknown;
  readonly query?: unknown;
  readonly body?: JsonBody;
  /** Time for the answer of a request that has left when the signal aborts. */
  readonly graceMs?: number;
  /** Stands for the data of an answer without any; absent where there must be some. */
  readonly empty?: object;
}

/** One call of the service, ready to be sent. Its time has begun. */
export interface Call<Name extends EndpointName = EndpointName> extends TimedCall {
  readonly name: Name;
  readonly config: ClientConfig;
  readonly url: string;
  /** Headers of every attempt, the key excepted. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonBody | undefined;
  readonly empty: object | undefined;
  /** Its call id was made for this call alone: no caller repeats it. */
  readonly hasMadeId: boolean;
  /** Whether a request may leave now. Absent: it may, while there is time. */
  readonly canSend?: () => boolean;
}

/** Facts of an attempt, as they become known. */
export interface AttemptFacts {
  /** Attempts that were begun, with this one. */
  attempts: number;
  /** Cuts the keys of the call's attempts out of texts. */
  redactLine: RedactLine;
  /** The request was handed over to `fetch`. */
  wasHandedOver: boolean;
  /** Error that `fetch`, or reading the answer's body, has thrown. */
  thrown?: unknown;
  /** Absent when no answer came. */
  headers?: Headers;
  /** Facts in the answer's head, for errors and hooks; the request id is without the key. */
  facts: Partial<Omit<ResponseInfo, "headers">>;
  /** Pieces of the answer's body. */
  chunks: Uint8Array[];
}

/** End of an attempt: facts alone; `interpret` says what they mean. */
export interface AttemptEnd extends Readonly<Omit<AttemptFacts, "chunks">> {
  /** Reason of this side for which the answer is not whole; absent where it is. */
  readonly failure: Failure | undefined;
  /** No byte of the request's body was read, and none can be any more. */
  readonly bodyStayed: boolean;
  /** Answer's body as far as it was read. */
  readonly text: string;
  /** The same, parsed; `undefined` where it is no JSON. */
  readonly json: unknown;
}

/** An answer that the contract has checked, and the facts that later checks need. */
export interface CheckedResponse<Data = unknown> {
  readonly error?: undefined;
  readonly call: Call;
  readonly data: Data;
  readonly fields: ErrorFields;
  readonly redactLine: RedactLine;
}

/** The two steps of every call. */
export interface Transport {
  /** Checks a method's input, before anything is sent. */
  readonly prepareCall: <Name extends EndpointName>(
    name: Name,
    input: CallInput,
    options?: object,
  ) => Call<Name>;
  /** Makes attempts until one succeeds, or fails in a way that forbids another. */
  readonly send: <Name extends EndpointName>(
    call: Call<Name>,
  ) => Promise<CheckedResponse<ResponseData[Name]>>;
}
