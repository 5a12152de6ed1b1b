import type { IncomingMessage } from "node:http";

/** What becomes of a request's body. */
export type ReadBody =
  | { readonly how: "whole"; readonly bytes: Buffer }
  | { readonly how: "too-large" }
  /** The client left in the middle of it. */
  | { readonly how: "gone" };

/** Far more than any request of the API needs, and no danger to the process. */
export const maxBodyBytes = 16 * 1024 * 1024;

const none: ReadBody = { how: "whole", bytes: Buffer.alloc(0) };

/** A request without either header has no body, whatever its method. */
const announcesBody = ({ headers }: IncomingMessage): boolean =>
  (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;

/**
 * The whole body, before anything is made of it: a request that did not come whole must not be
 * carried out. Without a body it answers at once, so that the usual GET costs no turn.
 */
export const readBody = (incoming: IncomingMessage): ReadBody | Promise<ReadBody> => {
  if (!announcesBody(incoming)) return none;
  if (Number(incoming.headers["content-length"]) > maxBodyBytes) return { how: "too-large" };
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const settle = (body: ReadBody): void => {
      incoming.off("data", take).off("end", end).off("close", leave);
      resolve(body);
    };
    const take = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > maxBodyBytes) settle({ how: "too-large" });
      else chunks.push(chunk);
    };
    const end = (): void => settle({ how: "whole", bytes: Buffer.concat(chunks, length) });
    const leave = (): void => settle({ how: "gone" });
    // "close" follows every "error"; without a listener that one would end the process.
    incoming
      .on("data", take)
      .on("end", end)
      .on("close", leave)
      .on("error", () => {});
  });
};

/** How long a client may go on sending what nobody wants, before it is cut off. */
const discardMs = 1000;

/**
 * Lets the rest of a body come and go: a socket that is closed with unread bytes in it takes
 * the answer away from the client. The socket is closed after that.
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
