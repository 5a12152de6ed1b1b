import { keyOf } from "../../http/authorization.ts";
import { hash } from "../../seeded/ids.ts";
import type { MockService } from "../../service/mock-service.ts";
import type { UnhandledRequests } from "../msw/unhandled-requests.ts";

/** One test's own service, among others that run at the same time. */
export interface Tenant<Handler> {
  readonly service: MockService;
  /** The test's own handlers, asked first. */
  readonly before: Handler[];
  readonly handlers: readonly Handler[];
  /** For keys that are nobody's. */
  readonly strangers: readonly Handler[];
  readonly unhandled: UnhandledRequests;
}

/** The services of the tests that are running, told apart by API key. */
export interface Tenants<Handler> {
  /** A key like no other's, that says which test it is: the same in every run. */
  makeKey(prefix: string, testName: string): string;
  /** @throws Error when there is one with this key already */
  open(key: string, tenant: Tenant<Handler>): void;
  close(key: string): void;
  /** Whose handlers are to answer. */
  handlersFor(request: Request): Handler[];
  /** Gives the error that a request is to fail with; the tests that may have sent it fail, too. */
  meetUnhandled(request: Request): Error | undefined;
}

const slug = (testName: string): string =>
  testName
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(-40);

/** `nobody` is told what is sent while no test runs. */
export const createTenants = <Handler>(nobody: UnhandledRequests): Tenants<Handler> => {
  const tenants = new Map<string, Tenant<Handler>>();

  const ownerOf = (request: Request): Tenant<Handler> | undefined => {
    const key = keyOf(request.headers.get("authorization"));
    if (key === undefined) return undefined;
    const hasAccount = ({ service }: Tenant<Handler>): boolean =>
      service.accounts.some((account) => account.key === key);
    return tenants.get(key) ?? [...tenants.values()].find(hasAccount);
  };

  return {
    makeKey: (prefix, testName) => {
      const key = `${prefix}${slug(testName)}-${hash(testName).toString(36)}`;
      let unused = key;
      for (let count = 2; tenants.has(unused); count += 1) unused = `${key}-${count}`;
      return unused;
    },
    open: (key, tenant) => {
      if (tenants.has(key)) {
        throw new Error(
          "Two tests with the same API key run at the same time, and could not be told apart. " +
            "Leave apiKey out of mockFixtures, or do not run them concurrently.",
        );
      }
      tenants.set(key, tenant);
    },
    close: (key) => void tenants.delete(key),
    handlersFor: (request) => {
      const owner = ownerOf(request);
      if (owner !== undefined) return [...owner.before, ...owner.handlers];
      const all = [...tenants.values()];
      return [...all.flatMap(({ before }) => before), ...(all[0]?.strangers ?? [])];
    },
    meetUnhandled: (request) => {
      const owner = ownerOf(request);
      const running = owner ? [owner] : [...tenants.values()];
      const told = running.length > 0 ? running.map(({ unhandled }) => unhandled) : [nobody];
      const errors = told.map(({ meet }) => meet(request.method, request.url));
      return errors.find((error) => error !== undefined);
    },
  };
};
