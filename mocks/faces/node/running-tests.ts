import { keyOf } from "../../http/authorization.ts";
import { hash } from "../../seeded/ids.ts";
import type { MockService } from "../../service/mock-service.ts";
import type { UnhandledRequests } from "../msw/unhandled-requests.ts";

/** A running test with its own service; others may run at the same time. */
export interface RunningTest<Handler> {
  readonly service: MockService;
  /** The test's own handlers, asked before the service. */
  readonly before: Handler[];
  readonly handlers: readonly Handler[];
  /** Handlers for requests whose key belongs to no running test. */
  readonly unknownKeyHandlers: readonly Handler[];
  readonly unhandled: UnhandledRequests;
}

/** The running tests, told apart by API key. */
export interface RunningTests<Handler> {
  /** Makes a key from the test's name: unique, and the same in every run. */
  makeKey(prefix: string, testName: string): string;
  /** Adds a test. @throws Error when another running test has this key */
  open(key: string, test: RunningTest<Handler>): void;
  /** Removes a test. */
  close(key: string): void;
  /** Lists the handlers that answer a request. */
  handlersFor(request: Request): Handler[];
  /**
   * Gives the error that a request fails with; `undefined` when it may be sent. Each test that may
   * have sent it fails too.
   */
  meetUnhandled(request: Request): Error | undefined;
}

const slug = (testName: string): string =>
  testName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(-40);

/** @param betweenTests - Notes the requests that are sent while no test runs. */
export const createRunningTests = <Handler>(
  betweenTests: UnhandledRequests,
): RunningTests<Handler> => {
  const running = new Map<string, RunningTest<Handler>>();

  const senderOf = (request: Request): RunningTest<Handler> | undefined => {
    const key = keyOf(request.headers.get("authorization"));
    if (key === undefined) return undefined;
    const hasAccount = ({ service }: RunningTest<Handler>): boolean =>
      service.accounts.some((account) => account.key === key);
    return running.get(key) ?? [...running.values()].find(hasAccount);
  };

  return {
    makeKey: (prefix, testName) => {
      const key = `${prefix}${slug(testName)}-${hash(testName).toString(36)}`;
      let unused = key;
      for (let count = 2; running.has(unused); count += 1) unused = `${key}-${count}`;
      return unused;
    },
    open: (key, test) => {
      if (running.has(key)) {
        throw new Error(
          "Two tests with the same API key run at the same time, and could not be told apart. " +
            "Leave apiKey out of mockFixtures, or do not run them concurrently.",
        );
      }
      running.set(key, test);
    },
    close: (key) => void running.delete(key),
    handlersFor: (request) => {
      const sender = senderOf(request);
      if (sender !== undefined) return [...sender.before, ...sender.handlers];
      const all = [...running.values()];
      return [...all.flatMap(({ before }) => before), ...(all[0]?.unknownKeyHandlers ?? [])];
    },
    meetUnhandled: (request) => {
      const sender = senderOf(request);
      const suspects = sender ? [sender] : [...running.values()];
      const told =
        suspects.length > 0 ? suspects.map(({ unhandled }) => unhandled) : [betweenTests];
      const errors = told.map(({ meet }) => meet(request.method, request.url));
      return errors.find((error) => error !== undefined);
    },
  };
};
