import type { RequestHandler } from "msw";
import { setupServer } from "msw/node";
import {
  type GuardedMock,
  guardMock,
  isForAnotherMock,
  isNodeShared,
  isOfThisFile,
  unguardMock,
} from "../guard/guard.ts";
import { type RefusalOf, refuseByFetch, refuseByXhr } from "../guard/refusing-fetch.ts";
import { getBuiltin } from "../guard/runtime.ts";
import { isLoopback } from "../guard/urls.ts";
import { answerFrom } from "../msw/answer-fetch.ts";
import { createHandlers } from "../msw/handlers.ts";
import {
  answerUnhandled,
  createUnhandledRequests,
  defaultBaseUrl,
  type OnUnhandled,
} from "../msw/unhandled-requests.ts";
import type { MockServiceOptions } from "../options/options.ts";
import type { MockService } from "../service/mock-service.ts";
import { createInterception } from "./interception.ts";
import { createRefusal } from "./refusals.ts";

type State = "waits" | "listens" | "closed";

/** Options of a mock, except its hooks. */
interface SharedOptions extends MockServiceOptions {
  readonly onUnhandled?: OnUnhandled;
  readonly service?: MockService;
  readonly handlers?: readonly RequestHandler[];
}

/** Mocks that wait or listen, in the order of their last `listen`. */
const openMocks = new Set<SharedMock>();

type SharedMock = ReturnType<typeof createSharedMock>;

/**
 * Creates a mock that several test files may use: in Mocha and Jasmine, the hooks of all files run around
 * all tests of the process.
 *
 * @param place - Where the mock was created, as " of ads.test.ts:7"
 */
export const createSharedMock = (
  options: SharedOptions,
  service: MockService,
  handlers: readonly RequestHandler[],
  place: string,
) => {
  const users = new Set<object>();
  let state: State = "waits";
  let isNetworkAllowed = false;
  let stopRefusing: (() => void) | undefined;

  const guarded: GuardedMock = {
    isFor: (url, request) => {
      if (state !== "closed" || !unhandled.isForService(url)) return unhandled.isForService(url);
      // Let requests to this machine out: they cost nothing, and later tests may start a server there.
      if (isLoopback(new URL(url).hostname)) return false;
      // The channels also report requests of the process's next test file, which may be allowed there.
      return request === undefined || isOfThisFile(request);
    },
    isListening: () => state === "listens",
    refusalOf: (url, isMissed = false) => {
      if (state !== "listens") return createRefusal(url, state, place);
      const reason = interception.findObstacle() ?? (isMissed ? "missed" : undefined);
      if (isMissed) interception.repair();
      return reason && createRefusal(url, reason, place);
    },
    abandon: () => {
      interception.stop();
      openMocks.delete(shared);
    },
  };
  const isForOther = (url: string): boolean => isForAnotherMock(guarded, url);
  const unhandled = createUnhandledRequests(
    service.baseUrl,
    options.onUnhandled,
    undefined,
    isForOther,
  );
  const last = unhandled.createLastHandler();
  const server = setupServer(...handlers, ...createHandlers(service), last);
  const interception = createInterception(server, {
    isOurs: (url) => unhandled.isForService(url) || isForOther(url),
    answer: async (request) =>
      (await answerFrom(server.listHandlers(), request)) ??
      answerUnhandled(unhandled.meet(request.method, request.url)),
    unhandled,
  });

  /** @throws Error when a newer mock gets the requests of this one */
  const checkTurn = (): void => {
    const url = service.baseUrl ?? defaultBaseUrl;
    const newest = [...openMocks].findLast((mock) => mock.isAnswering(url));
    if (state !== "listens" || newest === undefined || newest === shared) return;
    if (newest.service === service) return;
    throw new Error(
      `Two mocks of ${url} listen, with different options: the one${newest.place} gets all requests, ` +
        `and the one${place} gets none. Give both the same options, use one mock in both files, or ` +
        "register the hooks inside a describe, so that one closes before the other listens.",
    );
  };

  const letRequestsOut = (): void => {
    stopRefusing?.();
    stopRefusing = undefined;
    unguardMock(guarded);
  };

  const refuseFromNowOn = (): void => {
    if (!isNodeShared()) return;
    // Neither Node's own `fetch` nor jsdom's `XMLHttpRequest` says which file it was called by.
    const refusalOf: RefusalOf = (url) =>
      url !== undefined && guarded.isFor(url.href) ? guarded.refusalOf(url) : undefined;
    const placed = [
      "fetch" in globalThis && refuseByFetch(refusalOf),
      "XMLHttpRequest" in globalThis && refuseByXhr(refusalOf),
    ].filter((replaced) => replaced !== false);
    stopRefusing = () => {
      for (const { undo } of placed) undo();
    };
  };

  const shared = {
    options,
    service,
    server,
    place,
    interception,
    hasListened: false,
    isListening: guarded.isListening,
    isAnswering: (url: string) => state === "listens" && unhandled.isForService(url),
    listen: (user: object): void => {
      stopRefusing?.();
      interception.start();
      users.add(user);
      if (state !== "listens") {
        openMocks.delete(shared);
        openMocks.add(shared);
      }
      state = "listens";
      shared.hasListened = true;
      guardMock(guarded);
    },
    reset: (): void => {
      server.resetHandlers();
      service.reset();
      unhandled.check();
      interception.check();
      checkTurn();
    },
    close: (user: object): void => {
      users.delete(user);
      if (users.size > 0) return;
      // MSW's servers share one source, so closing one ends the interception for all.
      const running = [...openMocks].filter((mock) => mock.isListening());
      for (const mock of running.toReversed()) mock.interception.stop();
      state = "closed";
      openMocks.delete(shared);
      for (const mock of running) if (mock !== shared) mock.interception.start();
      if (isNetworkAllowed) letRequestsOut();
      else refuseFromNowOn();
      unhandled.check();
    },
    allowNetwork: (): void => {
      isNetworkAllowed = true;
      if (state === "closed") letRequestsOut();
    },
  };
  // Requests to the service are refused until the mock listens.
  guardMock(guarded);
  openMocks.add(shared);
  return shared;
};

/**
 * Finds an open mock with the same options. A place that creates a second one after the first has
 * listened gets a new mock, because Vite has loaded its file again.
 */
export const findTwin = (options: SharedOptions, place: string): SharedMock | undefined =>
  [...openMocks].findLast(
    (mock) =>
      !(mock.hasListened && mock.place === place) &&
      getBuiltin("node:util").isDeepStrictEqual(mock.options, options),
  );
