import { areTicksFaked } from "../guard/faked-ticks.ts";
import { type Replaced, replaceProperty } from "../guard/replace-property.ts";
import { type FetchAnswers, fetchThrough } from "../msw/answer-fetch.ts";
import type { UnhandledRequests } from "../msw/unhandled-requests.ts";
import { endOtherServer, findReceiver } from "./receiver.ts";
import { ticksAdvice } from "./refusals.ts";
import { requireNode } from "./require-node.ts";
import { routeThroughMsw } from "./route-through-msw.ts";

/** The parts of MSW's server that the interception needs, in MSW 2 and 3 alike. */
interface Server {
  listen(options: Pick<UnhandledRequests, "onUnhandledFrame" | "onUnhandledRequest">): void;
  close(): void;
}

/** The `fetch` that the runtime has, or that other code has set before this module was loaded. */
const earliest = globalThis.fetch;

/** An interception, from `start` to `stop`. */
interface Running {
  readonly original: typeof fetch | undefined;
  readonly answering: Replaced | undefined;
  readonly undo: () => void;
}

/** Receivers of this package's mocks. Each of them refuses what is for another mock. */
const receiversOfMocks = new WeakSet<object>();

/** Tells whether another MSW server than that of a mock gets the requests, or none does. */
const isReceiverForeign = (): boolean => {
  const receiver = findReceiver();
  return receiver === undefined || !receiversOfMocks.has(receiver);
};

/** The requests that a mock answers, and how. */
export interface Answers extends Omit<FetchAnswers, "behind"> {
  readonly unhandled: Pick<
    UnhandledRequests,
    "onUnhandledFrame" | "onUnhandledRequest" | "noteOtherServer"
  >;
}

/**
 * Makes the switch that gives the requests of this process to the mock, from `start` to `stop`. Those
 * to the service by `fetch` are answered from the handlers at once, and all others go through MSW.
 */
export const createInterception = (server: Server, { isOurs, answer, unhandled }: Answers) => {
  /** Stubs that are made before `start` put this one back. */
  const earlier = globalThis.fetch;
  let running: Running | undefined;
  /** Other code had put a former `fetch` back, and a request went by it. */
  let wasRepaired = false;

  // MSW 2 intercepts functions. It needs no ticks for it.
  const isMsw3 = "readyState" in server;
  const isBlind = (): boolean => isMsw3 && areTicksFaked();

  /** Tells whether `fetch` is one of before again, though nobody has called `stop`. */
  const isFetchPutBack = ({ original }: Running): boolean =>
    original !== undefined && [original, earlier, earliest].includes(globalThis.fetch);

  /** Tells whether requests may pass the mock by, because it has stopped or other code has ended it. */
  const hasEnded = (): boolean =>
    running === undefined || isFetchPutBack(running) || isReceiverForeign();

  /** Puts the function in place that answers a `fetch`. */
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

  /** Lets requests go where they went before. */
  const stop = (): void => {
    running?.undo();
    running = undefined;
  };

  /** Starts, unless it has started. @throws Error where MSW gets no requests */
  const start = (): void => {
    if (running !== undefined) return;
    requireNode();
    if (isBlind()) throw new Error(`The mock does not listen: ${ticksAdvice}`);
    if (endOtherServer()) unhandled.noteOtherServer();
    const original = globalThis.fetch as typeof fetch | undefined;
    const stopLeading = routeThroughMsw();
    server.listen(unhandled);
    const receiver = findReceiver();
    if (receiver !== undefined) receiversOfMocks.add(receiver);
    // Without a `fetch`, as in Jest's jsdom, no request can leave by it.
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
    /** Returns why MSW may not get the requests now; `undefined` where it does. */
    findObstacle: (): "ticks" | "ended" | undefined => {
      if (isBlind()) return "ticks";
      return hasEnded() ? "ended" : undefined;
    },
    /**
     * Puts the function back that answers a `fetch`, after a request has gone by another one: Next.js
     * puts its saved `fetch` back after each edit, and nobody calls `reset` there.
     */
    repair: (): void => {
      if (running?.answering === undefined || running.answering.isInFront()) return;
      running.answering.redo();
      wasRepaired = true;
    },
    /**
     * Checks that requests still go through MSW, and repairs it.
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
