/** A mock server, steered over HTTP: each method is a call of a route. */
import type { JobView } from "../../domain/job-view.ts";
import type { JournalEntry } from "../../journal/entry.ts";
import type { JournalFilter } from "../../journal/filter.ts";
import { refusal, requireKnown } from "../../options/require.ts";
import type { FoundJobs, JobSearch } from "../../outcomes/job-search.ts";
import { assertCharges } from "../../service/charges.ts";
import type {
  ConnectedAccount,
  ConnectedAccountJobs,
  ConnectedClock,
  ConnectedFaults,
  ConnectedJobs,
  ConnectedJournal,
  ConnectedMock,
} from "./connected-mock.ts";
import { type Connection, type ConnectOptions, createConnection } from "./connection.ts";

/** Makes the face of a clock: the server's, or that of one account. */
const connectClock = ({ ask, tell }: Connection, key?: string): ConnectedClock => {
  const [read, move] =
    key === undefined
      ? (["readClock", "moveClock"] as const)
      : (["readAccountClock", "moveAccountClock"] as const);
  return {
    now: async () => (await ask(read, { key })).now,
    advance: (ms) => tell(move, { key, advanceMs: ms }),
    setTime: (ms) => tell(move, { key, time: ms }),
  };
};

/** Numbers of a plan that may have no end. JSON has `null` for them. */
const endless = ["times", "remaining", "takesMs"];

/** Reads a planned fault or outcome, whose numbers without an end are `null` in JSON. */
const readPlanned = <Planned extends object>(planned: Planned): Planned => {
  const fields = Object.entries(planned).map(([name, value]) => [
    name,
    value === null && endless.includes(name) ? Number.POSITIVE_INFINITY : value,
  ]);
  return Object.fromEntries(fields);
};

/** Makes the face of the faults: of all accounts, or of one. */
const connectFaults = (
  { ask, askForOne, tell }: Connection,
  account?: string,
): ConnectedFaults => ({
  planned: async () => (await ask("listFaults", { account })).faults.map(readPlanned),
  play: async (fault, options = {}) => {
    const only = options.account ?? account;
    if (account !== undefined && only !== account) {
      throw refusal("fault options.account", `left out or "${account}"; it is "${only}"`);
    }
    return readPlanned(await ask("playFault", { ...options, account: only, fault }));
  },
  remove: async (id) => (await askForOne("removeFault", { id, account })) !== undefined,
  clear: () => tell("clearFaults", { account }),
  assertPlayed: () => tell("assertFaults", { account }),
});

/** Makes the face of the outcomes that wait: of all accounts, or of one. */
const connectOutcomes = ({ ask, askForOne, tell }: Connection, account?: string) => ({
  next: async (outcome: object, options?: object) =>
    readPlanned(await ask("planJobs", { account, ...outcome, ...options })),
  planned: async () => (await ask("listOutcomes", { account })).outcomes.map(readPlanned),
  removePlanned: async (id: string) =>
    (await askForOne("removeOutcome", { id, account })) !== undefined,
  clearPlanned: () => tell("clearOutcomes", { account }),
  assertTaken: () => tell("assertOutcomes", { account }),
});

/** Limit that no list reaches. */
const everything = Number.MAX_SAFE_INTEGER;

/** Searches for jobs. A query writes several names with commas between them. */
const search = async (
  { ask }: Connection,
  { status, ...rest }: JobSearch = {},
): Promise<FoundJobs> => {
  if (Array.isArray(status) && status.length === 0) {
    // A query cannot say "in no state"; the counts are of all states in any case.
    return { ...(await ask("listJobs", { ...rest, limit: 0 })), total: 0, jobs: [] };
  }
  return ask("listJobs", { ...rest, status: status && [status].flat().join() });
};

/** Makes the face of the jobs of all accounts. */
const connectJobs = (connection: Connection): ConnectedJobs => {
  const { askForOne, tell } = connection;
  const inspect: ConnectedJobs["inspect"] = async (id) => {
    const shown = await askForOne("showJob", { id });
    if (shown === undefined) return undefined;
    // The numbers of its entries: `journal.find` finds them, too.
    const { requests: _, ...detail } = shown;
    return detail;
  };
  return {
    ...connectOutcomes(connection),
    complete: (id, result) => tell("completeJob", { id, result }),
    fail: (id, reason) => tell("failJob", { id, reason }),
    expire: (id) => tell("expireJob", { id }),
    inspect,
    find: async (id) => (await inspect(id))?.job,
    search: (choice) => search(connection, choice),
    all: async () => (await search(connection, { limit: everything })).jobs,
  };
};

/** Makes the face of one account's jobs. */
const connectAccountJobs = (connection: Connection, account: string): ConnectedAccountJobs => {
  const latest = async (limit: number): Promise<readonly JobView[]> => {
    const most = Math.min(Math.max(0, limit), everything);
    const { jobs } = await search(connection, { account, limit: most });
    return jobs.map(({ account: _, ...job }) => job);
  };
  return {
    ...connectOutcomes(connection, account),
    all: () => latest(everything),
    latest,
    count: async () => (await search(connection, { account, limit: 0 })).total,
  };
};

/** Writes a filter for JSON, which has no patterns. */
const writeFilter = ({ path, ...filter }: JournalFilter): object => {
  if (!(path instanceof RegExp)) return { ...filter, path };
  if (path.flags !== "") {
    throw refusal("journal filter.path", `text or a pattern without flags; it is ${path}`);
  }
  return { ...filter, pathPattern: path.source };
};

/** Reads an entry. Its time is no part of a comparison, as in the service's own journal. */
const readEntry = ({ tookMs, ...entry }: JournalEntry): JournalEntry =>
  Object.defineProperty(entry, "tookMs", { value: tookMs }) as JournalEntry;

/** Makes the face of the journal: of all accounts, or of one. */
const connectJournal = ({ ask, tell }: Connection, account?: string): ConnectedJournal => {
  const find = async (filter: JournalFilter = {}, limit = everything) => {
    const found = await ask("findRequests", { account, filter: writeFilter(filter), limit });
    return { ...found, entries: found.entries.map(readEntry) };
  };
  const assertCount = async (count: number, filter: JournalFilter = {}) => {
    const asked = { account, count, filter: writeFilter(filter) };
    return (await ask("assertRequests", asked)).entries.map(readEntry);
  };
  return {
    entries: async () => (await find()).entries,
    count: async () => (await find({}, 0)).total,
    forgotten: async () => (await find({}, 0)).forgotten,
    countForgotten: async (filter) => (await find(filter, 0)).forgotten,
    latest: async (limit) => (limit > 0 ? (await find({}, limit)).entries : []),
    find: async (filter) => (await find(filter)).entries,
    assertOne: async (filter) => (await assertCount(1, filter))[0] as JournalEntry,
    assertCount,
    assertNone: async (filter) => void (await assertCount(0, filter)),
    clear: () => tell("clearJournal", { account }),
  };
};

/** Both pots, because the server wants at least one of them. */
const noCredits = { monthly: 0, purchased: 0 };

/** Makes the face of one account. */
const connectAccount = (connection: Connection, key: string): ConnectedAccount => {
  const { ask, askForOne, tell } = connection;
  const show = () => ask("showAccount", { key });
  const remove = async () => (await askForOne("removeAccount", { key })) !== undefined;
  return {
    key,
    clock: connectClock(connection, key),
    jobs: connectAccountJobs(connection, key),
    faults: connectFaults(connection, key),
    journal: connectJournal(connection, key),
    credits: async () => (await show()).credits,
    ledger: async () => (await show()).ledger,
    charges: async () => (await show()).charges,
    brands: async () => (await show()).brands,
    savedAds: async () => (await show()).savedAds,
    counts: async () => (await show()).counts,
    assertCharges: async (expected) => assertCharges((await show()).charges, expected),
    grant: (credit, pots) => tell("grantCredits", { key, ...noCredits, ...pots, credit }),
    setCredits: (credit, pots) => tell("setCredits", { key, ...noCredits, ...pots, credit }),
    reset: () => tell("resetAccount", { key }),
    remove,
    [Symbol.asyncDispose]: async () => void (await remove()),
  };
};

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
    ready: async (options = {}) => {
      requireKnown("options of ready", ["timeoutMs"], options);
      await connection.ready(options.timeoutMs ?? 10_000);
    },
    accounts: async () => {
      const { accounts } = await ask("listAccounts");
      return accounts.map(({ key }) => account(key));
    },
    account,
    openAccount: async ({ key = makeKey(), ...options } = {}) => {
      await ask("openAccount", { ...options, key });
      return account(key);
    },
    removeAccount: (key) => account(key).remove(),
    clock: connectClock(connection),
    jobs: connectJobs(connection),
    faults: connectFaults(connection),
    journal: connectJournal(connection),
    snapshot: (options) => ask("takeSnapshot", { ...options }),
    restore: (snapshot) => tell("restoreSnapshot", { ...snapshot }),
    reset: () => tell("reset"),
  };
};
