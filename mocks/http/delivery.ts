import { isKindAnswered } from "../faults/fault.ts";
import { framingHeaders, maxDelayMs } from "../faults/limits.ts";
import type { Delivery, MockReply } from "./reply.ts";

/** A delivery that plays its fault while the body is on its way. */
export type BodyDelivery = Extract<Delivery, { how: "stall-body" | "cut-body" | "drip-body" }>;

const statusesWithoutBody = [204, 205, 304];

/** Tells whether an answer may have a body. */
export const allowsBody = (method: string | undefined, status: number): boolean =>
  method !== "HEAD" && !statusesWithoutBody.includes(status);

/** Tells whether a header frames the message. Each adapter writes such headers itself. */
export const isFraming = (header: string): boolean => framingHeaders.includes(header);

/** Tells whether the client gets an answer, or at least its status and headers. */
export const isAnswered = ({ how }: Delivery): boolean => how === "whole" || isKindAnswered(how);

/**
 * Waits so many milliseconds, `Infinity` for ever, or until one of the signals aborts.
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
    // The global timer: a test runner's fake timers drive a mock in the same process.
    const timer =
      ms === Number.POSITIVE_INFINITY
        ? undefined
        : setTimeout(settle, Math.min(ms, maxDelayMs), true);
    for (const signal of signals) signal.addEventListener("abort", stop);
    if (signals.some(({ aborted }) => aborted)) stop();
  });

/**
 * Plays a body that meets a fault: yields its pieces in their time, and returns whether they are
 * the whole body. `wait` resolves to `false` when the client has left.
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
  }
}

/** What an adapter without a socket does when an answer does not arrive whole. */
export interface Effects {
  /** Waits; resolves to `false` when the client, the adapter or `left` ends the wait early. */
  readonly wait: (ms: number, left?: AbortSignal) => Promise<boolean>;
  /** Ends a request whose connection breaks, or was refused. */
  readonly rejectConnection: (how: "reset" | "refuse") => Response;
  /** Ends a request whose wait ended early. */
  readonly rejectAborted: () => Response;
  /** Returns the error of a body that breaks off. */
  readonly bodyError: () => unknown;
}

/** Makes the response to a request that meets a fault in the body. */
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
      // MSW sends the headers with the first piece, even an empty one.
      if (!done) return controller.enqueue(value);
      if (value) controller.close();
      else controller.error(await bodyError());
    },
    cancel: () => left.abort(),
  });
  // Without a length, clients take the end of the connection for the end of the body: a cut body
  // would pass for a whole one, and giving up a stalled body fails an assertion in undici.
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
  }
};

/** Plays a reply as a `Response`, with its delay and its fault, for an adapter without a socket. */
export const respond = (
  reply: MockReply,
  createEffects: () => Effects,
): Response | Promise<Response> =>
  reply.delivery.how === "whole" && reply.delayMs === 0
    ? respondWhole(reply)
    : respondInTime(reply, createEffects());
