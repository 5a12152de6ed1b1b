import type { IncomingMessage } from "node:http";

/** Bytes of a body; "gone" when the client left before the end. */
export type ReadBody = Buffer | "too-large" | "gone";

/** Largest body in bytes: far more than a request of the API needs, and safe for the process. */
export const maxBodyBytes = 16 * 1024 * 1024;

const none = Buffer.alloc(0);

/** Tells whether a body follows: without either header there is none, whatever the method. */
const announcesBody = ({ headers }: IncomingMessage): boolean =>
  (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;

/**
 * Reads the whole body before the request is carried out, because the client may leave midway.
 * Returns at once when there is no body, so that the usual GET costs no turn.
 */
export const readBody = (incoming: IncomingMessage): ReadBody | Promise<ReadBody> => {
  if (!announcesBody(incoming)) return none;
  if (Number(incoming.headers["content-length"]) > maxBodyBytes) return "too-large";
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      chunks.push(chunk);
      if (length > maxBodyBytes) settle("too-large");
    };
    const settle = (body: ReadBody): void => {
      incoming.off("data", take);
      resolve(body);
    };
    // "close" follows every "error"; an "error" without a listener would end the process.
    incoming
      .on("data", take)
      .once("end", () => settle(Buffer.concat(chunks, length)))
      .once("close", () => settle("gone"))
      .on("error", () => {});
  });
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
