import type { RequestHandler } from "msw";
import { type SetupServer, setupServer } from "msw/node";
import {
  type GuardedMock,
  guardMock,
  isForAnotherMock,
  isNodeShared,
  unguardMock,
} from "../../network/guard.ts";
import { isLoopback } from "../../network/loopback.ts";
import { refuseByFetch } from "../../network/refusing-fetch.ts";
import type { MockServiceOptions } from "../../options/options.ts";
import { refusal } from "../../options/require.ts";
import type { MockService } from "../../service/mock-service.ts";
import { resolveService } from "../../service/resolve-service.ts";
import { answerFrom } from "../msw/answer-fetch.ts";
import { createHandlers } from "../msw/handlers.ts";
import {
  answerUnhandled,
  createUnhandledRequests,
  type OnUnhandled,
  usualBaseUrl,
} from "../msw/unhandled-requests.ts";
import { callerOf } from "./caller-of.ts";
import { createInterception } from "./interception.ts";
import { createRefusal } from "./refusals.ts";

/** Hooks of a test runner; `node:test` calls `beforeAll` `before`, and `afterAll` `after`. @inline */
export interface MockSetupHooks {
  /** Gets `listen`. */
  readonly beforeAll: (callback: () => Promise<void>) => unknown;
  /** Gets `reset`. */
  readonly afterEach: (callback: () => void) => unknown;
  /** Gets `close`. */
  readonly afterAll: (callback: () => void) => unknown;
}

/** Options of `setupMockServer` besides the service's. @inline */
export interface MockSetupSettings {
  /**
   * Treatment of a request to another origin than the service's that nothing handles. One to the
   * service's own is always refused, and fails the test.
   * @default "error"
   */
  readonly onUnhandled?: OnUnhandled;
  /**
   * Hooks to register `listen`, `reset` and `close` with; `false` for none.
   * @default the globals of these names, or Mocha's, where the runner has all three
   */
  readonly hooks?: MockSetupHooks | false;
  /**
   * Handlers of your own for MSW, such as those of other services. They come before the mock's.
   * @default none
   */
  readonly handlers?: readonly RequestHandler[];
}

/** Options of the service, or a service that is there already. */
export type MockSetupOptions = MockSetupSettings &
  ((MockServiceOptions & { readonly service?: never }) | { readonly service: MockService });

/** The mock service behind every HTTP request of this process. Its methods need no `this`. */
export interface MockSetup {
  /** The service that answers, to steer and to look at. */
  readonly service: MockService;
  /** MSW's server, for `server.use`. */
  readonly server: SetupServer;
  /**
   * Before all tests: from here on the mock answers the requests to the service. Before, they are
   * refused.
   *
   * @throws Error when MSW cannot intercept requests here, as in Bun and Deno; it says what to do
   */
  readonly listen: () => Promise<void>;
  /**
   * After each test: makes service and handlers as new.
   *
   * @throws Error that lists the requests that nothing has handled: they fail the test
   */
  readonly reset: () => void;
  /**
   * After all tests: ends the interception. From here on requests to the service are refused until
   * the process ends, except to loopback. @throws Error as `reset`
   */
  readonly close: () => void;
  /**
   * Lets requests after `close` go where they went before the mock, as to the real service. It
   * holds for good, also after a later `listen` and `close`. It lifts neither `refuseNetwork` nor
   * the refusal before `listen`.
   */
  readonly allowNetwork: () => void;
}

/** Names of the three hooks: those of Jest and of vitest with `globals`, then Mocha's. */
const hookNames = [
  { beforeAll: "beforeAll", afterEach: "afterEach", afterAll: "afterAll" },
  { beforeAll: "before", afterEach: "afterEach", afterAll: "after" },
  { beforeAll: "suiteSetup", afterEach: "teardown", afterAll: "suiteTeardown" },
] as const;

const findGlobalHooks = (): MockSetupHooks | undefined => {
  const globals = globalThis as Readonly<Record<string, unknown>>;
  const names = hookNames.find((row) => Object.values(row).every((name) => name in globals));
  if (names === undefined) return undefined;
  const hooks = Object.entries(names).map(([hook, name]) => [hook, globals[name]]);
  return Object.fromEntries(hooks);
};

type State = "waits" | "listens" | "closed";

/** Mocks that wait or listen, in the order of their last `listen`. */
const openMocks = new Set<SharedMock>();

type SharedMock = ReturnType<typeof createSharedMock>;

/**
 * Makes a mock, which several test files may use: in Mocha and Jasmine the hooks of all files run
 * around all tests of the process.
 *
 * @param place - Where the mock was made, as " of ads.test.ts:7"
 */
const createSharedMock = (
  options: MockSetupOptions,
  service: MockService,
  handlers: readonly RequestHandler[],
  place: string,
) => {
  const users = new Set<object>();
  let state: State = "waits";
  let isNetworkAllowed = false;
  let stopRefusingFetch: (() => void) | undefined;

  const guarded: GuardedMock = {
    // A server on this machine costs nothing: tests that come after the mock may have one.
    isFor: (url) =>
      unhandled.isForService(url) && !(state === "closed" && isLoopback(new URL(url).hostname)),
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
  const last = unhandled.createLastHandlerForAll();
  const server = setupServer(...handlers, ...createHandlers(service), last);
  const interception = createInterception(server, {
    isOurs: (url) => unhandled.isForService(url) || isForOther(url),
    answer: async (request) =>
      (await answerFrom(server.listHandlers(), request)) ??
      answerUnhandled(unhandled.meet(request.method, request.url)),
    unhandled,
  });

  /** @throws Error when a newer mock gets this one's requests */
  const checkTurn = (): void => {
    const url = service.baseUrl ?? usualBaseUrl;
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
    stopRefusingFetch?.();
    stopRefusingFetch = undefined;
    unguardMock(guarded);
  };

  const refuseFromNowOn = (): void => {
    if (!isNodeShared()) return;
    // The next file's requests pass the same channels: refuse only what this file's `fetch` sends.
    unguardMock(guarded);
    if (globalThis.fetch === undefined) return;
    const { undo } = refuseByFetch((url) =>
      url !== undefined && guarded.isFor(url.href) ? guarded.refusalOf(url) : undefined,
    );
    stopRefusingFetch = () => void undo();
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
      stopRefusingFetch?.();
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
      // MSW's servers share one source, which the end of one ends for all of them.
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
  // Until it listens, requests to the service are refused.
  guardMock(guarded);
  openMocks.add(shared);
  return shared;
};

const isSame = (one: unknown, other: unknown): boolean => {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || !one || !other) return false;
  const names = Object.keys({ ...one, ...other });
  return (
    Object.getPrototypeOf(one) === Object.getPrototypeOf(other) &&
    names.every((name) => isSame(one[name as never], other[name as never]))
  );
};

/**
 * Finds an open mock of the same options, hooks aside. A place that makes one again after it has
 * listened gets a new one: Vite has loaded its file anew.
 */
const findTwin = (options: MockSetupOptions, place: string): SharedMock | undefined =>
  [...openMocks].findLast(
    (mock) =>
      !(mock.hasListened && mock.place === place) &&
      isSame({ ...mock.options, hooks: undefined }, { ...options, hooks: undefined }),
  );

/**
 * Puts the mock service behind `fetch`, `node:http` and `XMLHttpRequest` for a test file, and
 * fails the tests that call anything else.
 *
 * @throws TypeError when an option makes no sense; the message names it
 * @example
 * ```ts
 * const mock = setupMockServer({ baseUrl: "https://ads.test" });
 * beforeAll(mock.listen);
 * afterEach(mock.reset);
 * afterAll(mock.close);
 * ```
 */
export const setupMockServer = (options: MockSetupOptions = {}): MockSetup => {
  const {
    onUnhandled,
    hooks = findGlobalHooks(),
    service: given,
    handlers = [],
    ...rest
  } = options;
  const service = resolveService(given, rest, ["onUnhandled", "hooks", "handlers"]);
  if (!Array.isArray(handlers) || handlers.some((one) => typeof one?.run !== "function")) {
    throw refusal("handlers", "a list of MSW's handlers");
  }
  const place = callerOf();
  const shared = findTwin(options, place) ?? createSharedMock(options, service, handlers, place);
  const user = {};
  const mock: MockSetup = {
    service: shared.service,
    server: shared.server,
    listen: () => {
      shared.listen(user);
      return Promise.resolve();
    },
    reset: shared.reset,
    close: () => shared.close(user),
    allowNetwork: shared.allowNetwork,
  };
  if (hooks) {
    hooks.beforeAll(mock.listen);
    hooks.afterEach(mock.reset);
    hooks.afterAll(mock.close);
  }
  return mock;
};
