import { type AdGenClient, createClient } from "adgen-sdk";
import type { RequestHandler } from "msw";
import { setupServer } from "msw/node";
import type { MockAccountOptions, MockServiceOptions } from "../../options/options.ts";
import { requireKnown } from "../../options/require.ts";
import { serviceOptionNames } from "../../options/resolve-options.ts";
import type { MockAccount } from "../../service/account.ts";
import { createMockService } from "../../service/create-mock-service.ts";
import type { MockService } from "../../service/mock-service.ts";
import { createHandlers } from "../msw/handlers.ts";
import { getResponse, http } from "../msw/installed-msw.ts";
import {
  answerUnhandled,
  createUnhandledRequests,
  type OnUnhandled,
  usualBaseUrl,
} from "../msw/unhandled-requests.ts";
import { createInterception, probeHandler } from "./interception.ts";
import { createRunningTests } from "./running-tests.ts";

/** A fixture for vitest's `test.extend`. @inline */
export type MockFixture<Value> = (
  context: object,
  use: (value: Value) => Promise<void>,
) => Promise<void>;

/** The fixture `mock` of a test. */
export interface MockTest {
  /** The test's own service, to steer and to look at. */
  readonly service: MockService;
  /** The test's own key. Requests of application code get here when they send it. */
  readonly apiKey: string;
  /**
   * Base URL of the client: your `baseUrl`, or else "https://ads.test". Without `baseUrl` the
   * service answers at any origin.
   */
  readonly baseUrl: string;
  /** Adds handlers for this test alone, asked before the service. */
  readonly use: (...handlers: readonly RequestHandler[]) => void;
}

/** The fixtures of `mockFixtures`. */
export interface MockFixtures<Client> {
  /** All other fixtures in one, and `use` for handlers in front of the service. */
  readonly mock: MockFixture<MockTest>;
  /** The test's own service. */
  readonly service: MockFixture<MockService>;
  /** The key of the test's account. */
  readonly apiKey: MockFixture<string>;
  /** The test's account. */
  readonly account: MockFixture<MockAccount>;
  /** A client of that account. */
  readonly client: MockFixture<Client>;
}

/** The parts of vitest's context that the fixtures read. */
interface MockTestContext {
  readonly task: {
    readonly name: string;
    readonly fullTestName?: string;
    readonly result?: { readonly state?: string };
  };
  readonly mockServer: unknown;
}

/** Address of a test's service, for making a client. @inline */
export interface MockReach {
  /** Its base URL. */
  readonly baseUrl: string;
  /** The test's own key. */
  readonly apiKey: string;
}

/**
 * Options of `mockFixtures`: those of each test's service, and more. All services share a `clock`
 * from here; `service.clock` is each test's own.
 */
export interface MockFixtureOptions<Client> extends Omit<MockServiceOptions, "accounts"> {
  /** Starting credits of each test's account. */
  readonly account?: MockAccountOptions;
  /**
   * API key of every test, for application code that reads its own. Such tests cannot run
   * concurrently. @default a key for each test, made from its name
   */
  readonly apiKey?: string;
  /** Makes each test's client. @default `createClient` of `adgen-sdk` */
  readonly createClient?: (reach: MockReach) => Client;
  /**
   * Treatment of requests that nothing handles, as for `setupMockServer`. Between tests, and for
   * WebSockets, that of the first `mockFixtures` of the process decides.
   * @default "error"
   */
  readonly onUnhandled?: OnUnhandled;
}

type Use<Value> = (value: Value) => Promise<void>;

const createSharedServer = (onUnhandled: OnUnhandled | undefined) => {
  const betweenTests = createUnhandledRequests(undefined, onUnhandled);
  const running = createRunningTests(betweenTests);
  const answer = async (request: Request): Promise<Response> =>
    (await getResponse(running.handlersFor(request), request)) ??
    answerUnhandled(running.meetUnhandled(request));
  const all = http.all("*", ({ request }) => answer(request));
  const server = setupServer(probeHandler, all);
  const isForService = (url: string): boolean =>
    betweenTests.isForService(url) || running.isForService(url);
  const interception = createInterception(server, {
    isForService,
    isOurs: isForService,
    answer,
    baseUrl: usualBaseUrl,
    unhandled: betweenTests,
  });
  let users = 0;
  return {
    running,
    check: interception.check,
    listen: (): Promise<void> => {
      users += 1;
      return interception.start();
    },
    close: () => {
      users -= 1;
      if (users === 0) interception.stop();
      betweenTests.check();
    },
  };
};

/** Value of the fixture of a file, by which a test knows that the server listens. */
const listening = "the mock listens";

const needsVitest =
  "mockFixtures needs Vitest 3.2 or newer. This one has no fixtures for a file, so the mock does " +
  "not listen, and requests would reach the real service. Use setupMockServer: see " +
  "adgen-sdk/docs/testing/msw-and-fixtures.md.";

const wrongKey = (masked: string): string =>
  `This may be why the test failed: no account has the key ${masked} (masked), which a request had ` +
  "while this test ran. Give your code the fixture apiKey.";

/** The one server of all tests, whatever their options: MSW intercepts for one server a process. */
let sharedServer: ReturnType<typeof createSharedServer> | undefined;

/**
 * Makes fixtures for vitest's `test.extend`. Each test gets a service, an account and a client of
 * its own, in concurrent tests too. It fails when it calls anything that nothing handles.
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
): MockFixtures<Client> => {
  if ("accounts" in options) {
    throw new TypeError(
      "The mock's fixtures take no accounts: each test has an account of its own. Set what it " +
        "starts with by account; more accounts come from service.addAccount.",
    );
  }
  if ("pageKey" in options) {
    throw new TypeError(
      "The mock's fixtures take no pageKey: tests are told apart by their keys. Test a client without " +
        "a key with setupMockServer({ pageKey }).",
    );
  }
  const { account = {}, apiKey: fixedKey, onUnhandled, createClient: make, ...rest } = options;
  const own = ["account", "apiKey", "createClient", "onUnhandled"];
  const names = serviceOptionNames.filter((name) => name !== "accounts" && name !== "pageKey");
  requireKnown("options", [...own, ...names], rest);
  const createService = (accounts: MockServiceOptions["accounts"] = {}) =>
    createMockService({ ...rest, accounts });
  const strangers = createService();
  const unknownKeyHandlers = createHandlers(strangers);
  sharedServer ??= createSharedServer(onUnhandled);
  const { running, check, listen, close } = sharedServer;
  const baseUrl = rest.baseUrl ?? usualBaseUrl;
  const makeClient =
    make ?? ((reach) => createClient({ ...reach, allowBrowserKey: true }) as Client);

  // vitest reads the names in these patterns from the functions' text.
  const fixtures = {
    mockServer: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest asks for a pattern
      async ({}, use: Use<typeof listening>) => {
        await listen();
        await use(listening);
        close();
      },
      { scope: "file" },
    ],
    mock: [
      async ({ task, mockServer }: MockTestContext, use: Use<MockTest>) => {
        if (mockServer !== listening) throw new Error(needsVitest);
        const name = task.fullTestName ?? task.name;
        const apiKey = fixedKey ?? running.makeKey(rest.apiKeyPrefix ?? "test-", name);
        const service = createService({ [apiKey]: account });
        const unhandled = createUnhandledRequests(rest.baseUrl, onUnhandled);
        const handlers = createHandlers(service);
        const before: RequestHandler[] = [];
        running.open(apiKey, { service, before, handlers, unknownKeyHandlers, unhandled });
        const strangersSoFar = strangers.journal.entries.at(-1)?.number ?? 0;
        await use({ service, apiKey, baseUrl, use: (...more) => void before.unshift(...more) });
        running.close(apiKey);
        // The handlers of MSW 2 have none of their own.
        for (const handler of handlers) await handler.dispose?.();
        unhandled.check();
        check();
        const stranger = strangers.journal.entries.at(-1);
        if (task.result?.state !== "fail" || stranger?.account === undefined) return;
        if (stranger.number > strangersSoFar) throw new Error(wrongKey(stranger.account));
      },
      { auto: true },
    ],
    service: async ({ mock }: { mock: MockTest }, use: Use<MockService>) => use(mock.service),
    apiKey: async ({ mock }: { mock: MockTest }, use: Use<string>) => use(mock.apiKey),
    account: async ({ mock }: { mock: MockTest }, use: Use<MockAccount>) =>
      use(mock.service.account(mock.apiKey)),
    client: async ({ mock: { baseUrl, apiKey } }: { mock: MockTest }, use: Use<Client>) =>
      use(makeClient({ baseUrl, apiKey })),
  };
  // What vitest reads from their patterns is more than its types let fixtures say.
  return fixtures as unknown as MockFixtures<Client>;
};
