import type { RequestHandler } from "msw";
import { keyOf } from "../../http/read-request.ts";
import { hash, slug } from "../../seeded/ids.ts";
import type { MockService } from "../../service/mock-service.ts";
import type { UnhandledRequests } from "../msw/unhandled-requests.ts";

/** A running test with its own service; others may run at the same time. */
interface RunningTest {
  readonly service: MockService;
  /** The test's own handlers, asked before the service. */
  readonly before: RequestHandler[];
  readonly handlers: readonly RequestHandler[];
  /** Handlers for requests whose key belongs to no running test. */
  readonly unknownKeyHandlers: readonly RequestHandler[];
  readonly unhandled: UnhandledRequests;
}

/**
 * Keeps the running tests, told apart by API key.
 *
 * @param betweenTests - Notes the requests that are sent while no test runs.
 */
export const createRunningTests = (betweenTests: UnhandledRequests) => {
  const running = new Map<string, RunningTest>();

  const senderOf = (request: Request): RunningTest | undefined => {
    const key = keyOf(request.headers.get("authorization"));
    if (key === undefined) return undefined;
    const hasAccount = ({ service }: RunningTest): boolean =>
      service.accounts.some((account) => account.key === key);
    return running.get(key) ?? [...running.values()].find(hasAccount);
  };

  return {
    /** Makes a key from the test's name: unique, and the same in every run. */
    makeKey: (prefix: string, testName: string): string => {
      const key = `${prefix}${slug(testName)}-${hash(testName).toString(36)}`;
      let unused = key;
      for (let count = 2; running.has(unused); count += 1) unused = `${key}-${count}`;
      return unused;
    },
    /** Adds a test. @throws Error when another running test has this key */
    open: (key: string, test: RunningTest): void => {
      if (running.has(key)) {
        throw new Error(
          "Two tests with the same API key run at the same time, and could not be told apart. " +
            "Leave apiKey out of mockFixtures, or do not run them concurrently.",
        );
      }
      running.set(key, test);
    },
    /** Removes a test. */
    close: (key: string): void => void running.delete(key),
    /** Tells whether a request goes to the service of a running test. */
    isForService: (url: string): boolean =>
      [...running.values()].some(({ unhandled }) => unhandled.isForService(url)),
    /** Lists the handlers that answer a request. */
    handlersFor: (request: Request): RequestHandler[] => {
      const sender = senderOf(request);
      if (sender !== undefined) return [...sender.before, ...sender.handlers];
      const all = [...running.values()];
      return [...all.flatMap(({ before }) => before), ...(all[0]?.unknownKeyHandlers ?? [])];
    },
    /**
     * Gives the error that a request fails with; `undefined` when it may be sent. Each test that
     * may have sent it fails too.
     */
    meetUnhandled: (request: Request): Error | undefined => {
      const sender = senderOf(request);
      const suspects = sender ? [sender] : [...running.values()];
      const told =
        suspects.length > 0 ? suspects.map(({ unhandled }) => unhandled) : [betweenTests];
      const errors = told.map(({ meet }) => meet(request.method, request.url));
      return errors.find((error) => error !== undefined);
    },
  };
};
