import type { IncomingMessage, ServerResponse } from "node:http";
import {
  allowsLength,
  type BodyDelivery,
  isFraming,
  pause,
  playBody,
} from "../../http/delivery.ts";
import type { MockReply } from "../../http/reply.ts";

/** One request on a socket, and the response to write. */
export interface Connection {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** Aborts when the server closes. */
  readonly closing: AbortSignal;
}

const isGone = ({ incoming, outgoing }: Connection): boolean =>
  incoming.socket.destroyed || outgoing.destroyed;

/** Waits until the time is over or the server closes; `false` when the client has left. */
const waitOn = async (connection: Connection, ms: number): Promise<boolean> => {
  const { outgoing, closing } = connection;
  const left = new AbortController();
  const leave = (): void => left.abort();
  if (isGone(connection)) leave();
  outgoing.on("close", leave);
  await pause(ms, [closing, left.signal]);
  outgoing.off("close", leave);
  return !left.signal.aborted;
};

/** Headers that come with every answer, unless it has its own of that name. */
export type FixedHeaders = Readonly<Record<string, string>>;

/** Writes status and headers. Node adds the date and whether the connection lives on. */
export const writeHead = (
  { outgoing, closing }: Connection,
  status: number,
  headers: Readonly<Record<string, string>>,
  length: number | undefined,
  fixed: FixedHeaders = {},
): void => {
  const lines: string[] = [];
  const add = (name: string, value = ""): void => void lines.push(name, value);
  for (const name in fixed) if (!(name in headers)) add(name, fixed[name]);
  for (const name in headers) if (!isFraming(name)) add(name, headers[name]);
  if (length !== undefined) add("content-length", String(length));
  if (closing.aborted) add("connection", "close");
  outgoing.writeHead(status, lines);
};

/** Writes bytes of the body. Resolves when they have left for the client, or the client has left. */
const writePiece = ({ outgoing }: Connection, bytes: Uint8Array): Promise<void> =>
  new Promise((resolve) => {
    if (bytes.length === 0) outgoing.flushHeaders();
    outgoing.once("close", resolve);
    outgoing.write(bytes, () => {
      outgoing.off("close", resolve);
      resolve();
    });
  });

/** Plays a fault that the body meets on its way. */
const deliverBody = async (
  connection: Connection,
  { status, headers, body, delivered }: MockReply,
  delivery: BodyDelivery,
  fixed: FixedHeaders,
): Promise<void> => {
  const { outgoing, closing, incoming } = connection;
  const bytes = Buffer.from(body);
  writeHead(connection, status, headers, bytes.length, fixed);
  const pieces = playBody(bytes, delivery, (ms) => waitOn(connection, ms));
  let piece = await pieces.next();
  for (; !piece.done; piece = await pieces.next()) await writePiece(connection, piece.value);
  delivered();
  // No reset: that would take back bytes that the client has not read yet.
  if (!piece.value) return void incoming.socket.destroy();
  outgoing.end(() => {
    if (closing.aborted) incoming.socket.destroySoon();
  });
};

const deliverWhole = (
  connection: Connection,
  { status, headers, body, delivered }: MockReply,
  fixed: FixedHeaders,
): void => {
  const { incoming, outgoing } = connection;
  const bytes = Buffer.byteLength(body);
  const length = allowsLength(incoming.method, status) ? bytes : undefined;
  writeHead(connection, status, headers, length, fixed);
  // Node writes ASCII text much faster as Latin-1, and the bytes are the same.
  outgoing.end(body, bytes === body.length ? "latin1" : "utf8");
  delivered();
};

const deliverFault = async (
  connection: Connection,
  reply: MockReply,
  fixed: FixedHeaders,
): Promise<void> => {
  if (reply.delayMs > 0) await waitOn(connection, reply.delayMs);
  if (isGone(connection)) return;
  const { delivery } = reply;
  switch (delivery.how) {
    case "whole":
      return deliverWhole(connection, reply, fixed);
    case "stall-body":
    case "cut-body":
    case "drip-body":
      return deliverBody(connection, reply, delivery, fixed);
    case "stall":
      await waitOn(connection, Number.POSITIVE_INFINITY);
      return void connection.incoming.socket.destroy();
    case "reset":
    case "refuse": // planned before the server was attached: a broken connection is the closest
      return void connection.incoming.socket.resetAndDestroy();
    default:
      delivery satisfies never;
  }
};

/**
 * Plays a reply on a socket, with its delay and its fault; resolves when that is over. A whole
 * answer without a delay is written before this returns `undefined`.
 */
export const deliverOnSocket = (
  connection: Connection,
  reply: MockReply,
  fixed: FixedHeaders,
): Promise<void> | undefined => {
  const isUsual = reply.delayMs === 0 && reply.delivery.how === "whole" && !isGone(connection);
  return isUsual
    ? void deliverWhole(connection, reply, fixed)
    : deliverFault(connection, reply, fixed);
};
