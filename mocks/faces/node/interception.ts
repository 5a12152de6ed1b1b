import { preflightHeaders } from "../../http/preflight.ts";
import { noteListening } from "../../network/msw-in-front.ts";
import { replace, skipGates } from "../../network/replace.ts";
import { http } from "../msw/installed-msw.ts";
import type { UnhandledRequests } from "../msw/unhandled-requests.ts";
import { leadThroughMsw, probeUrl } from "./agent-requests.ts";

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
  const headers = preflightHeaders(Object.fromEntries(request.headers));
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

/** An interception, from `start` to `stop`. */
interface Running {
  readonly original: typeof fetch;
  /** The `fetch` of MSW; the original one where MSW replaces none. */
  readonly intercepted: typeof fetch;
  readonly proof: Promise<void>;
  readonly undo: () => void;
}

/** Makes the switch that sends all requests of this process through MSW, from `start` to `stop`. */
export const createInterception = (
  server: Interceptor,
  { onUnhandledFrame, onUnhandledRequest }: UnhandledRequests,
) => {
  /** Stubs that are made before `start` put this one back. */
  const earlier = globalThis.fetch;
  let running: Running | undefined;
  let stopHolding: (() => boolean) | undefined;

  /** Holds every `fetch` back until it is proved that MSW gets it. Without proof it fails. */
  const proveFetch = (intercepted: typeof fetch): Promise<void> => {
    const prove = async (): Promise<void> => {
      if (!(await isSeenByMsw(intercepted, server))) throw createNotIntercepted("fetch");
      letGo();
    };
    const proof = prove();
    const { undo: letGo } = replace(globalThis, "fetch", () => async (...args) => {
      await proof;
      return intercepted(...args);
    });
    stopHolding = letGo;
    return proof.catch((error) => {
      // Stopped meanwhile: it proves nothing, and only the requests that were held back fail.
      if (running?.intercepted === intercepted) throw error;
    });
  };

  /** Tells whether `fetch` is one of before again, though nobody has called `stop`. */
  const hasEnded = (): boolean => {
    if (running === undefined || running.intercepted === running.original) return false;
    const { fetch } = globalThis;
    const front = skipGates(fetch, undefined);
    const isOf = (former: typeof fetch): boolean => skipGates(former, undefined) === front;
    return skipGates(running.original, fetch) === fetch || isOf(earlier) || isOf(earliest);
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
    const original = globalThis.fetch;
    const agents = leadThroughMsw();
    const endListening = noteListening(() => !hasEnded());
    server.listen({ onUnhandledFrame, onUnhandledRequest });
    syncBuiltinExports();
    const undo = (): void => {
      stopHolding?.();
      endListening();
      server.close();
      agents.stop();
      syncBuiltinExports();
    };
    if (!agents.isInTheWay()) {
      undo();
      throw createNotIntercepted("node:http");
    }
    const intercepted = globalThis.fetch;
    // Without a `fetch`, as in Jest's jsdom, no request can leave by it.
    const proof = original === undefined ? Promise.resolve() : proveFetch(intercepted);
    running = { original, intercepted, proof, undo };
    return proof;
  };

  return {
    start,
    stop,
    hasEnded,
    /**
     * Checks that requests still go through MSW, and repairs it.
     *
     * @throws Error when the interception has ended, as another MSW server ends it
     */
    check: (): void => {
      if (!hasEnded()) return;
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
