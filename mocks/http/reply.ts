import type { MockFault } from "../faults/fault.ts";

/** All of a request that the service looks at; a `Request` is one. */
export interface MockRequest extends Pick<Request, "method" | "url" | "signal"> {
  /** Only "authorization" is asked for. */
  readonly headers: Pick<Headers, "get">;
  /** `null` when there is none, or its text where that is known: then `text` is not called. */
  readonly body: unknown;
  /** The whole body. */
  text(): Promise<string>;
}

/** A request that has been read, as plain data. */
export interface ReadRequest {
  /** In capitals. */
  readonly method: string;
  /** Absolute. */
  readonly url: string;
  /** The header of that name; `null` without one. */
  readonly authorization: string | null;
  /** The whole body; empty without one. */
  readonly body: string;
}

/** How an answer is delivered: whole, or with a fault. */
export type Delivery =
  | { readonly how: "whole" }
  /** The connection breaks before the answer. */
  | { readonly how: "reset" }
  /** The connection was never made. */
  | { readonly how: "refuse" }
  /** No answer ever comes. */
  | { readonly how: "stall" }
  /** The headers and so many bytes of the body come, then nothing more. */
  | { readonly how: "stall-body"; readonly afterBytes: number }
  /** The headers and so many bytes of the body come, then the connection breaks. */
  | { readonly how: "cut-body"; readonly afterBytes: number }
  /** The body comes in pieces. */
  | { readonly how: "drip-body"; readonly bytes: number; readonly everyMs: number };

/** What a face has to answer, as plain data. */
export interface MockReply {
  /** 200 to 599. */
  readonly status: number;
  /** Lower-case names; `content-length` is left to the face. */
  readonly headers: Readonly<Record<string, string>>;
  /** Empty for HEAD, and where the status allows none. */
  readonly body: string;
  /** Milliseconds to wait before anything is delivered. */
  readonly delayMs: number;
  /** Status, headers and body go out only as far as this says. */
  readonly delivery: Delivery;
  /** Which call it was, for a log. */
  readonly operation: string | undefined;
  /** Whose it was, the key masked, for a log. */
  readonly account: string | undefined;
  /** The fault that it met, for a log. */
  readonly fault: MockFault | undefined;
}
