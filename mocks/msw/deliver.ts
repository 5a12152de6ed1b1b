import { markRefused } from "../guard/refused.ts";
import { pause, respond } from "../http/delivery.ts";
import type { MockReply } from "../http/reply.ts";

/** Errors of Node's sockets. */
const connectionErrors = {
  reset: { code: "ECONNRESET", errno: -104, syscall: "read", text: "read ECONNRESET" },
  refuse: { code: "ECONNREFUSED", errno: -111, syscall: "connect", text: "connect ECONNREFUSED" },
} as const;

/**
 * Creates an answer that makes the request fail with this error. MSW prints an error that a handler
 * throws, but passes on in silence an error that reading the answer throws. To look like the
 * socket's own, the error needs Node's `code` and `errno`.
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

/** Tells whether this is Node, with or without the page of jsdom or happy-dom in it. */
export const hasNodeProcess = (): boolean =>
  (globalThis as MaybeNode).process?.versions?.node !== undefined;

/** In a browser every broken connection is the same "Failed to fetch", whatever the reason. */
const brokenConnection = (fault: keyof typeof connectionErrors, url: string): Response => {
  if (!hasNodeProcess()) return Response.error();
  const { text, ...fields } = connectionErrors[fault];
  const error = Object.assign(new Error(text), fields);
  // MSW has read the request's body, so the client cannot tell by an unread body that nothing was sent.
  if (fault === "refuse") markRefused(error, url);
  return failingAnswer(error);
};

/** Lets pending work continue. It uses no timer, because a test runner may have faked timers. */
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

/** Gives the client time to see the headers: otherwise a broken connection hides the whole answer. */
const waitForHeaders = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
};

/** Plays the answers of one handler, for connections that belong to MSW or to a service worker. */
export const createInterceptedDelivery = () => {
  const held = new Set<AbortController>();

  /** Waits until the time is over (`true`), or until a signal or `release` ends it. */
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
    /** Never rejects for a fault, and ends early when the signal aborts. */
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
