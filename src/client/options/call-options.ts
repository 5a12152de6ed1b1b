import { headerRecord } from "./headers.ts";
import type { ResponseEvent } from "./hooks.ts";
import { abortSignalRule, functionRule, millisecondsRule, wholeNumberRule } from "./rules.ts";

/** The last argument of every method; everything in it is optional. */
export interface CallOptions {
  /**
   * Ends the call with an `AbortedError` within 100 ms, in every phase. Nothing is sent after the
   * abort.
   */
  signal?: AbortSignal | undefined;
  /**
   * Time for one attempt in milliseconds, body included, 1 to 2147483647; without
   * `totalTimeoutMs` also the time for the whole call.
   * @default the client's `timeoutMs`
   */
  timeoutMs?: number | undefined;
  /**
   * Time for the whole call in milliseconds, attempts and waits included, 1 to 2147483647.
   * @default `timeoutMs` when given here, else the client's `totalTimeoutMs`
   */
  totalTimeoutMs?: number | undefined;
  /**
   * Limit for sending this call again, a whole number from 0 to 10.
   * @default the client's `maxRetries`
   */
  maxRetries?: number | undefined;
  /**
   * Headers to add to this call's requests. A header that is `undefined` is left out. The service
   * ignores `Idempotency-Key`, which only proxies read; to pay for a call once, use `once`.
   */
  headers?: Record<string, string | undefined> | undefined;
  /** Observer of status and headers of every answer, called just before it is decoded. */
  onResponse?: ((response: ResponseInfo) => void) | undefined;
}

/** Facts about an answer besides its data. */
export interface ResponseInfo extends Pick<ResponseEvent, "status" | "requestId" | "retryAfterMs"> {
  /** Headers of the answer. */
  readonly headers: Headers;
}

/** The last argument of the calls that create something with a POST. */
export interface PostOptions extends CallOptions {
  /**
   * Your id for the order, such as `order-17`, 1 to 512 characters. The request is carried out once
   * for this id, across processes, and a repeat gets the first response. The same id with another
   * request is refused. It needs `createClient({ submissions })`. With `apiKey: null` the id goes
   * to the proxy as `Idempotency-Key`, and must have 1 to 128 visible ASCII characters.
   *
   * Anyone who sends an id gets the job of that id. If users choose the ids and there is no proxy,
   * put the user's id into the id.
   *
   * A client with `submissions` or a proxy refuses an explicit `once: undefined`, because a call
   * whose id is missing by mistake would be paid again at every run.
   *
   * `{ id, waitMs }` also bounds the wait for another call with this id.
   * @default none: nothing is on record, and a repeat is another order
   */
  once?:
    | string
    | {
        /** Id of the call, 1 to 512 characters. */
        readonly id: string;
        /**
         * Longest wait in milliseconds for another call with this id, 0 to 2147483647. Then the
         * call rejects with `under_way`. It bounds nothing else: a request that has left keeps its
         * time.
         * @default the time of the whole call
         */
        readonly waitMs?: number | undefined;
      }
    | undefined;
}

/** The query of a list. The API's document shows no parameters, so any name is allowed. */
export interface ListQuery {
  /** Largest number of items, a whole number. @assumed A4 */
  limit?: number | undefined;
  /** An option of the call, not of the query. */
  timeoutMs?: never;
  /** An option of the call, not of the query. */
  totalTimeoutMs?: never;
  /** An option of the call, not of the query. */
  maxRetries?: never;
  /** A parameter that the API's document does not name; left out when `undefined`. */
  [parameter: string]: string | number | boolean | undefined;
}

/** The options of a call, checked and filled in. */
export interface CallConfig {
  readonly signal?: AbortSignal | undefined;
  readonly attemptTimeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxRetries: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly onResponse?: ((response: ResponseInfo) => void) | undefined;
  /** The id of a call that creates something. */
  readonly once?: string | undefined;
  /** Longest wait for another call with that id. Default: the time of the whole call. */
  readonly waitMs?: number | undefined;
}

/** The rules of {@link CallOptions}. */
export const callRules = () => ({
  signal: abortSignalRule(),
  timeoutMs: millisecondsRule(),
  totalTimeoutMs: millisecondsRule(),
  maxRetries: wholeNumberRule(0, 10),
  headers: headerRecord,
  onResponse: functionRule<(response: ResponseInfo) => void>(),
});
