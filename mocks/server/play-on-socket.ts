import type { HttpBindings } from "@hono/node-server";
import { isFraming, pause, playBody } from "../http/delivery.ts";
import type { MockReply } from "../http/reply.ts";

/** Returns the headers of a reply, without those that frame the message: the server sends them itself. */
export const headersOf = ({ headers }: MockReply): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isFraming(name)));

/** Plays a reply that comes late or incompletely, because hono sends only whole responses. */
export const playOnSocket = async (
  { incoming, outgoing }: HttpBindings,
  reply: MockReply,
  headers: Readonly<Record<string, string>>,
  closing: AbortSignal,
): Promise<void> => {
  const left = new AbortController();
  outgoing.on("close", () => left.abort());
  const wait = async (ms: number): Promise<boolean> => {
    await pause(ms, [closing, left.signal]);
    return !left.signal.aborted;
  };
  const { delivery, delayMs, status } = reply;
  const { socket } = incoming;
  if (delayMs > 0 && !(await wait(delayMs))) return;
  switch (delivery.how) {
    case "whole":
      return void outgoing.writeHead(status, headers).end(reply.body);
    case "stall":
      await wait(Number.POSITIVE_INFINITY);
      return void socket.destroy();
    case "reset":
    case "refuse": // The server has accepted the connection already, so the closest is to break it.
      return void socket.resetAndDestroy();
    case "stall-body":
    case "cut-body":
    case "drip-body": {
      const bytes = Buffer.from(reply.body);
      outgoing.writeHead(status, { ...headers, "content-length": bytes.length }).flushHeaders();
      const pieces = playBody(bytes, delivery, wait);
      let piece = await pieces.next();
      for (; !piece.done; piece = await pieces.next()) {
        const { value } = piece;
        await new Promise((resolve) => outgoing.write(value, resolve));
      }
      if (piece.value) outgoing.end();
      else socket.destroy();
      return;
    }
    default:
      delivery satisfies never;
  }
};
