import type { MockReply } from "./reply.ts";

/** What the global `fetch` of Node rejects with, so that nobody has to tell the two apart. */
const connectionError = (message: string, cause: string, code: string): TypeError =>
  new TypeError(message, { cause: Object.assign(new Error(cause), { code }) });

/** Settles after so many milliseconds, or rejects as soon as the signal aborts. */
const wait = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer =
      ms === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(() => {
            signal.removeEventListener("abort", stop);
            resolve();
          }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });

/** The pieces of a body, and what comes after the last one. */
async function* piecesOf(
  { body, delivery }: MockReply,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(body);
  switch (delivery.how) {
    case "stall-body":
      yield bytes.slice(0, delivery.afterBytes);
      await wait(Number.POSITIVE_INFINITY, signal);
      break;
    case "cut-body":
      yield bytes.slice(0, delivery.afterBytes);
      throw connectionError("terminated", "other side closed", "UND_ERR_SOCKET");
    case "drip-body":
      for (let start = 0; start < bytes.length; start += delivery.bytes) {
        if (start > 0) await wait(delivery.everyMs, signal);
        yield bytes.slice(start, start + delivery.bytes);
      }
      break;
    default:
      yield bytes;
  }
}

/** A body that comes as the fault says; it ends early when its reader leaves. */
const streamOf = (reply: MockReply, signal: AbortSignal): ReadableStream<Uint8Array> => {
  const left = new AbortController();
  const pieces = piecesOf(reply, AbortSignal.any([signal, left.signal]));
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
export const deliver = async (reply: MockReply, signal: AbortSignal): Promise<Response> => {
  const { status, headers, body, delayMs, delivery } = reply;
  if (delayMs > 0) await wait(delayMs, signal);
  switch (delivery.how) {
    case "reset":
      throw connectionError("fetch failed", "read ECONNRESET", "ECONNRESET");
    case "refuse":
      throw connectionError("fetch failed", "connect ECONNREFUSED", "ECONNREFUSED");
    case "stall":
      await wait(Number.POSITIVE_INFINITY, signal);
      throw signal.reason;
    case "whole":
      return new Response(body === "" ? null : body, { status, headers });
    default: {
      const length = String(new TextEncoder().encode(body).length);
      return new Response(streamOf(reply, signal), {
        status,
        headers: { ...headers, "content-length": length },
      });
    }
  }
};
