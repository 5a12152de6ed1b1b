import { failureEnvelope, successEnvelope } from "../../src/contract/envelope.ts";
import { assumedMessages } from "../domain/messages.ts";
import type { MockReply } from "./reply.ts";

/** Status, headers and body, before a fault decides how they are delivered. */
export type Message = Pick<MockReply, "status" | "headers" | "body">;

const json = { "content-type": "application/json" };

/** Creates the header that tells a client how long to wait before it asks again. @assumed A23 */
export const retryAfter = (ms: number) => ({ "retry-after": String(Math.ceil(ms / 1000)) });

/** Writes a success, with `Retry-After` when the client should wait. */
export const writeSuccess = (
  status: number,
  data: unknown,
  retryAfterMs: number | undefined,
): Message => ({
  status,
  headers: retryAfterMs === undefined ? json : { ...json, ...retryAfter(retryAfterMs) },
  body: JSON.stringify(successEnvelope(data)),
});

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

/** Largest body in bytes: far more than a request of the API needs, and safe for the process. */
export const maxBodyBytes = 16 * 1024 * 1024;

/** Tells whether a body has too many bytes in UTF-8, where a character has three at most. */
export const isTooLarge = (text: string): boolean =>
  text.length * 3 > maxBodyBytes && new TextEncoder().encode(text).length > maxBodyBytes;

/** Writes the refusal of a body that is too large, whatever it asks for and whoever sends it. @assumed A22 */
export const writeTooLarge = (): Message => writeFailure(413, assumedMessages.bodyTooLarge);
