import { notSentKey } from "../../../src/contract/not-sent.ts";
import type { Delivery, MockReply } from "../../http/reply.ts";

/** Plays answers where the connection belongs to somebody else: to MSW, or to a service worker. */
export interface InterceptedDelivery {
  /** Never rejects for a fault, and ends early when the signal aborts. */
  deliver(reply: MockReply, signal: AbortSignal): Promise<Response>;
  /** Breaks every connection that hangs: nothing is left over for the next test. */
  release(): void;
}

type BodyDelivery = Extract<Delivery, { how: "stall-body" | "cut-body" | "drip-body" }>;
type ConnectionFault = "reset" | "refuse";

interface MaybeNode {
  process?: { versions?: { node?: string } };
}

/** What Node's sockets say. */
const connectionErrors = {
  reset: { code: "ECONNRESET", errno: -104, syscall: "read", text: "read ECONNRESET" },
  refuse: { code: "ECONNREFUSED", errno: -111, syscall: "connect", text: "connect ECONNREFUSED" },
} as const;

/**
 * An answer that makes the request fail with this error. MSW prints what a handler throws, as if
 * it were a mistake, and passes on in silence what reading its answer throws; from there the
 * socket's error is what the client sees. It must look like one of Node's: `code` and `errno`.
 */
export const failingAnswer = (error: Error): Response =>
  Object.defineProperty(new Response(null), "status", {
    get: () => {
      throw error;
    },
  });

/** In a browser every broken connection is the same "Failed to fetch", whatever the reason. */
const brokenConnection = (fault: ConnectionFault): Response => {
  if ((globalThis as MaybeNode).process?.versions?.node === undefined) return Response.error();
  const { text, ...fields } = connectionErrors[fault];
  const error = Object.assign(new Error(text), fields);
  // MSW has read the request's body, so its staying proves nothing: the mark says it.
  if (fault === "refuse") Object.defineProperty(error, notSentKey, { value: true });
  return failingAnswer(error);
};

/** Lets everything that is under way go on, without a timer: a runner may have faked those. */
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/** A client must have the headers before the connection breaks, or it sees no answer at all. */
const waitForHeaders = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
};

/** One for each handler. */
export const createInterceptedDelivery = (): InterceptedDelivery => {
  const held = new Set<() => void>();

  /** Waits, for ever without `ms`; whether the time is over, and not the wait. */
  const hold = (signal: AbortSignal, ms?: number): Promise<boolean> =>
    new Promise((resolve) => {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const end = (isOver: boolean): void => {
        clearTimeout(timer);
        held.delete(giveUp);
        signal.removeEventListener("abort", giveUp);
        resolve(isOver);
      };
      const giveUp = (): void => end(false);
      held.add(giveUp);
      signal.addEventListener("abort", giveUp, { once: true });
      if (ms !== undefined) timer = setTimeout(() => end(true), ms);
      if (signal.aborted) giveUp();
    });

  const piecesOf = (bytes: Uint8Array, delivery: BodyDelivery): Uint8Array[] => {
    if (delivery.how !== "drip-body") return [bytes.slice(0, delivery.afterBytes)];
    const count = Math.ceil(bytes.length / delivery.bytes);
    return Array.from({ length: count }, (_, index) =>
      bytes.slice(index * delivery.bytes, (index + 1) * delivery.bytes),
    );
  };

  const streamOf = (bytes: Uint8Array, delivery: BodyDelivery): ReadableStream<Uint8Array> => {
    const reader = new AbortController();
    const play = async (controller: ReadableStreamDefaultController<Uint8Array>) => {
      for (const [index, piece] of piecesOf(bytes, delivery).entries()) {
        const everyMs = delivery.how === "drip-body" ? delivery.everyMs : 0;
        if (index > 0 && !(await hold(reader.signal, everyMs))) return false;
        controller.enqueue(piece);
      }
      if (delivery.how === "drip-body") return true;
      await (delivery.how === "cut-body" ? waitForHeaders() : hold(reader.signal));
      return false;
    };
    return new ReadableStream({
      start: (controller) => {
        void play(controller).then((isWhole) => {
          if (reader.signal.aborted) return;
          if (isWhole) controller.close();
          else controller.error(new TypeError("The mock has cut the body"));
        });
      },
      cancel: () => reader.abort(),
    });
  };

  const respond = ({ status, headers, body, delivery }: MockReply): Response => {
    if (!("bytes" in delivery || "afterBytes" in delivery)) {
      return new Response(body === "" ? null : body, { status, headers });
    }
    const bytes = new TextEncoder().encode(body);
    // Without its length a cut body passes for a whole one, and giving up a stalled one ends in
    // an assertion of undici's: both take the end of the connection for the end of the body.
    const length = String(bytes.length);
    const stream = streamOf(bytes, delivery);
    return new Response(stream, { status, headers: { ...headers, "content-length": length } });
  };

  return {
    deliver: async (reply, signal) => {
      const { delayMs, delivery } = reply;
      if (delayMs > 0 && !(await hold(signal, delayMs))) return brokenConnection("reset");
      if (delivery.how === "stall") await hold(signal);
      if (delivery.how === "stall" || delivery.how === "reset") return brokenConnection("reset");
      return delivery.how === "refuse" ? brokenConnection("refuse") : respond(reply);
    },
    release: () => {
      for (const giveUp of held) giveUp();
    },
  };
};
