/** The deeds of a test: with a service directly, and by `connectMock` from another process. */
import { type ConnectedAccount, type ConnectedMock, connectMock } from "../../mocks/connect.ts";
import { createAdmin } from "../../mocks/faces/server/admin/admin.ts";
import { createManualClock, createMockService, type MockService } from "../../mocks/index.ts";
import { origin } from "./admin-ask.ts";
import { type Ask, createAsk } from "./ask.ts";

type Send = (request: Request) => Promise<Response>;

/** Connects to the admin of a service, without a network; `watch` may look at each exchange. */
export const connectTo = (
  service: MockService,
  watch: (send: Send) => Send = (send) => send,
): ConnectedMock => {
  const admin = createAdmin(service);
  const send = watch(async (request) => admin.fetch(request));
  return connectMock(origin, { fetch: (url, init) => send(new Request(url, init)) });
};

type SharedAccount = Omit<ConnectedAccount, "remove" | typeof Symbol.asyncDispose>;

/** The names that a service and a connected mock both have. */
interface Shared
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

/** A service as a deed steers it. */
interface Side {
  readonly mock: Shared;
  readonly account: SharedAccount;
  /** Asks the service, with "test-key". */
  readonly ask: Ask;
}

type Deed = (side: Side) => Promise<unknown>;

/** Deeds by their titles. */
type Deeds = Readonly<Record<string, Deed>>;

const oddKey = "test-a%2f?b#c";

/** Does a deed with a service of its own, and gives its result or its error. */
const doWith = async (work: Deed, show: (service: MockService) => Shared): Promise<unknown> => {
  const accounts = { "test-key": {}, "test-other": {}, [oddKey]: {} };
  const service = createMockService({ accounts, clock: createManualClock() });
  const mock = show(service);
  try {
    return await work({ mock, account: mock.account("test-key"), ask: createAsk(service) });
  } catch (error) {
    return error;
  }
};

export const doDirectly = (deed: Deed): Promise<unknown> =>
  doWith(deed, (service) => byPromises(service) as Shared);

export const doConnected = (deed: Deed, watch?: (send: Send) => Send): Promise<unknown> =>
  doWith(deed, (service) => connectTo(service, watch));

export const submission = { action: "generate-ad", prompt: "Summer sale" };

/** Message of an assertion that fails. */
const wordsOf = async (assertion: Promise<unknown>): Promise<string> => {
  const [{ reason }] = (await Promise.allSettled([assertion])) as [PromiseRejectedResult];
  return String(reason.message);
};

/** Deeds that work, and all that they read from the service. */
export const deeds: Deeds = {
  "reads and moves the clocks": async ({ mock, account }) => {
    await mock.clock.advance(1000);
    await account.clock.setTime((await account.clock.now()) + 5);
    return [await mock.clock.now(), await account.clock.now(), await mock.clock.advance(0)];
  },
  "reads and changes an account": async ({ account, ask }) => {
    await ask("POST", "/v1/brands", { name: "Lemon" });
    await ask("POST", "/v1/jobs", submission);
    await account.grant({ video: { purchased: 3 } });
    await account.setCredits({ image: { monthly: 7 } });
    await account.grant({ image: {} });
    await account.setCredits({ video: {} });
    const { credits, ledger, charges, brands, savedAds, counts } = account;
    const seen = [credits(), ledger(), charges(), brands(), savedAds(), counts()];
    return [await Promise.all(seen), await account.reset(), await account.ledger()];
  },
  "plans outcomes, and takes them back": async ({ mock, account, ask }) => {
    const options = { times: Number.POSITIVE_INFINITY, action: "edit-ad" } as const;
    const first = await mock.jobs.next({ takesMs: Number.POSITIVE_INFINITY }, options);
    const second = await account.jobs.next({ fail: "moderation" }, { times: 2 });
    const inOrder = await account.jobs.nextInOrder(
      [{ takesMs: Number.POSITIVE_INFINITY }, { result: [{ ms: null }] }],
      { after: 1, body: { prompt: "Winter" } },
    );
    const late = { kind: "latency", ms: 5 } as const;
    const faults = await mock.faults.playInOrder([late, { kind: "reset" }], { after: 7 });
    await mock.faults.clear();
    await ask("POST", "/v1/jobs", submission);
    const planned = [await mock.jobs.planned(), await account.jobs.planned()];
    // The account's face knows the outcomes of the account alone.
    const removed = [await account.jobs.removePlanned(first.id)];
    removed.push(await mock.jobs.removePlanned(first.id), await mock.jobs.removePlanned("no"));
    await account.jobs.clearPlanned();
    await mock.jobs.clearPlanned();
    await mock.jobs.assertTaken();
    return { first, second, inOrder, faults, planned, removed, left: await mock.jobs.planned() };
  },
  "looks at jobs, and ends them": async ({ mock, account, ask }) => {
    const brand_id = (await ask("POST", "/v1/brands", { name: "Zebra & Söhne" })).data.id;
    const ids: string[] = [];
    for (const more of [
      { brand_id },
      { action: "edit-ad", brand_id },
      { prompt: "سترة" },
      {},
      {},
    ]) {
      ids.push((await ask("POST", "/v1/jobs", { ...submission, ...more })).data.job_id);
    }
    const [one = "", two = "", three = "", four = ""] = ids;
    await mock.jobs.complete(one, { images: [] });
    await mock.jobs.complete(two);
    await mock.jobs.fail(three, "moderation");
    await mock.jobs.expire(four);
    const found: unknown[] = [await mock.jobs.find(one), await mock.jobs.find("job_none")];
    const inspected = [await mock.jobs.inspect(two), await mock.jobs.inspect("job_none")];
    const seen = [await account.jobs.all(), await account.jobs.latest(2)];
    // The model test finds by each of these in the service itself.
    for (const search of [
      { status: ["completed", "failed"], limit: 2 },
      { action: ["edit-ad", "copy-ad"], text: "zebra & SÖHNE" },
      { text: "سترة" },
      { account: "test-other" },
      { status: "completed", results: false, before: two },
      { results: true, limit: 2_000 },
    ] as const) {
      found.push(await mock.jobs.search(search));
    }
    return { found, inspected, seen, count: await account.jobs.count() };
  },
  "plays faults, and takes them back": async ({ mock, account, ask }) => {
    const first = await mock.faults.play({ kind: "status", status: 503 }, { times: 2 });
    const second = await account.faults.play(
      { kind: "latency", ms: { min: 1, max: 2 } },
      { times: Number.POSITIVE_INFINITY, operation: ["jobs.get", "jobs.list"] },
    );
    await ask("GET", "/v1/brands");
    const planned = [await mock.faults.planned(), await account.faults.planned()];
    const removed = [await account.faults.remove(first.id), await mock.faults.remove(first.id)];
    await mock.faults.play({ kind: "stall" });
    await account.faults.clear();
    const others = await mock.faults.planned();
    await mock.faults.clear();
    await mock.faults.assertPlayed();
    return { first, second, planned, removed, others, left: await mock.faults.planned() };
  },
  "reads the journal": async ({ mock, account, ask }) => {
    await ask("GET", "/v1/brands?x=1");
    await ask("POST", "/v1/jobs", submission);
    const { journal } = account;
    const other = mock.account("test-other").journal;
    const seen = [await mock.journal.entries(), await journal.latest(1), await journal.latest(0)];
    const operation = ["jobs.submit", "jobs.get"] as const;
    const found = [
      await journal.find({ path: /brands\?x=\d$/ }),
      await journal.find({ operation, body: { prompt: "Summer sale" } }),
      await journal.find({ number: 1, fault: false, method: "get" }),
      await journal.find({ account: "test-other" }),
      await other.entries(),
    ];
    const one = await journal.assertOne({ action: "generate-ad" });
    const two = await mock.journal.assertCount(2);
    const none = await journal.assertNone({ status: 500 });
    const forgotten = [await journal.forgotten(), await journal.countForgotten()];
    await other.clear();
    const counts = [await journal.count(), await mock.journal.count()];
    await journal.clear();
    return { seen, found, one, two, none, forgotten, counts, left: await mock.journal.count() };
  },
  "saves and restores the whole state": async ({ mock, account, ask }) => {
    await ask("POST", "/v1/jobs", submission);
    const saved = await mock.snapshot({ journal: false });
    await mock.reset();
    const between = await account.charges();
    await mock.restore(saved);
    return { saved, between, after: await account.charges() };
  },
  "removes an account, whatever its key holds": async ({ mock }) => [
    await mock.account(oddKey).credits(),
    await mock.removeAccount(oddKey),
    await mock.removeAccount(oddKey),
  ],
  "is told of what it did not expect, or waits": async ({ mock, account, ask }) => {
    const other = mock.account("test-other");
    const words = [await wordsOf(mock.journal.assertOne({ operation: "jobs.submit" }))];
    await ask("POST", "/v1/jobs", submission);
    await other.journal.assertNone();
    words.push(
      await wordsOf(account.journal.assertNone({ path: /^\/v1/, account: "test-key" })),
      await wordsOf(other.journal.assertCount(3, { body: { name: "x" } })),
      await wordsOf(account.assertCharges([{ action: "edit-ad", amount: 2 }])),
    );
    await account.faults.play({ kind: "html" }, { times: 2 });
    await account.jobs.next({ fail: "moderation" }, { action: "edit-ad" });
    await other.faults.assertPlayed();
    await other.jobs.assertTaken();
    await mock.faults.play({ kind: "reset" }, { operation: "jobs.get" });
    words.push(await wordsOf(account.faults.assertPlayed()));
    words.push(await wordsOf(mock.faults.assertPlayed()), await wordsOf(mock.jobs.assertTaken()));
    return words;
  },
};

/** Deeds that both sides refuse. */
export const refusals: Deeds = {
  "an account that is not there": ({ mock }) => mock.account("test-none").credits(),
  "the end of a job that is not there": ({ mock }) => mock.jobs.fail("job_none"),
  "to go back in time": ({ mock }) => mock.clock.setTime(0),
  "no whole amount": ({ account }) => account.grant({ image: { monthly: 0.5 } }),
  "no whole count": ({ mock }) => mock.jobs.next({ fail: "x" }, { times: Number.NaN }),
  "a time that is no number": ({ mock }) => mock.clock.advance(Number.NaN),
  "an endless time to move by": ({ mock }) => mock.clock.advance(Number.POSITIVE_INFINITY),
  "the fault of another account": ({ account }) =>
    account.faults.play({ kind: "html" }, { account: "test-other" }),
  "a snapshot that is none": ({ mock }) => mock.restore({ version: 2, at: 0 }),
  "a snapshot without a part of another name": ({ mock }) =>
    mock.snapshot({ jurnal: false } as object),
  "a search by a misspelt field": ({ mock }) => mock.jobs.search({ acount: "test-key" } as object),
  "a search for jobs of no action": ({ mock }) => mock.jobs.search({ action: [] }),
  "a search for half a job": ({ mock }) => mock.jobs.search({ limit: 0.5 }),
  "half a request": ({ mock }) => mock.journal.latest(0.5),
  "charges that are no list": ({ account }) => account.assertCharges("none" as never),
  "a fault of no kind": ({ mock }) => mock.faults.play({ kind: "html", status: 99 }),
};
