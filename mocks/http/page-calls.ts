import type { World } from "../world/world.ts";
import type { Answer } from "./answer.ts";
import { writeFailure } from "./message.ts";
import type { ReadRequest } from "./reply.ts";

/** Finds the id that a page gives its call, as the client does for its proxy. */
const callIdOf = ({ headers = {} }: ReadRequest): string | undefined => {
  const pairs = Symbol.iterator in headers ? headers : Object.entries(headers);
  for (const [name, value] of pairs) if (name.toLowerCase() === "idempotency-key") return value;
  return undefined;
};

/**
 * Answers a creation of a page as the proxy of this package does: a repeat of it, with the same
 * `Idempotency-Key`, gets the first answer again. A refused call may be sent anew.
 */
export const answerOnce = (world: World, request: ReadRequest, make: () => Answer): Answer => {
  const id = request.method === "POST" ? callIdOf(request) : undefined;
  if (id === undefined) return make();
  const call = `${request.url} ${request.body}`;
  const before = world.pageCalls.get(id);
  if (before !== undefined && before.call !== call) {
    return writeFailure(409, "This Idempotency-Key names another call");
  }
  const answer = before?.answer ?? make();
  if (answer.status < 300) world.pageCalls.set(id, { call, answer });
  return answer;
};
