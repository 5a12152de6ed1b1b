import type { IncomingMessage } from "node:http";
import { maxBodyBytes } from "../../http/message.ts";

const none = Buffer.alloc(0);

/** Tells whether a body follows: without either header there is none, whatever the method. */
const announcesBody = ({ headers }: IncomingMessage): boolean =>
  (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;

/**
 * Reads the whole body before the request is carried out, because the client may leave midway: then
 * nothing is called. Calls at once when there is no body.
 *
 * @param take - Takes the body; `undefined` for one that is too large
 */
export const readBody = (
  incoming: IncomingMessage,
  take: (body: Buffer | undefined) => void,
): void => {
  if (!announcesBody(incoming)) return void take(none);
  if (Number(incoming.headers["content-length"]) > maxBodyBytes) return void take(undefined);
  const chunks: Buffer[] = [];
  let length = 0;
  const read = (chunk: Buffer): void => {
    length += chunk.length;
    chunks.push(chunk);
    if (length <= maxBodyBytes) return;
    incoming.off("data", read).off("end", end);
    take(undefined);
  };
  const end = (): void => {
    const [only = none] = chunks;
    take(chunks.length > 1 ? Buffer.concat(chunks, length) : only);
  };
  // An "error" without a listener would end the process.
  incoming
    .on("data", read)
    .on("end", end)
    .on("error", () => {});
};

/** Milliseconds that a client may go on sending a refused body. */
const discardMs = 1000;

/**
 * Reads and drops the rest of a body, then closes the socket. Closing it with unread bytes would
 * reset the connection, and the client would lose the answer.
 */
export const discardBody = (incoming: IncomingMessage): void => {
  const { socket } = incoming;
  const close = (): void => {
    socket.destroySoon();
  };
  const limit = AbortSignal.timeout(discardMs);
  limit.addEventListener("abort", close, { once: true });
  incoming.on("end", close).on("error", () => {});
  incoming.resume();
};
