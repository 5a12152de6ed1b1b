import { type SetupWorker, setupWorker } from "msw/browser";
import { createHandlers } from "../msw/handlers.ts";
import { createUnhandledRequests, type OnUnhandled } from "../msw/unhandled-requests.ts";
import type { MockServiceOptions } from "../options/options.ts";
import type { MockService } from "../service/mock-service.ts";
import { resolveService } from "../service/resolve-service.ts";
import { createPageRefusals } from "./not-started.ts";
import { requireControl } from "./require-control.ts";

/** Options of {@link setupMockWorker} besides the service's. @inline */
export interface MockWorkerSettings {
  /**
   * What to do with a request to another origin than the service's, if nothing handles it. A request
   * to the service's origin is always refused, and fails the test. Requests for the page's own files
   * are always sent.
   * @default "error"
   */
  readonly onUnhandled?: OnUnhandled;
  /** URL of MSW's worker script. @default "/mockServiceWorker.js" */
  readonly workerUrl?: string;
  /** `false` lets MSW log the requests that it answers. @default true */
  readonly quiet?: boolean;
}

/** Options of the service, or an existing service. */
export type MockWorkerOptions = MockWorkerSettings &
  ((MockServiceOptions & { readonly service?: never }) | { readonly service: MockService });

/** The mock service behind the requests of this page. Its methods don't need `this`. */
export interface MockWorker {
  /** The service that answers. Use it to control and inspect the mock. */
  readonly service: MockService;
  /** MSW's worker, for `worker.use`. */
  readonly worker: SetupWorker;
  /**
   * Registers the service worker, which then answers. Before that, the page's requests to the service
   * are refused.
   *
   * @throws Error when the worker doesn't get the page's requests
   */
  readonly start: () => Promise<void>;
  /**
   * Call this after each test. It resets the service and MSW's handlers.
   *
   * @throws Error that lists the requests that nothing handled, so that the test fails
   */
  readonly reset: () => void;
  /**
   * Call this after all tests. From then on, the page's requests to the service are refused, unless
   * `allowNetwork` was called. Other requests go where they went before.
   *
   * @throws Error in the same cases as `reset`
   */
  readonly stop: () => Promise<void>;
  /**
   * Lets the page's requests to the service out after `stop`, now or later. This can't be undone.
   * Before `start`, they stay refused.
   */
  readonly allowNetwork: () => void;
}

/** Ends the mock that answers this page, because MSW would pass each request to it and to the next mock. */
let endOtherMock: (() => Promise<void>) | undefined;

/**
 * Puts the mock service behind a page, by MSW's service worker. Run `npx msw init public --save`
 * once, so that your server serves `/mockServiceWorker.js`.
 *
 * @throws TypeError when an option is invalid; the message names it
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
  const service = resolveService(given, rest, ["onUnhandled", "workerUrl", "quiet"]);
  const pageHost = globalThis.location?.host;
  const unhandled = createUnhandledRequests(service.baseUrl, onUnhandled, pageHost);
  let isRunning = false;
  /** Number of calls of `start` and `stop`. The last call decides what the page gets. */
  let calls = 0;
  let queue: Promise<unknown> = Promise.resolve();

  /** Runs work after the work of earlier calls. */
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  };

  const refusals = createPageRefusals(unhandled);

  /** Refuses a request. The page sees only "Failed to fetch", so the console gives the reason. */
  const refuse = (error: Error): Response => {
    console.error(error.message);
    return Response.error();
  };
  const worker = setupWorker(...createHandlers(service), unhandled.createLastHandler(refuse));

  const stopWorker = worker.stop.bind(worker);
  const end = (reason: "stopped" | "replaced"): Promise<void> => {
    calls += 1;
    refusals.refuseAfterStop(reason);
    return enqueue(async () => {
      // MSW can't stop a worker that hasn't started.
      if (isRunning) await stopWorker();
      isRunning = false;
    });
  };
  const endForNext = (): Promise<void> => end("replaced");
  // MSW's own `stop` would let the page's requests out.
  worker.stop = () => end("stopped");

  const start = async (call: number): Promise<void> => {
    if (endOtherMock !== endForNext) await endOtherMock?.();
    endOtherMock = endForNext;
    if (!isRunning) {
      const serviceWorker = workerUrl === undefined ? {} : { serviceWorker: { url: workerUrl } };
      const { onUnhandledFrame } = unhandled;
      await worker.start({ onUnhandledFrame, quiet, ...serviceWorker });
      isRunning = true;
    }
    const isInControl = await requireControl();
    // Meanwhile, `start` or `stop` may have been called again.
    if (call !== calls) return;
    refusals.allowAnswers(isInControl);
  };

  return {
    service,
    worker,
    start: () => {
      calls += 1;
      const call = calls;
      refusals.refuseBeforeStart();
      return enqueue(() => start(call));
    },
    reset: () => {
      worker.resetHandlers();
      service.reset();
      unhandled.check();
    },
    stop: async () => {
      await end("stopped");
      unhandled.check();
    },
    allowNetwork: refusals.allow,
  };
};
