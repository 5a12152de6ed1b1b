import { framingHeaders, isKindAnswered, maxDelayMs } from "../faults/fault.ts";
import type { Delivery, MockReply } from "./reply.ts";

/** A delivery whose fault happens while the body is being sent. */
export type BodyDelivery = Extract<Delivery, { how: "stall-body" | "cut-body" | "drip-body" }>;

const statusesWithoutBody = [204, 205, 304];

/** Returns whether an answer may have a body. */
export const allowsBody = (method: string | undefined, status: number): boolean =>
  method !== "HEAD" && !statusesWithoutBody.includes(status);

/** Returns whether a header frames the message. Each adapter writes these headers itself. */
export const isFraming = (header: string): boolean => framingHeaders.includes(header);

/** Returns whether the client gets at least the status and headers of an answer. */
export const isAnswered = ({ how }: Delivery): boolean => how === "whole" || isKindAnswered(how);

/**
 * Waits until the time is over, or until one of the signals aborts. `Infinity` waits forever.
 *
 * @returns `true` when the time is over, `false` after an abort
 */
export const pause = (ms: number, signals: readonly AbortSignal[]): Promise<boolean> =>
  new Promise((resolve) => {
    const settle = (isOver: boolean): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", stop);
      resolve(isOver);
    };
    const stop = (): void => settle(false);
    // This uses the global timer, so that a test runner's fake timers drive the mock.
    const timer =
      ms === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(settle, Math.min(ms, maxDelayMs), true);
    for (const signal of signals) signal.addEventListener("abort", stop);
    if (signals.some(({ aborted }) => aborted)) stop();
  });

/**
 * Yields the pieces of a body at their times, as its fault says, and returns whether the body is
 * complete. `wait` resolves to `false` when the client has disconnected.
 */
export async function* playBody(
  bytes: Uint8Array<ArrayBuffer>,
  delivery: BodyDelivery,
  wait: (ms: number) => Promise<boolean>,
): AsyncGenerator<Uint8Array<ArrayBuffer>, boolean> {
  switch (delivery.how) {
    case "cut-body":
      yield bytes.slice(0, delivery.afterBytes);
      return false;
    case "stall-body":
      yield bytes.slice(0, delivery.afterBytes);
      await wait(Number.POSITIVE_INFINITY);
      return false;
    case "drip-body": {
      const size = Math.max(1, delivery.bytes);
      for (let start = 0; start < bytes.length; start += size) {
        if (start > 0 && !(await wait(delivery.everyMs))) return false;
        yield bytes.slice(start, start + size);
      }
      return true;
    }
    default:
      return delivery satisfies never;
  }
}

/** How an adapter without a socket plays the faults of a delivery. */
export interface Effects {
  /** Waits; resolves to `false` when the client, the adapter or `left` ends the wait early. */
  readonly wait: (ms: number, left?: AbortSignal) => Promise<boolean>;
  /** Fails a request whose connection breaks or is refused. */
  readonly rejectConnection: (how: "reset" | "refuse") => Response;
  /** Fails a request whose wait ended early. */
  readonly rejectAborted: () => Response;
  /** Returns the error of a body that breaks off. */
  readonly bodyError: () => unknown;
}

/** Creates a response whose body meets a fault. */
const respondInPieces = (
  { status, headers, body }: MockReply,
  delivery: BodyDelivery,
  { wait, bodyError }: Effects,
): Response => {
  const bytes = new TextEncoder().encode(body);
  const left = new AbortController();
  const pieces = playBody(bytes, delivery, (ms) => wait(ms, left.signal));
  const stream = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      const { done, value } = await pieces.next();
      // MSW sends the headers with the first piece, even if it is empty.
      if (!done) return controller.enqueue(value);
      if (value) controller.close();
      else controller.error(await bodyError());
    },
    cancel: () => left.abort(),
  });
  // Without a length, clients take the end of the connection for the end of the body. A cut body would
  // then look complete, and cancelling a stalled body would fail an assertion in undici.
  const framed = { ...headers, "content-length": String(bytes.length) };
  return new Response(stream, { status, headers: framed });
};

const respondWhole = ({ status, headers, body }: MockReply): Response => {
  return new Response(body === "" ? null : body, { status, headers });
};

const respondInTime = async (reply: MockReply, effects: Effects): Promise<Response> => {
  const { delivery, delayMs } = reply;
  if (delayMs > 0 && !(await effects.wait(delayMs))) return effects.rejectAborted();
  switch (delivery.how) {
    case "whole":
      return respondWhole(reply);
    case "reset":
    case "refuse":
      return effects.rejectConnection(delivery.how);
    case "stall":
      return effects.wait(Number.POSITIVE_INFINITY).then(effects.rejectAborted);
    case "stall-body":
    case "cut-body":
    case "drip-body":
      return respondInPieces(reply, delivery, effects);
    default:
      return delivery satisfies never;
  }
};

/** Turns a reply into a `Response`, with its delay and its fault, for an adapter without a socket. */
export const respond = (
  reply: MockReply,
  createEffects: () => Effects,
): Response | Promise<Response> =>
  reply.delivery.how === "whole" && reply.delayMs === 0
    ? respondWhole(reply)
    : respondInTime(reply, createEffects());
