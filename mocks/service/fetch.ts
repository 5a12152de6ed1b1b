import { notSentKey } from "../../src/contract/not-sent.ts";
import { type BodyPlan, pause, planBody } from "../http/delivery.ts";
import type { MockReply } from "../http/reply.ts";

/** Makes the error that the global `fetch` of Node rejects with. */
const connectionError = (message: string, cause: string, code: string): TypeError =>
  new TypeError(message, { cause: Object.assign(new Error(cause), { code }) });

/**
 * Makes the error of a refused connection. The mark tells the client that the request never left:
 * the code alone proves it of the global `fetch` only.
 */
const connectionRefusal = (): TypeError =>
  Object.defineProperty(
    connectionError("fetch failed", "connect ECONNREFUSED", "ECONNREFUSED"),
    notSentKey,
    { value: true },
  );

/** A request that can be given up: a `Request`, or a simple call without a signal. */
interface Cancellable {
  readonly signal?: AbortSignal;
}

/**
 * Requests that wait for their answers. A `Request` that is garbage-collected never aborts its
 * signal, so this set holds it.
 */
const waiting = new Set<Cancellable>();

/** Waits so many milliseconds. @throws the signal's reason as soon as it aborts */
const wait = async (
  ms: number,
  request: Cancellable,
  ...others: readonly AbortSignal[]
): Promise<void> => {
  const { signal } = request;
  const signals = signal === undefined ? others : [signal, ...others];
  waiting.add(request);
  const isOver = await pause(ms, signals);
  waiting.delete(request);
  if (!isOver) throw signals.find(({ aborted }) => aborted)?.reason;
};

/** Waits until the signal aborts. */
const hang = async (request: Cancellable, ...others: readonly AbortSignal[]): Promise<never> => {
  await wait(Number.POSITIVE_INFINITY, request, ...others);
  throw request.signal?.reason;
};

async function* playBody(
  { pieces, everyMs, end }: BodyPlan,
  request: Cancellable,
  left: AbortSignal,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let isFirst = true;
  for (const piece of pieces) {
    if (!isFirst) await wait(everyMs, request, left);
    yield piece;
    isFirst = false;
  }
  switch (end) {
    case "complete":
      return;
    case "cut":
      throw connectionError("terminated", "other side closed", "UND_ERR_SOCKET");
    case "stall":
      await hang(request, left);
      return;
    default:
      end satisfies never;
  }
}

/** Makes a body that comes as planned, and ends early when its reader leaves. */
const streamOf = (plan: BodyPlan, request: Cancellable): ReadableStream<Uint8Array> => {
  const left = new AbortController();
  const pieces = playBody(plan, request, left.signal);
  return new ReadableStream({
    pull: async (controller) => {
      try {
        // The stream does not repeat a pull that brings nothing, so skip empty pieces here.
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
 * Delivers a reply in this process, as `fetch` brings it, faults included.
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
      throw connectionRefusal();
    case "stall":
      return hang(request);
    case "whole":
      return new Response(body === "" ? null : body, { status, headers });
    case "stall-body":
    case "cut-body":
    case "drip-body": {
      const plan = planBody(body, delivery);
      return new Response(streamOf(plan, request), {
        status,
        headers: { ...headers, "content-length": String(plan.length) },
      });
    }
  }
};
