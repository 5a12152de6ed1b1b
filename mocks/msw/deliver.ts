import { markRefused } from "../guard/refused.ts";
import { pause, respond } from "../http/delivery.ts";
import type { MockReply } from "../http/reply.ts";

/** The errors of Node's sockets. */
const connectionErrors = {
  reset: { code: "ECONNRESET", errno: -104, syscall: "read", text: "read ECONNRESET" },
  refuse: { code: "ECONNREFUSED", errno: -111, syscall: "connect", text: "connect ECONNREFUSED" },
} as const;

/**
 * Creates an answer that makes the request fail with this error. MSW prints an error that a handler
 * throws, but not one that reading the answer throws. MSW takes it for a socket's error if it has
 * Node's `code` and `errno`.
 */
export const failingAnswer = (error: Error): Response =>
  Object.defineProperty(new Response(null), "status", {
    get: () => {
      throw error;
    },
  });

interface MaybeNode {
  process?: { versions?: { node?: string } };
}

/** Returns whether this is Node, with or without jsdom or happy-dom. */
export const hasNodeProcess = (): boolean =>
  (globalThis as MaybeNode).process?.versions?.node !== undefined;

/** Creates the answer of a broken connection. A browser says "Failed to fetch", whatever the reason. */
const brokenConnection = (fault: keyof typeof connectionErrors, url: string): Response => {
  if (!hasNodeProcess()) return Response.error();
  const { text, ...fields } = connectionErrors[fault];
  const error = Object.assign(new Error(text), fields);
  // MSW has read the body, so without this mark the client couldn't know that nothing was sent.
  if (fault === "refuse") markRefused(error, url);
  return failingAnswer(error);
};

/** Lets pending work continue, without a timer, because a test runner may have faked timers. */
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/** Gives the client time to see the headers before the connection breaks. */
const waitForHeaders = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
};

/** Creates the delivery of one handler. Its connections belong to MSW or to a service worker. */
export const createInterceptedDelivery = () => {
  const held = new Set<AbortController>();

  /** Waits, and returns `true` when the time is over, `false` if a signal or `release` ended the wait. */
  const hold = async (ms: number, signals: readonly AbortSignal[]): Promise<boolean> => {
    const released = new AbortController();
    held.add(released);
    const isOver = await pause(ms, [...signals, released.signal]);
    held.delete(released);
    return isOver;
  };

  const cutBody = async (): Promise<Error> => {
    await waitForHeaders();
    return new TypeError("The mock has cut the body");
  };

  return {
    /** Never rejects because of a fault, and ends early when the signal aborts. */
    deliver: async (
      reply: MockReply,
      { signal, url }: Pick<Request, "signal" | "url">,
    ): Promise<Response> =>
      respond(reply, () => ({
        wait: (ms, left) => hold(ms, left === undefined ? [signal] : [left]),
        rejectConnection: (how) => brokenConnection(how, url),
        rejectAborted: () => brokenConnection("reset", url),
        bodyError: cutBody,
      })),
    /** Breaks every hanging connection, so that the next test starts without them. */
    release: (): void => {
      for (const released of held) released.abort();
    },
  };
};
