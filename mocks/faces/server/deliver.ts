import type { IncomingMessage, ServerResponse } from "node:http";
import type { MockReply } from "../../http/reply.ts";

/** One exchange on a socket. */
export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
}

/** Longer ones, `setTimeout` would take for 1 ms. */
const maxTimerMs = 2 ** 31 - 1;

const isGone = ({ incoming, outgoing }: Connection): boolean =>
  incoming.socket.destroyed || outgoing.destroyed;

/** Until the time is over, the client leaves or the server closes; `Infinity` for the latter two. */
const pause = (ms: number, connection: Connection): Promise<void> =>
  new Promise((resolve) => {
    const { outgoing, closing } = connection;
    if (closing.aborted || isGone(connection)) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      outgoing.off("close", end);
      closing.removeEventListener("abort", end);
      resolve();
    };
    // The global one, on purpose: a runner's fake timers drive a mock in the same process.
    const timer = ms === Infinity ? undefined : setTimeout(end, Math.min(ms, maxTimerMs));
    outgoing.on("close", end);
    closing.addEventListener("abort", end);
  });

/** The framing of the message is this face's own. */
const framing = new Set([
  "connection",
  "keep-alive",
  "content-length",
  "transfer-encoding",
  "trailer",
  "upgrade",
]);

/** Headers that come with every answer, unless it has its own of that name. */
export type FixedHeaders = Readonly<Record<string, string>>;

/** Status and headers; node adds the date and whether the connection lives on. */
export const writeHead = (
  { outgoing, closing }: Connection,
  status: number,
  headers: Readonly<Record<string, string>>,
  length: number | undefined,
  fixed: FixedHeaders = {},
): void => {
  const all: Record<string, string | number> = { ...fixed };
  for (const name in headers) {
    const value = headers[name];
    if (value !== undefined && !framing.has(name)) all[name] = value;
  }
  if (length !== undefined) all["content-length"] = length;
  if (closing.aborted) all["connection"] = "close";
  outgoing.writeHead(status, all);
};

/** These have no length either. */
const hasNoBody = (method: string | undefined, status: number): boolean =>
  method === "HEAD" || status === 204 || status === 304;

/** So many bytes of the body, when they have left for the client. */
const writePart = ({ outgoing }: Connection, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    if (bytes.length === 0) outgoing.flushHeaders();
    outgoing.once("close", resolve);
    outgoing.write(bytes, () => {
      outgoing.off("close", resolve);
      resolve();
    });
  });

const drip = async (connection: Connection, body: Buffer, bytes: number, everyMs: number) => {
  const { outgoing, incoming, closing } = connection;
  const size = Math.max(1, bytes);
  let sent = 0;
  while (sent + size < body.length && !closing.aborted && !isGone(connection)) {
    outgoing.write(body.subarray(sent, sent + size));
    sent += size;
    await pause(everyMs, connection);
  }
  outgoing.end(body.subarray(sent), () => {
    if (closing.aborted) incoming.socket.destroySoon();
  });
};

/** Headers and a part of the body; what comes after that, if anything, is for the caller. */
const deliverPart = async (
  connection: Connection,
  reply: MockReply,
  afterBytes: number,
  fixed: FixedHeaders,
): Promise<void> => {
  const body = Buffer.from(reply.body);
  writeHead(connection, reply.status, reply.headers, body.length, fixed);
  await writePart(connection, body.subarray(0, afterBytes));
};

/**
 * Plays a reply on a socket, with its delay and its fault; resolves when that is over. A whole
 * answer without a delay is written before this returns.
 */
export const deliverOnSocket = async (
  connection: Connection,
  reply: MockReply,
  fixed: FixedHeaders,
): Promise<void> => {
  if (reply.delayMs > 0) await pause(reply.delayMs, connection);
  if (isGone(connection)) return;
  const { status, headers, body, delivery } = reply;
  const { incoming, outgoing } = connection;
  const { socket } = incoming;
  switch (delivery.how) {
    case "whole": {
      const length = hasNoBody(incoming.method, status) ? undefined : Buffer.byteLength(body);
      writeHead(connection, status, headers, length, fixed);
      outgoing.end(body);
      return;
    }
    case "drip-body": {
      const bytes = Buffer.from(body);
      writeHead(connection, status, headers, bytes.length, fixed);
      return drip(connection, bytes, delivery.bytes, delivery.everyMs);
    }
    case "cut-body":
      await deliverPart(connection, reply, delivery.afterBytes, fixed);
      // Not a reset: that would take back what the client has not read yet.
      socket.destroy();
      return;
    case "stall-body":
      await deliverPart(connection, reply, delivery.afterBytes, fixed);
      await pause(Infinity, connection);
      socket.destroy();
      return;
    case "stall":
      await pause(Infinity, connection);
      socket.destroy();
      return;
    case "reset":
    case "refuse": // planned before this server was there: a broken connection is the closest
      socket.resetAndDestroy();
  }
};
