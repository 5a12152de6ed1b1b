import type {
  Fixtures,
  PlaywrightTestArgs,
  PlaywrightTestOptions,
  PlaywrightWorkerArgs,
  PlaywrightWorkerOptions,
} from "@playwright/test";
import type { MockAccountOptions } from "../../options/options.ts";
import type { ConnectedAccount, ConnectedMock } from "../remote/connected-mock.ts";

/** A server that runs, such as the one of `startMockServer`. @inline */
export interface StartedServer {
  /** Its base URL. */
  readonly url: string;
  /** Stops it. */
  close(): Promise<void>;
}

/** Options of `playwrightFixtures` for Playwright: `url` or `start`, and the way of the app's requests. */
export interface PlaywrightMockOptions {
  /** URL of a server that runs, such as one that Playwright's `webServer` starts. */
  readonly url?: string;
  /** Function that starts a server for each worker, such as `startMockServer`. */
  readonly start?: () => Promise<StartedServer>;
  /**
   * Start of the URLs by which the app's pages call the service, without "/v1". It is the service's
   * own base URL, or the path of a proxy such as "/api/ads". Requests of a test's pages go to the
   * mock instead, with the test's key. None of them reaches the service or the proxy.
   * @default no request is led
   */
  readonly api?: string;
  /**
   * Name of a cookie that gets the test's key. It is for an app whose own server calls the service,
   * and takes the key from there in tests. Needs Playwright's `baseURL`.
   * @default no cookie
   */
  readonly cookie?: string;
  /**
   * API key of every test, for an app whose server has a key of its own. Such tests must not run at
   * the same time: `workers: 1`.
   * @default a key for each test, made from its title
   */
  readonly apiKey?: string;
  /** Starting credits of each test's account. @default 100 monthly credits of each kind */
  readonly account?: MockAccountOptions;
}

/** Fixtures of each test. */
export interface PlaywrightMockTest {
  /** The API key of the test's account. */
  readonly apiKey: string;
  /** The test's own account: to steer, and to look into. It is gone after the test. */
  readonly account: ConnectedAccount;
}

/** Fixtures that the tests of a worker share. */
export interface PlaywrightMockWorker {
  /** The whole server. What a test changes here, other tests may notice. */
  readonly mock: ConnectedMock;
}

/** Fixtures of the mock, for `test.extend<PlaywrightMockTest, PlaywrightMockWorker>`. */
export type PlaywrightMockFixtures = Fixtures<
  PlaywrightMockTest,
  PlaywrightMockWorker,
  PlaywrightTestArgs & PlaywrightTestOptions,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>;
