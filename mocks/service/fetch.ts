import { notSentKey } from "../../src/contract/not-sent.ts";
import type { MockReply } from "../http/reply.ts";

/** What the global `fetch` of Node rejects with, so that nobody has to tell the two apart. */
const connectionError = (message: string, cause: string, code: string): TypeError =>
  new TypeError(message, { cause: Object.assign(new Error(cause), { code }) });

/**
 * Makes the error of a refused connection. The mark tells the client that the request never left:
 * the code alone proves it of the global `fetch` only.
 */
const refusal = (): TypeError =>
  Object.defineProperty(
    connectionError("fetch failed", "connect ECONNREFUSED", "ECONNREFUSED"),
    notSentKey,
    { value: true },
  );

/** What ends a delivery early. */
interface Cancellable {
  readonly signal?: AbortSignal;
}

/** A request that nobody holds is collected, and then its signal never aborts. */
const waiting = new Set<Cancellable>();

/** Settles after so many milliseconds, or rejects as soon as the request's signal aborts. */
const wait = (ms: number, request: Cancellable): Promise<void> =>
  new Promise((resolve, reject) => {
    const { signal } = request;
    if (signal?.aborted) return reject(signal.reason);
    waiting.add(request);
    const settle = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", settle);
      waiting.delete(request);
      if (signal?.aborted) reject(signal.reason);
      else resolve();
    };
    const timer = ms === Number.POSITIVE_INFINITY ? undefined : setTimeout(settle, ms);
    signal?.addEventListener("abort", settle);
  });

/** Until the signal aborts. */
const hang = async (request: Cancellable): Promise<never> => {
  await wait(Number.POSITIVE_INFINITY, request);
  throw request.signal?.reason;
};

/** The pieces of a body, and what comes after the last one. */
async function* piecesOf(
  { body, delivery }: MockReply,
  request: Cancellable,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(body);
  switch (delivery.how) {
    case "stall-body":
      yield bytes.slice(0, delivery.afterBytes);
      await hang(request);
      break;
    case "cut-body":
      yield bytes.slice(0, delivery.afterBytes);
      throw connectionError("terminated", "other side closed", "UND_ERR_SOCKET");
    case "drip-body":
      for (let start = 0; start < bytes.length; start += delivery.bytes) {
        if (start > 0) await wait(delivery.everyMs, request);
        yield bytes.slice(start, start + delivery.bytes);
      }
      break;
    default:
      yield bytes;
  }
}

/** A body that comes as the fault says; it ends early when its reader leaves. */
const streamOf = (reply: MockReply, request: Cancellable): ReadableStream<Uint8Array> => {
  const left = new AbortController();
  const signal = AbortSignal.any([request.signal ?? left.signal, left.signal]);
  // With the request itself, which its signal does not hold.
  const pieces = piecesOf(reply, Object.freeze({ signal, request }));
  return new ReadableStream({
    pull: async (controller) => {
      try {
        // A pull that brings nothing is not repeated.
        for (;;) {
          const { done, value } = await pieces.next();
          if (done) return controller.close();
          if (value.length > 0) return controller.enqueue(value);
        }
      } catch (error) {
        controller.error(error);
      }
    },
    cancel: () => left.abort(),
  });
};

/**
 * Delivers a reply in this process, as `fetch` would bring it: faults included.
 *
 * @throws TypeError as `fetch` does, when the connection is to break; the signal's reason when it aborts
 */
export const deliver = async (reply: MockReply, request: Cancellable): Promise<Response> => {
  const { status, headers, body, delayMs, delivery } = reply;
  if (delayMs > 0) await wait(delayMs, request);
  switch (delivery.how) {
    case "reset":
      throw connectionError("fetch failed", "read ECONNRESET", "ECONNRESET");
    case "refuse":
      throw refusal();
    case "stall":
      return hang(request);
    case "whole":
      return new Response(body === "" ? null : body, { status, headers });
    default: {
      const length = String(new TextEncoder().encode(body).length);
      return new Response(streamOf(reply, request), {
        status,
        headers: { ...headers, "content-length": length },
      });
    }
  }
};
