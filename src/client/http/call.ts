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
  /** Milliseconds to wait for the response of a request that has left when the signal aborts. */
  readonly graceMs?: number;
  /** The data to return if the response has none. Absent if the endpoint must answer with data. */
  readonly empty?: object;
}

/** A call of the service, ready to be sent. Its time is running. */
export interface Call<Name extends EndpointName = EndpointName> extends TimedCall {
  readonly name: Name;
  readonly config: ClientConfig;
  readonly url: string;
  /** Headers of every attempt, without the API key. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonBody | undefined;
  readonly empty: object | undefined;
  /** Whether the client generated the call id, so that no caller can repeat the call with it. */
  readonly hasMadeId: boolean;
  /** Returns whether a request may leave now. Default: it may, while there is time. */
  readonly canSend?: () => boolean;
}

/** Facts about an attempt, filled in as they become known. */
export interface AttemptFacts {
  /** Number of attempts so far, this one included. */
  attempts: number;
  /** Cuts a text to one line, without the keys of the call's attempts. */
  redactLine: RedactLine;
  /** Whether the request was handed to `fetch`. */
  wasHandedOver: boolean;
  /** The error that was thrown by `fetch`, or while the body was read. */
  thrown?: unknown;
  /** Absent if no response came. */
  headers?: Headers;
  /**
   * Facts from the response's status and headers, for errors and hooks. The API key is cut out of
   * the request id.
   */
  facts: Partial<Omit<ResponseInfo, "headers">>;
  /** The body's chunks, as they arrived. */
  chunks: Uint8Array[];
}

/** The facts about an attempt that has ended. `interpret` says what they mean. */
export interface AttemptEnd extends Readonly<Omit<AttemptFacts, "chunks">> {
  /**
   * Why no whole response was read, as far as the client itself can tell. Absent if the response is
   * whole.
   */
  readonly failure: Failure | undefined;
  /** Whether the runtime has read no byte of the request's body, and can read none any more. */
  readonly bodyStayed: boolean;
  /** The response's body, as far as it was read. */
  readonly text: string;
  /** The parsed body; `undefined` if it isn't JSON. */
  readonly json: unknown;
}

/** A response whose data the contract has checked, with the facts that later checks need. */
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
  /** Makes attempts until one succeeds, or until another is not allowed. */
  readonly send: <Name extends EndpointName>(
    call: Call<Name>,
  ) => Promise<CheckedResponse<ResponseData[Name]>>;
}
