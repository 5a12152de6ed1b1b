import type { Answer } from "./answer-call.ts";
import { writeFailure } from "./message.ts";
import type { ReadRequest } from "./reply.ts";
import type { AccountSlot } from "./service-state.ts";

/** Finds the id that a page's client gives its call (`once`), for the proxy between them. */
const callIdOf = ({ headers = {} }: ReadRequest): string | undefined => {
  const pairs = Symbol.iterator in headers ? headers : Object.entries(headers);
  for (const [name, value] of pairs) if (name.toLowerCase() === "idempotency-key") return value;
  return undefined;
};

/**
 * Answers a creation of a page as this package's proxy does: a repeat with the same
 * `Idempotency-Key` gets the first answer again. A refused call is not remembered, so the page may
 * send it again.
 */
export const answerOnce = (
  slot: AccountSlot | undefined,
  request: ReadRequest,
  make: () => Answer,
): Answer => {
  const id = request.method === "POST" ? callIdOf(request) : undefined;
  if (id === undefined || slot === undefined) return make();
  const call = `${request.url} ${request.body}`;
  const before = slot.pageCalls.get(id);
  if (before !== undefined && before.call !== call) {
    return writeFailure(
      409,
      "this Idempotency-Key names another call: take a new one for each call",
    );
  }
  const answer = before?.answer ?? make();
  if (answer.status < 300) slot.pageCalls.set(id, { call, answer });
  return answer;
};
