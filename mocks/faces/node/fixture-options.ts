import type { MockAccountOptions, MockServiceOptions } from "../../options/options.ts";
import type { MockAccount } from "../../service/account.ts";
import type { MockService } from "../../service/mock-service.ts";
import type { OnUnhandled } from "../msw/unhandled-requests.ts";

/** A fixture for vitest's `test.extend`. */
export type MockFixture<Value> = (
  context: object,
  use: (value: Value) => Promise<void>,
) => Promise<void>;

/** What a test gets; `Handler` is one of MSW's. */
export interface MockTest<Handler> {
  /** The test's own service, to steer and to look at. */
  readonly service: MockService;
  /** The test's own key: what application code must send for its requests to get here. */
  readonly apiKey: string;
  /**
   * What the client calls: your `baseUrl`, or else "https://ads.test"; without `baseUrl` the
   * service answers at any origin.
   */
  readonly baseUrl: string;
  /** Handlers for this test alone, asked before the service. */
  readonly use: (...handlers: readonly Handler[]) => void;
}

/** The fixtures of `mockFixtures`. */
export interface MockFixtures<Client, Handler> {
  /** All of it together, and what puts handlers in front of the service. */
  readonly mock: MockFixture<MockTest<Handler>>;
  /** The test's own service. */
  readonly service: MockFixture<MockService>;
  /** The key of the test's account. */
  readonly apiKey: MockFixture<string>;
  /** The test's account. */
  readonly account: MockFixture<MockAccount>;
  /** A client of that account. */
  readonly client: MockFixture<Client>;
}

/** What of vitest's context is read. */
export interface MockTestContext {
  readonly task: { readonly name: string; readonly fullTestName?: string };
  readonly mockServer: unknown;
}

/** Where a test's service is, for whoever makes a client. */
export interface MockReach {
  /** Its base URL. */
  readonly baseUrl: string;
  /** The test's own key. */
  readonly apiKey: string;
}

/**
 * What `mockFixtures` takes: how each test's service behaves, and more. A `clock` is shared by
 * all of them; `service.clock` is each test's own.
 */
export interface MockFixtureOptions<Client> extends Omit<MockServiceOptions, "accounts"> {
  /** What each test's account starts with. */
  readonly account?: MockAccountOptions;
  /**
   * The API key of every test, for application code that reads its own; such tests cannot run
   * concurrently. @default a key for each test, made from its name
   */
  readonly apiKey?: string;
  /** Makes each test's client. @default `createClient` of `adgen-sdk` */
  readonly createClient?: (reach: MockReach) => Client;
  /** As for `setupMockServer`. @default "error" */
  readonly onUnhandled?: OnUnhandled;
}
