import {
  connectAccount,
  connectClock,
  connectFaults,
  connectJobs,
  connectJournal,
} from "./connect-parts.ts";
import type { ConnectedMock } from "./connected-mock.ts";
import { type ConnectOptions, createConnection } from "./connection.ts";

/** Makes a key that no account has: random, because test runners start many processes at once. */
const makeKey = (): string => {
  const [first = 0, second = 0] = crypto.getRandomValues(new Uint32Array(2));
  return `test-${first.toString(36)}${second.toString(36)}`;
};

/**
 * Connects to a mock server in another process, to steer it as a test steers its own service. Each
 * method of the service has its namesake here, which answers by a promise.
 *
 * Nothing is sent yet. The first call makes sure that a mock server is there, so that no other
 * service ever gets a call that changes something.
 *
 * @param url - URL that `adgen-mock` prints, or the `url` of `startMockServer`
 * @throws TypeError when the URL or an option makes no sense
 * @example
 * ```ts
 * const mock = connectMock("http://127.0.0.1:4471");
 * await using account = await mock.openAccount({ credits: { image: { monthly: 3 } } });
 * await account.jobs.next({ fail: "moderation" });
 * ```
 */
export const connectMock = (url: string | URL, options: ConnectOptions = {}): ConnectedMock => {
  const connection = createConnection(url, options);
  const { ask, tell } = connection;
  const account: ConnectedMock["account"] = (key) => connectAccount(connection, key);
  return {
    url: connection.url,
    ready: ({ timeoutMs = 10_000 } = {}) => connection.ready(timeoutMs),
    accounts: async () => {
      const { accounts } = await ask("listAccounts");
      return accounts.map(({ key }) => account(key));
    },
    account,
    openAccount: async ({ key = makeKey(), credits } = {}) => {
      await ask("openAccount", { key, credits });
      return account(key);
    },
    removeAccount: (key) => account(key).remove(),
    clock: connectClock(connection),
    jobs: connectJobs(connection),
    faults: connectFaults(connection),
    journal: connectJournal(connection),
    snapshot: ({ journal } = {}) => ask("takeSnapshot", { journal }),
    restore: (snapshot) => tell("restoreSnapshot", { ...snapshot }),
    reset: () => tell("reset"),
  };
};
