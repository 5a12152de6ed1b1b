import type { MockAccountOptions, MockServiceOptions } from "../../options/options.ts";
import type { MockAccount } from "../../service/account.ts";
import type { MockService } from "../../service/mock-service.ts";
import type { OnUnhandled } from "../msw/unhandled-requests.ts";
import type { EndedTask } from "./hints.ts";

/** A fixture for vitest's `test.extend`. */
export type MockFixture<Value> = (
  context: object,
  use: (value: Value) => Promise<void>,
) => Promise<void>;

/** The fixture `mock` of a test; `Handler` is one of MSW's. */
export interface MockTest<Handler> {
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
  readonly use: (...handlers: readonly Handler[]) => void;
}

/** The fixtures of `mockFixtures`. */
export interface MockFixtures<Client, Handler> {
  /** All other fixtures in one, and `use` for handlers in front of the service. */
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

/** The parts of vitest's context that the fixtures read. */
export interface MockTestContext {
  readonly task: { readonly name: string; readonly fullTestName?: string } & EndedTask;
  readonly mockServer: unknown;
}

/** Address of a test's service, for making a client. */
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
