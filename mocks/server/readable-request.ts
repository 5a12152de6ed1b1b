import { setMaxListeners } from "node:events";
import type { IncomingMessage } from "node:http";
import type { MockRequest } from "../reply.ts";

const decoder = new TextDecoder();

/** Nobody listens to it for longer than a request takes. */
const never = new AbortController().signal;
setMaxListeners(0, never);

/**
 * The request as the service reads it. The body is here already, and whoever leaves now is too
 * late; to find that out, hono's request would build a whole web `Request` each time.
 */
export const readableRequest = (
  url: string,
  { method = "GET", headers }: IncomingMessage,
  bytes: Buffer,
): MockRequest => {
  const body = decoder.decode(bytes);
  return {
    method,
    url,
    headers: { get: () => headers.authorization ?? null },
    signal: never,
    body,
    text: async () => body,
  };
};
