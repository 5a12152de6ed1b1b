import { type Replaced, replaceProperty } from "../guard/replace-property.ts";
import { areTicksFaked, isNode } from "../guard/runtime.ts";
import { type FetchAnswers, fetchThrough } from "../msw/answer-fetch.ts";
import type { UnhandledRequests } from "../msw/unhandled-requests.ts";
import { endOtherServer, findReceiver } from "./receiver.ts";
import { ticksAdvice } from "./refusals.ts";
import { routeThroughMsw } from "./route-through-msw.ts";

/** @throws Error in Bun and Deno, where MSW and the guard miss requests; it says what to do */
const requireNode = (): void => {
  if (isNode()) return;
  throw new Error(
    "The mock does not listen, because MSW cannot intercept every request in Bun and Deno: some would " +
      "reach the real service. Nothing was sent to it. Give your client service.fetch, or start " +
      "the mock as a server with startMockServer: see adgen-sdk/docs/testing/in-node.md.",
  );
};

/** The parts of MSW's server that the interception needs, in MSW 2 and 3 alike. */
interface Server {
  listen(options: Pick<UnhandledRequests, "onUnhandledFrame" | "onUnhandledRequest">): void;
  close(): void;
}

/** The runtime's `fetch`, or another one that was set before this module was loaded. */
const earliest = globalThis.fetch;

/** The interception between `start` and `stop`. */
interface Running {
  readonly original: typeof fetch | undefined;
  readonly answering: Replaced | undefined;
  readonly undo: () => void;
}

/** The receivers of this package's mocks. Each refuses requests to another mock's service. */
const receiversOfMocks = new WeakSet<object>();

/** Returns whether the requests go to an MSW server that belongs to no mock, or to no server. */
const isReceiverForeign = (): boolean => {
  const receiver = findReceiver();
  return receiver === undefined || !receiversOfMocks.has(receiver);
};

/** Which requests a mock answers, and how. */
export interface Answers extends Omit<FetchAnswers, "behind"> {
  readonly unhandled: Pick<UnhandledRequests, "onUnhandledFrame" | "onUnhandledRequest">;
}

/**
 * Creates the switch that gives the requests of this process to the mock, from `start` to `stop`. A
 * `fetch` to the service is answered by the handlers directly. All other requests go through MSW.
 */
export const createInterception = (server: Server, { isOurs, answer, unhandled }: Answers) => {
  /** The global `fetch` before `start`. A stub that was set before `start` puts it back when removed. */
  const earlier = globalThis.fetch;
  let running: Running | undefined;
  /** Whether a request has used another `fetch` than the mock's, so that the mock's was put back. */
  let wasRepaired = false;

  // MSW 2 replaces functions, which works without ticks.
  const isMsw3 = "readyState" in server;
  const isBlind = (): boolean => isMsw3 && areTicksFaked();

  /** Returns whether other code has put back a `fetch` from before `start`. */
  const isFetchPutBack = ({ original }: Running): boolean =>
    original !== undefined && [original, earlier, earliest].includes(globalThis.fetch);

  /** Returns whether requests may bypass the mock, because it has stopped or other code has ended it. */
  const hasEnded = (): boolean =>
    running === undefined || isFetchPutBack(running) || isReceiverForeign();

  /** Replaces the global `fetch` by a function that answers requests with the handlers. */
  const answerFetch = (original: typeof fetch): Replaced => {
    const behind = globalThis.fetch;
    const answers = { isOurs: (url: string) => isOurs(url) || isBlind(), answer, behind };
    const placed: Replaced = replaceProperty(
      globalThis,
      "fetch",
      () => async (input, init) =>
        running?.answering === placed ? fetchThrough(answers, input, init) : original(input, init),
    );
    return placed;
  };

  /** Sends requests where they went before. */
  const stop = (): void => {
    running?.undo();
    running = undefined;
  };

  /** Starts, unless it has started. @throws Error when MSW gets no requests here */
  const start = (): void => {
    if (running !== undefined) return;
    requireNode();
    if (isBlind()) throw new Error(`The mock does not listen: ${ticksAdvice}`);
    endOtherServer();
    const original = globalThis.fetch as typeof fetch | undefined;
    const stopLeading = routeThroughMsw();
    server.listen(unhandled);
    const receiver = findReceiver();
    if (receiver !== undefined) receiversOfMocks.add(receiver);
    // Jest's jsdom has no global `fetch`.
    const answering = original && answerFetch(original);
    const undo = (): void => {
      answering?.undo();
      server.close();
      stopLeading();
    };
    running = { original, answering, undo };
  };

  return {
    start,
    stop,
    /** Returns why MSW may not get the requests now; `undefined` if it gets them. */
    findObstacle: (): "ticks" | "ended" | undefined => {
      if (isBlind()) return "ticks";
      return hasEnded() ? "ended" : undefined;
    },
    /**
     * Puts back the mock's `fetch`, after a request has used another one. Next.js restores its own
     * `fetch` after each edit, and nobody calls `reset` there.
     */
    repair: (): void => {
      if (running?.answering === undefined || running.answering.isInFront()) return;
      running.answering.redo();
      wasRepaired = true;
    },
    /**
     * Checks that requests still go through MSW. If not, it starts again.
     *
     * @throws Error when another MSW server gets them, or has ended the interception
     */
    check: (): void => {
      if (running === undefined || !(hasEnded() || wasRepaired)) return;
      if (!wasRepaired && !isFetchPutBack(running) && findReceiver() !== undefined) {
        throw new Error(
          "Another MSW server listens beside the mock, and gets all requests but those to the " +
            "service. Those by fetch the mock has answered, and those by node:http it has refused. " +
            "Close the other server (setupServer(...).listen()), and give its handlers to the mock: " +
            "setupMockServer({ handlers: [...] }).",
        );
      }
      wasRepaired = false;
      stop();
      start();
      throw new Error(
        "Another MSW server was closed, or other code has put the former fetch back, as " +
          "vi.stubGlobal can. That has ended the mock's interception: requests may have reached the " +
          "network. Use one MSW server, add your handlers to it, and put back no fetch while the " +
          "mock listens.",
      );
    },
  };
};
