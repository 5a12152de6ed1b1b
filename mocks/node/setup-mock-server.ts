import type { RequestHandler } from "msw";
import type { SetupServer } from "msw/node";
import type { OnUnhandled } from "../msw/unhandled-requests.ts";
import type { MockServiceOptions } from "../options/options.ts";
import { optionError } from "../options/require.ts";
import type { MockService } from "../service/mock-service.ts";
import { resolveService } from "../service/resolve-service.ts";
import { createSharedMock, findTwin } from "./shared-mock.ts";

/**
 * Returns the place from which the calling function was called, as " of ads.test.ts:7"; "" if the stack
 * doesn't say it.
 */
const callerPlace = (): string => {
  const [, , , frame] = new Error().stack?.split("\n") ?? [];
  const place = frame?.match(/([^/\\(]+:\d+):\d+\)?$/)?.[1];
  return place === undefined ? "" : ` of ${place}`;
};

/** Hooks of a test runner; `node:test` calls `beforeAll` `before`, and `afterAll` `after`. @inline */
export interface MockSetupHooks {
  /** Is called with `listen`. */
  readonly beforeAll: (callback: () => Promise<void>) => unknown;
  /** Is called with `reset`. */
  readonly afterEach: (callback: () => void) => unknown;
  /** Is called with `close`. */
  readonly afterAll: (callback: () => void) => unknown;
}

/** Options of `setupMockServer` besides the service's. @inline */
export interface MockSetupSettings {
  /**
   * What to do with a request to another origin than the service's, if nothing handles it. A request
   * to the service's origin is always refused, and fails the test.
   * @default "error"
   */
  readonly onUnhandled?: OnUnhandled;
  /**
   * Hooks that `listen`, `reset` and `close` are registered with; `false` registers nothing.
   * @default the global hooks of the runner, if it has all three
   */
  readonly hooks?: MockSetupHooks | false;
  /**
   * MSW handlers of your own, for example for other services. They come before the mock's.
   * @default none
   */
  readonly handlers?: readonly RequestHandler[];
}

/** Options of the service, or an existing service. */
export type MockSetupOptions = MockSetupSettings &
  ((MockServiceOptions & { readonly service?: never }) | { readonly service: MockService });

/** The mock service behind the HTTP requests of this process. Its methods don't need `this`. */
export interface MockSetup {
  /** The service that answers. Use it to control and inspect the mock. */
  readonly service: MockService;
  /** MSW's server, for `server.use`. */
  readonly server: SetupServer;
  /**
   * Call this before all tests. From now on, the mock answers the requests to the service. Before that,
   * they are refused.
   *
   * @throws Error when MSW can't intercept every request, as in Bun and Deno; it says what to do
   */
  readonly listen: () => Promise<void>;
  /**
   * Call this after each test. It resets the service and MSW's handlers.
   *
   * @throws Error that lists the requests that nothing handled, so that the test fails
   */
  readonly reset: () => void;
  /**
   * Call this after all tests. It ends the interception. From now on until the process ends, requests
   * to the service are refused, unless it is on loopback.
   *
   * @throws Error in the same cases as `reset`
   */
  readonly close: () => void;
  /**
   * Lets requests out after `close`, for example to the real service. It stays in effect after a later
   * `listen` and `close`. It doesn't affect `refuseNetwork`, nor the refusal before `listen`.
   */
  readonly allowNetwork: () => void;
}

/** Names of the three hooks in Jest and in Vitest with `globals`, then in Mocha's two interfaces. */
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
 * Puts the mock service behind `fetch`, `node:http` and `XMLHttpRequest` for a test file. A test that
 * sends a request that nothing handles fails.
 *
 * @throws TypeError when an option is invalid; the message names it
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
