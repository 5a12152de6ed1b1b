/**
 * The data at both ends of the mock. An adapter hands over a `MockRequest`, or a `ReadRequest` when
 * it has read the body. It gets back a `MockReply`, whose `Delivery` says how to play it.
 */
import type { MockFault } from "../faults/fault.ts";
import type { HeaderPairs } from "../journal/redact.ts";

/** The parts of a request that the service looks at; a `Request` is one. */
export interface MockRequest extends Pick<Request, "method" | "url" | "signal"> {
  /** The service asks for "authorization"; the request log shows the others, when it can list them. */
  readonly headers: Pick<Headers, "get"> & Partial<Iterable<readonly [string, string]>>;
  /** `null` without a body. With a text here, the service does not call `text()`. */
  readonly body: unknown;
  /** Reads the whole body. */
  text(): Promise<string>;
}

/** A request that has been read, as plain data. */
export interface ReadRequest {
  /** The HTTP method, as it was sent. */
  readonly method: string;
  /** Absolute URL; a `URL` saves the service parsing it. */
  readonly url: string | URL;
  /** The `Authorization` header; `null` when the request has none. */
  readonly authorization: string | null;
  /** Names and values of all headers, for the request log. @default none */
  readonly headers?: HeaderPairs;
  /** The whole body; empty when the request has none. */
  readonly body: string;
}

/** How an adapter delivers an answer: whole, or with a fault. @inline */
export type Delivery =
  | { readonly how: "whole" }
  /** The connection breaks before the answer. */
  | { readonly how: "reset" }
  /** The client never gets a connection. */
  | { readonly how: "refuse" }
  /** No answer ever comes. */
  | { readonly how: "stall" }
  /** The headers and so many bytes of the body come, then nothing more. */
  | { readonly how: "stall-body"; readonly afterBytes: number }
  /** The headers and so many bytes of the body come, then the connection breaks. */
  | { readonly how: "cut-body"; readonly afterBytes: number }
  /** The body comes in pieces. */
  | { readonly how: "drip-body"; readonly bytes: number; readonly everyMs: number };

/** The answer that an adapter plays, as plain data. */
export interface MockReply {
  /** HTTP status, 200 to 599. */
  readonly status: number;
  /** Headers by lower-case name; the adapter adds `content-length`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for HEAD, and where the status allows no body. */
  readonly body: string;
  /** Milliseconds to wait before the delivery. */
  readonly delayMs: number;
  /** Status, headers and body go out only as far as this says. */
  readonly delivery: Delivery;
  /** The called operation, for a log. */
  readonly operation: string | undefined;
  /** The masked key of the request, for a log. */
  readonly account: string | undefined;
  /** The fault that the request met, for a log. */
  readonly fault: MockFault | undefined;
  /**
   * Explains a 401 by listing the mock's keys in full, but never the key of the request. Explains a
   * 402 by what the job costs and what is left. The client does not get it.
   */
  readonly hint: string | undefined;
}
