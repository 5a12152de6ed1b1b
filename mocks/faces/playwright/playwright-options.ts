import type { MockAccountOptions } from "../../options/options.ts";
import type { ConnectedAccount, ConnectedMock } from "../remote/connected-mock.ts";

/** A server that runs, such as the one of `startMockServer`. */
export interface StartedServer {
  /** Its base URL. */
  readonly url: string;
  /** Stops it. */
  close(): Promise<void>;
}

/** Options of `mockFixtures` for Playwright: `url` or `start`, and the way of the app's requests. */
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

/** Parts that the fixtures use of a stopped request. Playwright's `Route` has them. */
export interface PlaywrightRoute {
  /** The request, as the page sent it. */
  request(): {
    /** Its URL. */
    url(): string;
    /** Its headers, by lower-case name. */
    headers(): Record<string, string>;
  };
  /** Sends the request elsewhere. */
  fetch(options: {
    /** URL in place of the request's own. */
    url: string;
    /** Headers in place of the request's own. */
    headers: Record<string, string>;
    /** Count of the redirects that are followed. */
    maxRedirects: number;
    /** Milliseconds; zero for no limit. */
    timeout: number;
  }): Promise<unknown>;
  /** Answers the page. */
  fulfill(options?: {
    /** The answer that `fetch` gave. */
    response?: unknown;
  }): Promise<void>;
  /** Breaks the connection. */
  abort(errorCode: string): Promise<void>;
}

/** Parts that the fixtures use of a browser's pages. Playwright's `BrowserContext` has them. */
export interface PlaywrightContext {
  /** Adds cookies to the requests of the pages. */
  addCookies(
    cookies: {
      /** Name of the cookie. */
      name: string;
      /** Its value. */
      value: string;
      /** URL whose origin it is for. */
      url: string;
    }[],
  ): Promise<void>;
  /** Stops the requests to such URLs. */
  route(url: RegExp, handler: (route: PlaywrightRoute) => Promise<void>): Promise<unknown>;
  /** Stops no request any more. */
  unrouteAll(options: {
    /** Ends handlers that still run without an error. */
    behavior: "ignoreErrors";
  }): Promise<void>;
}

/** Parts that the fixtures use of a running test. Playwright's `TestInfo` has them. */
export interface PlaywrightTestInfo {
  /** Title of the test. */
  readonly title: string;
  /** Id of the test, the same in every run. */
  readonly testId: string;
  /** End of the test; absent while it runs. */
  readonly status?: string | undefined;
  /** The end that it should have. */
  readonly expectedStatus: string;
  /** Adds a file to the report. */
  attach(
    name: string,
    file: {
      /** Text of the file. */
      body: string;
      /** Its media type. */
      contentType: string;
    },
  ): Promise<void>;
}

/** Fixtures of the mock, for `test.extend<PlaywrightMockTest, PlaywrightMockWorker>`. */
export interface PlaywrightMockFixtures {
  /** The server of a worker. */
  readonly mock: [
    (none: Record<never, never>, use: (value: ConnectedMock) => Promise<void>) => Promise<void>,
    { scope: "worker" },
  ];
  /** The key of a test. */
  readonly apiKey: (
    none: Record<never, never>,
    use: (value: string) => Promise<void>,
    testInfo: PlaywrightTestInfo,
  ) => Promise<void>;
  /** The account of a test. */
  readonly account: (
    fixtures: PlaywrightMockTest & PlaywrightMockWorker,
    use: (value: ConnectedAccount) => Promise<void>,
    testInfo: PlaywrightTestInfo,
  ) => Promise<void>;
  /** The pages of a test, whose requests get to the mock. */
  readonly context: <Context extends PlaywrightContext>(
    fixtures: PlaywrightMockTest &
      PlaywrightMockWorker & {
        /** The pages of the test. */
        context: Context;
        /** The app's address, by Playwright's own options. */
        baseURL: string | undefined;
      },
    use: (value: Context) => Promise<void>,
  ) => Promise<void>;
}
