import type { RequestHandler } from "msw";
import { type SetupServer, setupServer } from "msw/node";
import { isLoopback } from "../../network/loopback.ts";
import type { MockServiceOptions } from "../../options/options.ts";
import { refusal } from "../../options/require.ts";
import type { MockService } from "../../service/mock-service.ts";
import { resolveService } from "../../service/resolve-service.ts";
import { answerFrom } from "../msw/front-door.ts";
import { createHandlers } from "../msw/handlers.ts";
import {
  answerUnhandled,
  createUnhandledRequests,
  type OnUnhandled,
  usualBaseUrl,
} from "../msw/unhandled-requests.ts";
import { createInterception, probeHandler } from "./interception.ts";
import { createRefusals } from "./not-listening.ts";

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
   * Before all tests: from here on no request to the service leaves the process. A request of its
   * own proves it. Until it is proved, requests wait.
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

/** Tells whether a request goes to the service of a mock. */
type Claims = (url: string) => boolean;

/** Mocks that listen, are to listen, or were closed. None may let a request to another's out. */
const mocks = new Set<Claims>();

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
  let isClosed = false;
  let isNetworkAllowed = false;
  const claims: Claims = (url) =>
    unhandled.isForService(url) && !(isClosed && isLoopback(new URL(url).hostname));
  const isForMock: Claims = (url) => [...mocks].some((mock) => mock !== claims && mock(url));
  const { baseUrl } = service;
  const unhandled = createUnhandledRequests(baseUrl, onUnhandled, undefined, isForMock);
  const last = unhandled.createLastHandlerForAll();
  const server = setupServer(...handlers, ...createHandlers(service), probeHandler, last);
  const interception = createInterception(server, {
    isForService: unhandled.isForService,
    isOurs: (url) => unhandled.isForService(url) || isForMock(url),
    answer: async (request) =>
      (await answerFrom(server.listHandlers(), request)) ??
      answerUnhandled(unhandled.meet(request.method, request.url)),
    baseUrl: baseUrl ?? usualBaseUrl,
    unhandled,
  });
  const refusals = createRefusals(unhandled, interception.hasEnded);
  if (hooks) refusals.standBy();
  else {
    // Nothing calls `listen` by itself: until the caller does, requests to the service are refused.
    mocks.add(claims);
    refusals.refuseBeforeListen();
  }

  const letOut = (): void => {
    refusals.end();
    mocks.delete(claims);
  };

  const mock: MockSetup = {
    service,
    server,
    listen: () => {
      mocks.add(claims);
      isClosed = false;
      refusals.allowAnswers();
      try {
        return interception.start();
      } catch (error) {
        refusals.refuseBeforeListen();
        throw error;
      }
    },
    reset: () => {
      server.resetHandlers();
      service.reset();
      unhandled.check();
      interception.check();
    },
    close: () => {
      interception.stop();
      isClosed = true;
      if (isNetworkAllowed) letOut();
      else refusals.refuseAfterClose();
      unhandled.check();
    },
    allowNetwork: () => {
      isNetworkAllowed = true;
      if (isClosed) letOut();
    },
  };
  if (hooks) {
    hooks.beforeAll(mock.listen);
    hooks.afterEach(mock.reset);
    hooks.afterAll(mock.close);
  }
  return mock;
};
