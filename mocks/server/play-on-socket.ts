import type { HttpBindings } from "@hono/node-server";
import { allowsBody, isFraming, pause, playBody } from "../http/delivery.ts";
import type { MockReply } from "../http/reply.ts";

/** Returns the headers of a reply, without those that frame the message: the server sends them itself. */
const headersOf = ({ headers }: MockReply): Record<string, string | number> => {
  const kept: Record<string, string | number> = {};
  for (const [name, value] of Object.entries(headers)) if (!isFraming(name)) kept[name] = value;
  return kept;
};

const sendWhole = ({ incoming, outgoing }: HttpBindings, reply: MockReply): void => {
  const { status, body } = reply;
  const headers = headersOf(reply);
  if (!allowsBody(incoming.method, status)) {
    outgoing.writeHead(status, headers).end();
    return;
  }
  // Node writes the headers and a text body in one system call, ASCII without encoding it first.
  const bytes = Buffer.byteLength(body);
  headers["content-length"] = bytes;
  outgoing.writeHead(status, headers).end(body, bytes === body.length ? "latin1" : "utf8");
};

/**
 * Plays a reply on its socket. hono can't send replies that come late or incompletely, and sends whole
 * ones through a global `Response`, which takes far longer.
 */
export const playOnSocket = async (
  bindings: HttpBindings,
  reply: MockReply,
  closing: AbortSignal,
): Promise<void> => {
  const { delivery, delayMs, status } = reply;
  // A whole reply without a delay needs no signal. Aborting one takes longer than answering the request.
  if (delivery.how === "whole" && delayMs === 0) return sendWhole(bindings, reply);
  const { incoming, outgoing } = bindings;
  const { socket } = incoming;
  const left = new AbortController();
  outgoing.on("close", () => left.abort());
  const wait = async (ms: number): Promise<boolean> => {
    await pause(ms, [closing, left.signal]);
    return !left.signal.aborted;
  };
  if (delayMs > 0 && !(await wait(delayMs))) return;
  switch (delivery.how) {
    case "whole":
      return sendWhole(bindings, reply);
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
      outgoing.writeHead(status, { ...headersOf(reply), "content-length": bytes.length });
      outgoing.flushHeaders();
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
