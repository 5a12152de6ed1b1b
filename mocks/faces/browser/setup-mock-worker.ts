import { http } from "msw";
import { type SetupWorker, setupWorker } from "msw/browser";
import type { MockServiceOptions } from "../../options/options.ts";
import type { MockService } from "../../service/mock-service.ts";
import { resolveService } from "../../service/resolve-service.ts";
import { createHandlers } from "../msw/handlers.ts";
import {
  createUnhandledRequests,
  type OnUnhandled,
  type UnhandledFrame,
} from "../msw/unhandled-requests.ts";

/** What {@link setupMockWorker} takes besides the service. */
export interface MockWorkerSettings {
  /**
   * What becomes of a request to another origin than the service's that nothing handles. One
   * to the service's own is always refused, and fails the test; what the page loads from its
   * own origin is always let through. @default "error"
   */
  readonly onUnhandled?: OnUnhandled;
  /** Where MSW's worker script is served. @default "/mockServiceWorker.js" */
  readonly workerUrl?: string;
  /** Whether MSW logs nothing of the requests it answers. @default true */
  readonly quiet?: boolean;
}

/** How the service behaves, or a service that is there already. */
export type MockWorkerOptions = MockWorkerSettings &
  ((MockServiceOptions & { readonly service?: never }) | { readonly service: MockService });

/** The mock service behind every request of this page. Its methods need no `this`. */
export interface MockWorker {
  /** What answers, to steer and to look at. */
  readonly service: MockService;
  /** MSW's, for `worker.use`. */
  readonly worker: SetupWorker;
  /** Registers the service worker; resolves when no request to the service leaves the page any more. */
  readonly start: () => Promise<void>;
  /**
   * After each test: makes service and handlers as new.
   *
   * @throws Error that lists the requests that nothing has handled: they fail the test
   */
  readonly reset: () => void;
  /** After all tests: requests go where they went before. @throws Error as `reset` */
  readonly stop: () => Promise<void>;
}

/**
 * Puts the mock service behind a page, by MSW's service worker: `npx msw init public` once, and
 * your server serves `/mockServiceWorker.js`.
 *
 * @throws TypeError when an option makes no sense; the message names it
 * @example
 * ```ts
 * const mock = setupMockWorker({ baseUrl: "https://ads.test" });
 * beforeAll(mock.start);
 * afterEach(mock.reset);
 * afterAll(mock.stop);
 * ```
 */
export const setupMockWorker = (options: MockWorkerOptions = {}): MockWorker => {
  const { onUnhandled, workerUrl, quiet = true, service: given, ...rest } = options;
  const service = resolveService(given, rest);
  const unhandled = createUnhandledRequests(
    service.baseUrl,
    onUnhandled,
    globalThis.location?.host,
  );
  let started: Promise<unknown> | undefined;

  /** A page sees no more than "Failed to fetch": the console says why. */
  const refuse = (error: Error): Response => {
    console.error(error.message);
    return Response.error();
  };
  const onUnhandledFrame = ({ frame }: { frame: UnhandledFrame }): void => {
    try {
      unhandled.onUnhandledFrame({ frame });
    } catch (error) {
      const answer = refuse(error as Error);
      // MSW makes an answer with status 500 of any other thing that is thrown.
      throw frame.protocol === "http" ? answer : error;
    }
  };
  // The last handler, and not `onUnhandledFrame` alone: that one is not asked when a handler
  // matches and gives no answer, and the request would be sent.
  const refusing = http.all(
    ({ request }) => unhandled.isForService(request.url),
    ({ request }) => {
      const error = unhandled.meet(request.method, request.url);
      return error && refuse(error);
    },
  );
  const worker = setupWorker(...createHandlers(service), refusing);

  return {
    service,
    worker,
    start: async () => {
      const serviceWorker = workerUrl === undefined ? {} : { serviceWorker: { url: workerUrl } };
      started ??= worker.start({ onUnhandledFrame, quiet, ...serviceWorker });
      await started;
    },
    reset: () => {
      worker.resetHandlers();
      service.reset();
      unhandled.check();
    },
    stop: async () => {
      const wasStarted = started !== undefined;
      started = undefined;
      if (wasStarted) await worker.stop();
      unhandled.check();
    },
  };
};
