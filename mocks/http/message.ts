import { failureEnvelope } from "../../src/contract/envelope.ts";
import type { MockReply } from "./reply.ts";

/** Status, headers and body, before a fault decides how they are delivered. */
export type Message = Pick<MockReply, "status" | "headers" | "body">;

const json = { "content-type": "application/json" };

/** Makes the header that says when a client had better ask again. @assumed A23 */
export const retryAfter = (ms: number) => ({ "retry-after": String(Math.ceil(ms / 1000)) });

/** Makes the headers of a success. */
export const headersOf = (retryAfterMs: number | undefined): Message["headers"] =>
  retryAfterMs === undefined ? json : { ...json, ...retryAfter(retryAfterMs) };

/** Writes a failure, with headers of its own by lower-case name. */
export const writeFailure = (
  status: number,
  message: string,
  headers?: MockReply["headers"],
): Message => ({
  status,
  headers: { ...json, ...headers },
  body: JSON.stringify(failureEnvelope(message)),
});
