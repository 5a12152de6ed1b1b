import { preflightHeaders } from "../../http/cors.ts";
import { areTicksFaked } from "../../network/faked-ticks.ts";
import { noteListening } from "../../network/msw-in-front.ts";
import { markRefused } from "../../network/refused.ts";
import { replace, skipGates } from "../../network/replace.ts";
import { type FrontDoor, fetchThrough } from "../msw/front-door.ts";
import { http } from "../msw/installed-msw.ts";
import type { UnhandledRequests } from "../msw/unhandled-requests.ts";
import { leadThroughMsw, probeUrl } from "./agent-requests.ts";
import { createRefusal, ticksAdvice } from "./not-listening.ts";
import { endOtherServer, findReceiver } from "./receiver.ts";

type Listener = (event: { readonly request: Request }) => void;

/** The parts of MSW's server that the interception needs, in MSW 2 and 3 alike. */
interface Interceptor {
  listen(options: Pick<UnhandledRequests, "onUnhandledFrame" | "onUnhandledRequest">): void;
  close(): void;
  readonly events: {
    on(type: "request:start", listener: Listener): unknown;
    removeListener(type: "request:start", listener: Listener): unknown;
  };
}

interface OtherRuntimes {
  readonly Deno?: { readonly version: { readonly deno: string } };
  readonly process?: { readonly versions?: Readonly<Record<string, string | undefined>> };
}

/** Names the runtime with its version, as "Bun 1.4.5". */
const nameRuntime = (): string => {
  const { Deno, process } = globalThis as OtherRuntimes;
  if (Deno !== undefined) return `Deno ${Deno.version.deno}`;
  const { bun, node } = process?.versions ?? {};
  return bun === undefined ? `Node ${node}` : `Bun ${bun}`;
};

const adviceFor = (way: "fetch" | "node:http"): string =>
  /^(Bun|Deno)/.test(nameRuntime())
    ? "Give your client service.fetch, or start the mock as a server with startMockServer: see adgen-sdk/docs/testing/bun-and-deno.md."
    : `Look for code that replaces ${way} in this process before the mock listens, such as a stub or another interceptor, and remove it.`;

/** Makes the error that says why the mock does not listen, and what to do instead. */
const createNotIntercepted = (way: "fetch" | "node:http"): Error =>
  new Error(
    `The mock does not listen, because MSW cannot intercept ${way} in ${nameRuntime()}: requests ` +
      `would reach the real service. Nothing was sent to it. ${adviceFor(way)}`,
  );

/**
 * Handler that answers the request which tests the interception; a server needs it. happy-dom asks
 * beforehand what it may send.
 */
export const probeHandler = http.all(probeUrl, ({ request }) => {
  const headers = preflightHeaders(request);
  return new Response("seen", { headers });
});

/**
 * Updates the names of `import { request } from "node:http"`. MSW replaces the module's functions,
 * and names that were imported before would go on to mean the old ones.
 */
const syncBuiltinExports = (): void =>
  process.getBuiltinModule("node:module").syncBuiltinESMExports();

/** The `fetch` that the runtime has, or that other code has set before this module was loaded. */
const earliest = globalThis.fetch;

/** Sends one request by `fetch`, and tells whether MSW has seen it. */
const isSeenByMsw = async (fetch: typeof globalThis.fetch, server: Interceptor) => {
  let isSeen = false;
  const note: Listener = ({ request }) => {
    if (request.url === probeUrl) isSeen = true;
  };
  server.events.on("request:start", note);
  await fetch(probeUrl, { cache: "no-store" }).catch(() => {});
  server.events.removeListener("request:start", note);
  return isSeen;
};

/** Tells whether the global `fetch` leads to a door. The request is aborted: it is never sent. */
const createOwnProbe = () => {
  const signal = AbortSignal.abort();
  let isSeen = false;
  return {
    meets: (init: RequestInit | undefined): boolean => {
      isSeen ||= init?.signal === signal;
      return init?.signal === signal;
    },
    isSeenAt: (url: string): boolean => {
      globalThis.fetch(url, { signal }).catch(() => {});
      return isSeen;
    },
  };
};

/** An interception, from `start` to `stop`. */
interface Running {
  readonly original: typeof fetch;
  readonly proof: Promise<void>;
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
export interface Answers extends Omit<FrontDoor, "behind"> {
  readonly isForService: (url: string) => boolean;
  /** The base URL at which the mock proves that it gets the requests. */
  readonly baseUrl: string;
  readonly unhandled: Pick<
    UnhandledRequests,
    "onUnhandledFrame" | "onUnhandledRequest" | "noteOtherServer"
  >;
}

/**
 * Makes the switch that intercepts the requests of this process, from `start` to `stop`. Those to
 * the service by `fetch` are answered at a door of their own, and all others go through MSW.
 */
export const createInterception = (
  server: Interceptor,
  { isForService, isOurs, answer, baseUrl, unhandled }: Answers,
) => {
  /** Stubs that are made before `start` put this one back. */
  const earlier = globalThis.fetch;
  let running: Running | undefined;

  // MSW 2 intercepts functions. It needs no ticks for it.
  const needsTicks = "readyState" in server;
  const isBlind = (): boolean => needsTicks && areTicksFaked();

  /** Holds every `fetch` back until it is proved that requests are intercepted, or fails it. */
  const openDoor = (original: typeof fetch) => {
    const behind = globalThis.fetch;
    const probe = createOwnProbe();
    let isOpen = true;
    const door: FrontDoor = { isOurs: (url) => isOurs(url) || isBlind(), answer, behind };
    const { undo } = replace(globalThis, "fetch", () => async (input, init) => {
      if (probe.meets(init)) return Response.error();
      if (!isOpen) return original(input, init);
      await proof;
      return fetchThrough(door, input, init);
    });
    const prove = async (): Promise<void> => {
      if (!probe.isSeenAt(baseUrl) || !(await isSeenByMsw(behind, server))) {
        throw createNotIntercepted("fetch");
      }
    };
    const proof = prove();
    return {
      proof: proof.catch((error) => {
        // Stopped meanwhile: it proves nothing, and only the requests that were held back fail.
        if (isOpen) throw error;
      }),
      close: (): void => {
        isOpen = false;
        undo();
      },
    };
  };

  /** Tells whether `fetch` is one of before again, though nobody has called `stop`. */
  const isFetchPutBack = ({ original }: Running): boolean => {
    if (original === undefined) return false;
    const front = skipGates(globalThis.fetch, undefined);
    return [original, earlier, earliest].some((former) => skipGates(former, undefined) === front);
  };

  /** Tells whether requests may pass the mock by, because it has stopped or other code has ended it. */
  const hasEnded = (): boolean =>
    running === undefined || isFetchPutBack(running) || isReceiverForeign();

  const refusalOf = (url: URL): Error | undefined => {
    if (!isForService(url.href)) return undefined;
    if (isBlind()) return markRefused(createRefusal(url, "ticks"), url.href);
    return hasEnded() ? markRefused(createRefusal(url, "listens"), url.href) : undefined;
  };

  /** Lets requests go where they went before. */
  const stop = (): void => {
    running?.undo();
    running = undefined;
  };

  /**
   * Starts, unless it has started. A request that is sent at once waits for the proof.
   *
   * @throws Error when `node:http` cannot be intercepted; the promise rejects when `fetch` cannot
   */
  const start = (): Promise<void> => {
    if (running !== undefined) return running.proof;
    if (isBlind()) throw new Error(`The mock does not listen: ${ticksAdvice}`);
    if (endOtherServer()) unhandled.noteOtherServer();
    const original = globalThis.fetch;
    const agents = leadThroughMsw(refusalOf);
    const endListening = noteListening(() => !hasEnded() && !isBlind());
    server.listen(unhandled);
    syncBuiltinExports();
    const receiver = findReceiver();
    if (receiver !== undefined) receiversOfMocks.add(receiver);
    const undo = (): void => {
      door?.close();
      endListening();
      server.close();
      agents.stop();
      syncBuiltinExports();
    };
    let door: ReturnType<typeof openDoor> | undefined;
    if (!agents.isInTheWay(baseUrl)) {
      undo();
      throw createNotIntercepted("node:http");
    }
    // Without a `fetch`, as in Jest's jsdom, no request can leave by it.
    if (original !== undefined) door = openDoor(original);
    const proof = door?.proof ?? Promise.resolve();
    running = { original, proof, undo };
    return proof;
  };

  return {
    start,
    stop,
    hasEnded,
    /**
     * Checks that requests still go through MSW, and repairs it.
     *
     * @throws Error when another MSW server gets them, or has ended the interception
     */
    check: (): void => {
      if (running === undefined || !hasEnded()) return;
      if (!isFetchPutBack(running) && findReceiver() !== undefined) {
        throw new Error(
          "Another MSW server listens beside the mock, and gets all requests but those to the " +
            "service. Those by fetch the mock has answered, and those by node:http it has refused. " +
            "Close the other server (setupServer(...).listen()), and give its handlers to the mock: " +
            "setupMockServer({ handlers: [...] }).",
        );
      }
      stop();
      // Requests fail with the reason when this does.
      start().catch(() => {});
      throw new Error(
        "Another MSW server was closed, or other code has put the former fetch back, as " +
          "vi.stubGlobal can. That has ended the mock's interception: requests may have reached the " +
          "network. Use one MSW server, add your handlers to it, and put back no fetch while the " +
          "mock listens.",
      );
    },
  };
};
