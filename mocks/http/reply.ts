/**
 * The data at both ends of the mock. An adapter passes a `MockRequest`, or a `ReadRequest` if it has
 * read the body. It gets a `MockReply`, whose `Delivery` says how to play it. This folder takes a request
 * from its bytes to the reply; it imports the domain, options, faults and journal, but no adapter.
 */
import type { MockFault } from "../faults/fault.ts";

/** The parts of a request that the service looks at. A `Request` has all of them. */
export interface MockRequest extends Pick<Request, "method" | "url" | "signal"> {
  /**
   * The service reads "authorization". If the headers can be iterated, it also reads "idempotency-key", and
   * the request log shows all headers.
   */
  readonly headers: Pick<Headers, "get"> & Partial<Iterable<readonly [string, string]>>;
  /** `null` without a body. If this is a string, the service doesn't call `text()`. */
  readonly body: unknown;
  /** Reads the whole body. */
  text(): Promise<string>;
}

/** A request that has been read, as plain data. */
export interface ReadRequest {
  /** HTTP method, as it was sent. */
  readonly method: string;
  /** Absolute URL. A `URL` object doesn't have to be parsed again. */
  readonly url: string | URL;
  /** The `Authorization` header; `null` if the request has none. */
  readonly authorization: string | null;
  /** Names and values of all headers, for the request log and "idempotency-key". @default none */
  readonly headers?: Iterable<readonly [string, string]>;
  /** The whole body; empty if the request has none. */
  readonly body: string;
}

/** How an adapter delivers an answer: whole, or with a fault. @inline */
export type Delivery =
  | { readonly how: "whole" }
  /** The connection breaks before the answer. */
  | { readonly how: "reset" }
  /** The client never gets a connection. */
  | { readonly how: "refuse" }
  /** The client never gets an answer. */
  | { readonly how: "stall" }
  /** After the headers and this many bytes of the body, nothing more comes. */
  | { readonly how: "stall-body"; readonly afterBytes: number }
  /** After the headers and this many bytes of the body, the connection breaks. */
  | { readonly how: "cut-body"; readonly afterBytes: number }
  /** The body comes in pieces of this many bytes. */
  | { readonly how: "drip-body"; readonly bytes: number; readonly everyMs: number };

/** The answer that an adapter plays, as plain data. */
export interface MockReply {
  /** HTTP status, 200 to 599. */
  readonly status: number;
  /** Headers, by names in lower case. The adapter adds `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for HEAD, and for a status that allows no body. */
  readonly body: string;
  /** Milliseconds to wait before the delivery. */
  readonly delayMs: number;
  /** How much of status, headers and body is sent, and how. */
  readonly delivery: Delivery;
  /** The called operation, for a log. */
  readonly operation: string | undefined;
  /** The masked key of the request, for a log. */
  readonly account: string | undefined;
  /** The fault that the request met, for a log. */
  readonly fault: MockFault | undefined;
  /**
   * Explanation for a log, which the client doesn't get. For a 401, it lists the mock's keys, but never
   * the key of the request. For a 402, it says what the job costs and what is left.
   */
  readonly hint: string | undefined;
}
