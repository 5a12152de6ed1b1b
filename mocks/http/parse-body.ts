import { findExcess, isDeeperThan, maxDepth, maxParts } from "../domain/depth.ts";
import { assumedMessages } from "../domain/messages.ts";
import { Refusal } from "../domain/refusal.ts";

const refuse = (message: string): Refusal => new Refusal("invalid", message);

/** Makes the refusal of a body that would take long, before it is parsed. */
const refusalOfExcess = (excess: "depth" | "parts"): Refusal =>
  refuse(
    excess === "depth" ? assumedMessages.bodyTooDeep : assumedMessages.bodyTooManyParts(maxParts),
  );

/**
 * Parses a body. Its text decides, because the document names no content type.
 *
 * @assumed A22
 */
export const parseBody = (text: string): Record<string, unknown> => {
  const excess = findExcess(text);
  if (excess !== undefined) throw refusalOfExcess(excess);
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    throw refuse(assumedMessages.bodyNotJson);
  }
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    throw refuse(assumedMessages.bodyNotObject);
  }
  if (isDeeperThan(maxDepth, body)) throw refuse(assumedMessages.bodyTooDeep);
  return body as Record<string, unknown>;
};
