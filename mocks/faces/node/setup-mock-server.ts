import { http } from "msw";
import { type SetupServer, setupServer } from "msw/node";
import type { MockService } from "../../service/mock-service.ts";
import { resolveService } from "../../service/resolve-service.ts";
import { answerUnhandled } from "../msw/answer-unhandled.ts";
import { createHandlers } from "../msw/handlers.ts";
import { createUnhandledRequests } from "../msw/unhandled-requests.ts";
import { type Interception, startInterception } from "./interception.ts";
import type { MockSetupOptions } from "./mock-setup-options.ts";
import { globalHooks } from "./test-hooks.ts";

/** The mock service behind every HTTP request of this process. Its methods need no `this`. */
export interface MockSetup {
  /** What answers, to steer and to look at. */
  readonly service: MockService;
  /** MSW's, for `server.use`. */
  readonly server: SetupServer;
  /** Before all tests: from here on no request to the service leaves the process. */
  readonly listen: () => void;
  /**
   * After each test: makes service and handlers as new.
   *
   * @throws Error that lists the requests that nothing has handled: they fail the test
   */
  readonly reset: () => void;
  /** After all tests: requests go where they went before. @throws Error as `reset` */
  readonly close: () => void;
}

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
  const { onUnhandled, hooks = globalHooks(), service: given, ...rest } = options;
  const service = resolveService(given, rest);
  const unhandled = createUnhandledRequests(service.baseUrl, onUnhandled);
  let interception: Interception | undefined;
  // The last handler, and not MSW's `onUnhandledFrame` alone: that one is not asked when a
  // handler matches and gives no answer, and the request would be sent.
  const refusing = http.all(
    ({ request }) => unhandled.isForService(request.url),
    ({ request }) => answerUnhandled(unhandled.meet(request.method, request.url)),
  );
  const server = setupServer(...createHandlers(service), refusing);

  const mock: MockSetup = {
    service,
    server,
    listen: () => {
      interception ??= startInterception(server, unhandled);
    },
    reset: () => {
      server.resetHandlers();
      service.reset();
      unhandled.check();
      interception?.check();
    },
    close: () => {
      interception?.stop();
      interception = undefined;
      unhandled.check();
    },
  };
  if (hooks) {
    hooks.beforeAll(mock.listen);
    hooks.afterEach(mock.reset);
    hooks.afterAll(mock.close);
  }
  return mock;
};
