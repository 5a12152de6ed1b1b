/** A mock server, steered over HTTP: each method is a command of the table. */
import { isRecord, refusal, requireKnown } from "../../options/require.ts";
import {
  type Command,
  type CommandsOf,
  fieldOf,
  ofAccount,
  ofService,
  pathOf,
} from "./commands.ts";
import type { ConnectedAccount, ConnectedMock } from "./connected-mock.ts";
import { type Connection, type ConnectOptions, createConnection } from "./connection.ts";
import { readEndless } from "./endless.ts";

/** Writes a filter for JSON, which has no patterns. */
const writeFilter = ({ path, ...filter }: Record<string, unknown>): object => {
  if (!(path instanceof RegExp)) return { ...filter, path };
  if (path.flags !== "") {
    throw refusal("journal filter.path", `text or a pattern without flags; it is ${path}`);
  }
  return { ...filter, pathPattern: path.source };
};

/** Reads a plan or a journal entry, of which comparisons leave fields out. Other things stay. */
const readOne = (thing: unknown): unknown => {
  if (!isRecord(thing)) return thing ?? undefined;
  if (!("tookMs" in thing)) return readEndless(thing);
  const { tookMs, headers, ...entry } = thing;
  return Object.defineProperties(entry, { tookMs: { value: tookMs }, headers: { value: headers } });
};

/**
 * Creates a part of the service as it is steered over HTTP.
 *
 * @param account - Key of the account whose part it is. @default all accounts
 */
const connect = <Part>(
  { call }: Connection,
  part: string,
  commands: CommandsOf<Part>,
  account?: string,
): Part => {
  const methods = Object.entries<Command>(commands).map(([name, [, ...takes]]) => [
    name,
    async (...given: unknown[]) => {
      const fields = takes.map((argument, place) => {
        const value = given[place];
        const isFilter = argument === "filter" && isRecord(value);
        return [fieldOf(argument), isFilter ? writeFilter(value) : value];
      });
      const data = await call(pathOf(part, name), Object.fromEntries(fields), account);
      return Array.isArray(data) ? data.map(readOne) : readOne(data);
    },
  ]);
  // The server runs the methods of these names, and the rows are those of the part.
  return Object.fromEntries(methods) as Part;
};

const connectAccount = (connection: Connection, key: string): ConnectedAccount => {
  const { removeAccount } = connect(connection, "", ofService[""]);
  return {
    ...connect(connection, "", ofAccount[""], key),
    key,
    clock: connect(connection, "clock", ofAccount.clock, key),
    jobs: connect(connection, "jobs", ofAccount.jobs, key),
    faults: connect(connection, "faults", ofAccount.faults, key),
    journal: connect(connection, "journal", ofAccount.journal, key),
    remove: () => removeAccount(key),
    [Symbol.asyncDispose]: async () => void (await removeAccount(key)),
  };
};

/** Creates a key that no account has: random, because test runners start many processes at once. */
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
  const { accounts, addAccount, ...service } = connect(connection, "", ofService[""]);
  const account: ConnectedMock["account"] = (key) => connectAccount(connection, key);
  return {
    ...service,
    url: connection.url,
    ready: async (options = {}) => {
      requireKnown("options of ready", ["timeoutMs"], options);
      await connection.ready(options.timeoutMs ?? 10_000);
    },
    accounts: async () => (await accounts()).map(({ key }) => account(key)),
    account,
    openAccount: async ({ key = makeKey(), ...options } = {}) => {
      await addAccount(key, options);
      return account(key);
    },
    clock: connect(connection, "clock", ofService.clock),
    jobs: connect(connection, "jobs", ofService.jobs),
    faults: connect(connection, "faults", ofService.faults),
    journal: connect(connection, "journal", ofService.journal),
  };
};
