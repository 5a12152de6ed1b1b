import { notSentKey } from "../../src/contract/not-sent.ts";
import { pause, respondInPieces } from "../http/delivery.ts";
import type { MockReply } from "../http/reply.ts";

/** Makes the error that the global `fetch` of Node rejects with. */
const connectionError = (message: string, cause: string, code: string): TypeError =>
  new TypeError(message, { cause: Object.assign(new Error(cause), { code }) });

/**
 * Makes the error of a refused connection. The mark tells the client that the request never left:
 * the code alone proves it of the global `fetch` only.
 */
const connectionRefusal = (url: string): TypeError =>
  Object.defineProperty(
    connectionError("fetch failed", "connect ECONNREFUSED", "ECONNREFUSED"),
    notSentKey,
    { value: url },
  );

/** A request that can be given up: a `Request`, or a simple call without a signal. */
interface Cancellable {
  readonly url: string | URL;
  readonly signal?: AbortSignal;
}

/**
 * Requests that wait for their answers. A `Request` that is garbage-collected never aborts its
 * signal, so this set holds it.
 */
const waiting = new Set<Cancellable>();

/** Waits so many milliseconds. Resolves to `false` as soon as the request or its reader gives up. */
const wait = async (ms: number, request: Cancellable, left?: AbortSignal): Promise<boolean> => {
  waiting.add(request);
  const signals = [request.signal, left].filter((signal) => signal !== undefined);
  const isOver = await pause(ms, signals);
  waiting.delete(request);
  return isOver;
};

/**
 * Delivers a reply in this process, as `fetch` brings it, faults included.
 *
 * @throws TypeError as `fetch` does, when the connection is to break; the signal's reason when it aborts
 */
export const deliver = async (reply: MockReply, request: Cancellable): Promise<Response> => {
  const { status, headers, body, delayMs, delivery } = reply;
  const { signal } = request;
  if (delayMs > 0 && !(await wait(delayMs, request))) throw signal?.reason;
  switch (delivery.how) {
    case "reset":
      throw connectionError("fetch failed", "read ECONNRESET", "ECONNRESET");
    case "refuse":
      throw connectionRefusal(String(request.url));
    case "stall":
      await wait(Number.POSITIVE_INFINITY, request);
      throw signal?.reason;
    case "whole":
      reply.delivered();
      return new Response(body === "" ? null : body, { status, headers });
    case "stall-body":
    case "cut-body":
    case "drip-body":
      return respondInPieces(
        reply,
        delivery,
        (ms, left) => wait(ms, request, left),
        () =>
          signal?.aborted
            ? signal.reason
            : connectionError("terminated", "other side closed", "UND_ERR_SOCKET"),
      );
  }
};
