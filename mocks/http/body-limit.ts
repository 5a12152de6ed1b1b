import { assumedMessages } from "../domain/messages.ts";
import { type Message, writeFailure } from "./message.ts";

/** Largest body in bytes: far more than a request of the API needs, and safe for the process. */
export const maxBodyBytes = 16 * 1024 * 1024;

/** Tells whether a body has too many bytes in UTF-8, where a character has three at most. */
export const isTooLarge = (text: string): boolean =>
  text.length * 3 > maxBodyBytes && new TextEncoder().encode(text).length > maxBodyBytes;

/** Writes the refusal of a body that is too large, whatever it asks for and whoever sends it. @assumed A22 */
export const writeTooLarge = (): Message => writeFailure(413, assumedMessages.bodyTooLarge);
