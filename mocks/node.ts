/**
 * The mock service for tests that run in Node.
 *
 * @module adgen-sdk/mocks/node
 */
import { type AdGenClient, createClient } from "adgen-sdk";
import { getResponse, http, passthrough, type RequestHandler } from "msw";
import { type SetupServer, setupServer } from "msw/node";
import type { MockAccount } from "./account.ts";
import { createMockService } from "./create-mock-service.ts";
import { failingAnswer } from "./deliver-intercepted.ts";
import type {
  MockFixtureOptions,
  MockFixtures,
  MockTest,
  MockTestContext,
  Use,
} from "./fixture-options.ts";
import { resolveService } from "./given-service.ts";
import { startInterception, stopInterception } from "./interception.ts";
import type { MockService } from "./mock-service.ts";
import type { MockSetupOptions } from "./mock-setup-options.ts";
import { createHandlers } from "./msw.ts";
import type { MockServiceOptions } from "./options.ts";
import { createTenants } from "./tenants.ts";
import { globalHooks } from "./test-hooks.ts";
import { createUnhandledRequests, type OnUnhandled } from "./unhandled-requests.ts";

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

const answerUnhandled = (error: Error | undefined): Response =>
  error === undefined ? passthrough() : failingAnswer(error);

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
  let isListening = false;
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
      if (isListening) return;
      isListening = true;
      startInterception(server, unhandled);
    },
    reset: () => {
      server.resetHandlers();
      service.reset();
      unhandled.check();
    },
    close: () => {
      if (isListening) stopInterception(server);
      isListening = false;
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

type Test = MockTest<RequestHandler>;

const createSharedServer = (onUnhandled: OnUnhandled | undefined) => {
  const nobody = createUnhandledRequests(undefined, onUnhandled);
  const tenants = createTenants<RequestHandler>(nobody);
  const answer = async (request: Request): Promise<Response> =>
    (await getResponse(tenants.handlersFor(request), request)) ??
    answerUnhandled(tenants.meetUnhandled(request));
  const server = setupServer(http.all("*", ({ request }) => answer(request)));
  let users = 0;
  return {
    tenants,
    listen: () => {
      users += 1;
      if (users === 1) startInterception(server, nobody);
    },
    close: () => {
      users -= 1;
      if (users === 0) stopInterception(server);
      nobody.check();
    },
  };
};

/** MSW intercepts for one server a process: it is that of all tests, whatever their options. */
let sharedServer: ReturnType<typeof createSharedServer> | undefined;

/**
 * Fixtures for vitest's `test.extend`: each test gets a service, an account and a client of its
 * own, in concurrent tests too, and fails when it calls anything that nothing handles.
 *
 * @throws TypeError when an option makes no sense; the message names it
 * @example
 * ```ts
 * const test = base.extend(mockFixtures());
 * test("makes an ad", async ({ client, account }) => {
 *   await client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
 *   account.assertCharges([{ credit: "image", amount: 1 }]);
 * });
 * ```
 */
export const mockFixtures = <Client = AdGenClient>(
  options: MockFixtureOptions<Client> = {},
): MockFixtures<Client, RequestHandler> => {
  const { account = {}, apiKey: fixedKey, onUnhandled, createClient: make, ...rest } = options;
  const createService = (accounts: MockServiceOptions["accounts"] = {}) =>
    createMockService({ ...rest, accounts });
  const strangers = createHandlers(createService());
  sharedServer ??= createSharedServer(onUnhandled);
  const { tenants, listen, close } = sharedServer;
  const baseUrl = rest.baseUrl ?? "https://ads.test";
  const makeClient =
    make ?? ((reach) => createClient({ ...reach, allowBrowserKey: true }) as Client);

  // vitest reads the names in these patterns from the functions' text.
  const fixtures = {
    mockServer: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest asks for a pattern
      async ({}, use: Use<void>) => {
        listen();
        await use();
        close();
      },
      { scope: "file" },
    ],
    mock: [
      async ({ task, mockServer: _ }: MockTestContext, use: Use<Test>) => {
        const name = task.fullTestName ?? task.name;
        const apiKey = fixedKey ?? tenants.makeKey(rest.apiKeyPrefix ?? "test-", name);
        const service = createService({ [apiKey]: account });
        const unhandled = createUnhandledRequests(rest.baseUrl, onUnhandled);
        const handlers = createHandlers(service);
        const before: RequestHandler[] = [];
        tenants.open(apiKey, { service, before, handlers, strangers, unhandled });
        await use({ service, apiKey, baseUrl, use: (...more) => void before.unshift(...more) });
        tenants.close(apiKey);
        for (const handler of handlers) await handler.dispose();
        unhandled.check();
      },
      { auto: true },
    ],
    service: async ({ mock }: { mock: Test }, use: Use<MockService>) => use(mock.service),
    apiKey: async ({ mock }: { mock: Test }, use: Use<string>) => use(mock.apiKey),
    account: async ({ mock }: { mock: Test }, use: Use<MockAccount>) =>
      use(mock.service.account(mock.apiKey)),
    client: async ({ mock: { baseUrl, apiKey } }: { mock: Test }, use: Use<Client>) =>
      use(makeClient({ baseUrl, apiKey })),
  };
  return fixtures as unknown as MockFixtures<Client, RequestHandler>;
};
