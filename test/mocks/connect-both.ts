import { type ConnectedAccount, type ConnectedMock, connectMock } from "../../mocks/connect.ts";
import { createAdmin } from "../../mocks/faces/server/admin/admin.ts";
import { createManualClock, createMockService, type MockService } from "../../mocks/index.ts";
import { origin } from "./admin-ask.ts";
import { type Ask, createAsk } from "./ask.ts";

/** Connects to the admin of a service, without a network. */
export const connectTo = (service: MockService): ConnectedMock => {
  const admin = createAdmin(service);
  return connectMock(origin, { fetch: async (url, init) => admin.fetch(new Request(url, init)) });
};

type SharedAccount = Omit<ConnectedAccount, "remove" | typeof Symbol.asyncDispose>;

/** The names that a service and a connected mock both have. */
export interface Shared
  extends Omit<ConnectedMock, "url" | "ready" | "account" | "accounts" | "openAccount"> {
  readonly account: (key: string) => SharedAccount;
}

const parts = ["clock", "jobs", "faults", "journal"];

/** Shows a service as `connectMock` does: every value and every method by a promise. */
const byPromises = (part: object): unknown =>
  new Proxy(part, {
    get: (_, name) => {
      if (parts.includes(String(name))) return byPromises(Reflect.get(part, name));
      if (name === "account") return (key: string) => byPromises(Reflect.get(part, name)(key));
      return async (...given: unknown[]) => {
        const value = Reflect.get(part, name);
        return typeof value === "function" ? value(...given) : value;
      };
    },
  });

/** One of two services that live the same life, one steered directly and one over HTTP. */
export interface Side {
  readonly mock: Shared;
  readonly account: SharedAccount;
  /** Asks the service, with "test-key". */
  readonly ask: Ask;
}

const createSide = (show: (service: MockService) => Shared): Side => {
  const accounts = { "test-key": {}, "test-other": {} };
  const service = createMockService({ accounts, clock: createManualClock() });
  const mock = show(service);
  return { mock, account: mock.account("test-key"), ask: createAsk(service) };
};

/** Does the same with a service and with a connected mock, and gives both results or errors. */
export const doWithBoth = async (
  work: (side: Side) => Promise<unknown>,
): Promise<[direct: unknown, connected: unknown]> => {
  const [direct, connected] = await Promise.all(
    [(service: MockService) => byPromises(service) as Shared, connectTo].map(async (show) => {
      try {
        return await work(createSide(show));
      } catch (error) {
        return error;
      }
    }),
  );
  return [direct, connected];
};
