import { type SetupWorker, setupWorker } from "msw/browser";
import { createHandlers } from "../msw/handlers.ts";
import {
  createUnhandledRequests,
  type OnUnhandled,
  type UnhandledFrame,
} from "../msw/unhandled-requests.ts";
import type { MockServiceOptions } from "../options/options.ts";
import type { MockService } from "../service/mock-service.ts";
import { resolveService } from "../service/resolve-service.ts";
import { createExplainer } from "./explain-refusals.ts";
import { createPageRefusals } from "./not-started.ts";
import { requireControl } from "./require-control.ts";

/** Options of {@link setupMockWorker} besides the service's. @inline */
export interface MockWorkerSettings {
  /**
   * Treatment of a request to another origin than the service's that nothing handles. One to the
   * service's own is always refused, and fails the test. Requests for the page's own files are
   * always sent. @default "error"
   */
  readonly onUnhandled?: OnUnhandled;
  /** URL of MSW's worker script. @default "/mockServiceWorker.js" */
  readonly workerUrl?: string;
  /** `true` keeps MSW from logging the requests that it answers. @default true */
  readonly quiet?: boolean;
}

/** Options of the service, or a service that is there already. */
export type MockWorkerOptions = MockWorkerSettings &
  ((MockServiceOptions & { readonly service?: never }) | { readonly service: MockService });

/** The mock service behind every request of this page. Its methods need no `this`. */
export interface MockWorker {
  /** The service that answers, to steer and to look at. */
  readonly service: MockService;
  /** MSW's worker, for `worker.use`. */
  readonly worker: SetupWorker;
  /**
   * Registers the service worker, which then answers. Before, the page's requests to the service
   * are refused.
   *
   * @throws Error when the worker does not get the page's requests
   */
  readonly start: () => Promise<void>;
  /**
   * After each test: makes service and handlers as new.
   *
   * @throws Error that lists the requests that nothing has handled: they fail the test
   */
  readonly reset: () => void;
  /**
   * After all tests: ends the answers. From then on the page's requests to the service are
   * refused, unless `allowNetwork` was called; others go where they went before.
   *
   * @throws Error as `reset`
   */
  readonly stop: () => Promise<void>;
  /**
   * Lets the page's requests to the service out after `stop`, now or later, for good. Before
   * `start` they stay refused.
   */
  readonly allowNetwork: () => void;
}

/** Ends the mock that answers this page: MSW would hand each request to it and to the next one. */
let endOtherMock: (() => Promise<void>) | undefined;

/**
 * Puts the mock service behind a page, by MSW's service worker. Run `npx msw init public --save`
 * once, so that your server serves `/mockServiceWorker.js`.
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
  const service = resolveService(given, rest, ["onUnhandled", "workerUrl", "quiet"]);
  const pageHost = globalThis.location?.host;
  const unhandled = createUnhandledRequests(service.baseUrl, onUnhandled, pageHost);
  let isRunning = false;
  /** Counts the calls of `start` and `stop`: the last one decides what the page gets. */
  let calls = 0;
  let queue: Promise<unknown> = Promise.resolve();

  /** Does some work when the work of earlier calls is done. */
  const enqueue = (work: () => Promise<void>): Promise<void> => {
    const done = queue.then(work);
    queue = done.catch(() => {});
    return done;
  };

  const refusals = createPageRefusals(unhandled);
  const explainer = createExplainer();

  /** Refuses a request. A page sees "Failed to fetch" alone, so the console gives the reason. */
  const refuse = (error: Error, request?: Request): Response => {
    console.error(error.message);
    if (request !== undefined) explainer.note(request, error);
    return Response.error();
  };
  const onUnhandledFrame = ({ frame }: { frame: UnhandledFrame }): void => {
    try {
      unhandled.onUnhandledFrame({ frame });
    } catch (error) {
      const { request } = frame.data as { readonly request?: Request };
      const answer = refuse(error as Error, request);
      // MSW answers 500 when anything but a response is thrown.
      throw frame.protocol === "http" ? answer : error;
    }
  };
  const worker = setupWorker(...createHandlers(service), unhandled.createLastHandler(refuse));

  const stopWorker = worker.stop.bind(worker);
  const end = (reason: "stopped" | "replaced"): Promise<void> => {
    calls += 1;
    refusals.refuseAfterStop(reason);
    explainer.stop();
    return enqueue(async () => {
      // MSW cannot stop a worker that has not started, or has failed to.
      if (isRunning) await stopWorker();
      isRunning = false;
    });
  };
  const endForNext = (): Promise<void> => end("replaced");
  // Called by itself, MSW's own would let the page's requests out.
  worker.stop = () => end("stopped");

  const start = async (call: number): Promise<void> => {
    if (endOtherMock !== endForNext) await endOtherMock?.();
    endOtherMock = endForNext;
    if (!isRunning) {
      const serviceWorker = workerUrl === undefined ? {} : { serviceWorker: { url: workerUrl } };
      await worker.start({ onUnhandledFrame, quiet, ...serviceWorker });
      isRunning = true;
    }
    const isInControl = await requireControl();
    // It may have been stopped meanwhile.
    if (call !== calls) return;
    explainer.start();
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
