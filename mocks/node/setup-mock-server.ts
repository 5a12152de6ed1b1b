import type { RequestHandler } from "msw";
import type { SetupServer } from "msw/node";
import type { OnUnhandled } from "../msw/unhandled-requests.ts";
import type { MockServiceOptions } from "../options/options.ts";
import { optionError } from "../options/require.ts";
import type { MockService } from "../service/mock-service.ts";
import { resolveService } from "../service/resolve-service.ts";
import { callerPlace } from "./caller-place.ts";
import { createSharedMock, findTwin } from "./shared-mock.ts";

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
    throw optionError("handlers", "a list of MSW's handlers");
  }
  const place = callerPlace();
  const { hooks: _, ...shareable } = options;
  const shared =
    findTwin(shareable, place) ?? createSharedMock(shareable, service, handlers, place);
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
