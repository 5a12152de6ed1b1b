import { failureEnvelope, successEnvelope } from "../../src/contract/envelope.ts";
import { assumedMessages } from "../domain/messages.ts";
import type { MockReply } from "./reply.ts";

/** Status, headers and body, before a fault decides how they are delivered. */
export type Message = Pick<MockReply, "status" | "headers" | "body">;

const json = { "content-type": "application/json" };

/** Creates the header `Retry-After`. @assumed A23 */
export const retryAfter = (ms: number) => ({ "retry-after": String(Math.ceil(ms / 1000)) });

/** Creates a success, with `Retry-After` if the client should wait before its next request. */
export const writeSuccess = (
  status: number,
  data: unknown,
  retryAfterMs: number | undefined,
): Message => ({
  status,
  headers: retryAfterMs === undefined ? json : { ...json, ...retryAfter(retryAfterMs) },
  body: JSON.stringify(successEnvelope(data)),
});

/** Creates a failure. The names of its headers are in lower case. */
export const writeFailure = (
  status: number,
  message: string,
  headers?: MockReply["headers"],
): Message => ({
  status,
  headers: { ...json, ...headers },
  body: JSON.stringify(failureEnvelope(message)),
});

/** Maximum size of a request's body, in bytes. It is far more than the API needs. */
export const maxBodyBytes = 16 * 1024 * 1024;

/** Returns whether a body is too large in UTF-8, in which a UTF-16 unit takes three bytes at most. */
export const isTooLarge = (text: string): boolean =>
  text.length * 3 > maxBodyBytes && new TextEncoder().encode(text).length > maxBodyBytes;

/** Creates the answer to a body that is too large. It comes before all other checks. @assumed A22 */
export const writeTooLarge = (): Message => writeFailure(413, assumedMessages.bodyTooLarge);
