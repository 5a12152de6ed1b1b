// The two faces of one service: what a test does directly, and what another process does by HTTP.
import { describe, expect, test } from "vitest";
import type { ConnectedAccount, ConnectedJournal, ConnectedMock } from "../../mocks/connect.ts";
import {
  createMockService,
  type MockAccount,
  type MockJournal,
  type MockService,
} from "../../mocks/index.ts";
import { connectTo, doWithBoth, type Side } from "./connect-both.ts";

/** Names of one face that the other one does not have, each with the reason. */
type Elsewhere<Part, Connected> = Record<Exclude<keyof Part, keyof Connected>, string>;

// A new method of the service is a type error here, until it is there or has its reason.
const ofService: Elsewhere<MockService, ConnectedMock> = {
  fetch: "requests go to the mock's URL",
  reply: "it is for faces in the service's own process",
  replyNow: "it is for faces in the service's own process",
  attach: "it is for faces in the service's own process",
  moves: "it tells a face in the service's own process when to save",
  snapshotText: "it is for a file that the service's own process writes",
  artwork: "every picture has its URL",
  baseUrl: "the mock's URL is `url`",
  addAccount: "`openAccount` takes the key, or makes one",
  fork: "it would be another server; `snapshot` and `restore` carry a state from one to another",
};
const ofAccount: Elsewhere<MockAccount, ConnectedAccount> = {};
const ofJournal: Elsewhere<MockJournal, ConnectedJournal> = {
  search: "it makes the lists of the server's own page; `find` and `latest` are for tests",
};

const submission = { action: "generate-ad", prompt: "Summer sale" };

describe("connectMock has", () => {
  const service = createMockService();
  const mock = connectTo(service);
  const [account] = service.accounts;
  const connected = mock.account("test-key");

  test.each([
    ["the service", service, mock, ofService],
    ["an account", account, connected, ofAccount],
    ["the clock", service.clock, mock.clock, {}],
    ["the jobs", service.jobs, mock.jobs, {}],
    ["the faults", service.faults, mock.faults, {}],
    ["the journal", service.journal, mock.journal, ofJournal],
    ["an account's clock", account?.clock, connected.clock, {}],
    ["an account's jobs", account?.jobs, connected.jobs, {}],
    ["an account's faults", account?.faults, connected.faults, {}],
    ["an account's journal", account?.journal, connected.journal, ofJournal],
  ])("everything that %s has, or a reason", (_name, part, face, elsewhere) => {
    const names = Object.keys(part ?? {});
    expect(names).not.toEqual([]);
    const known = new Set([...Object.keys(face), ...Object.keys(elsewhere)]);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    expect(Object.keys(elsewhere).filter((name) => !names.includes(name))).toEqual([]);
  });
});

/** Deeds of a test, and all that it reads from the service. */
const deeds: readonly [title: string, work: (side: Side) => Promise<unknown>][] = [
  [
    "reads and moves the clocks",
    async ({ mock, account }) => {
      await mock.clock.advance(1000);
      await account.clock.setTime((await account.clock.now()) + 5);
      return [await mock.clock.now(), await account.clock.now(), await mock.clock.advance(0)];
    },
  ],
  [
    "reads and changes an account",
    async ({ account, ask }) => {
      await ask("POST", "/v1/brands", { name: "Lemon" });
      await ask("POST", "/v1/jobs", submission);
      await account.grant("video", { purchased: 3 });
      await account.setCredits("image", { monthly: 7 });
      await account.grant("image", {});
      await account.setCredits("video", {});
      const { credits, ledger, charges, brands, savedAds } = account;
      const seen = [credits(), ledger(), charges(), brands(), savedAds()];
      return [await Promise.all(seen), await account.reset(), await account.ledger()];
    },
  ],
  [
    "plans outcomes, and takes them back",
    async ({ mock, account, ask }) => {
      const options = { times: Number.POSITIVE_INFINITY, action: "edit-ad" } as const;
      const first = await mock.jobs.next({ takesMs: Number.POSITIVE_INFINITY }, options);
      const second = await account.jobs.next({ fail: "moderation" }, { times: 2 });
      await ask("POST", "/v1/jobs", submission);
      const planned = [await mock.jobs.planned(), await account.jobs.planned()];
      // The account's face knows the outcomes of the account alone.
      const removed = [await account.jobs.removePlanned(first.id)];
      removed.push(await mock.jobs.removePlanned(first.id), await mock.jobs.removePlanned("no"));
      await account.jobs.clearPlanned();
      await mock.jobs.clearPlanned();
      return { first, second, planned, removed, left: await mock.jobs.planned() };
    },
  ],
  [
    "looks at jobs, and ends them",
    async ({ mock, account, ask }) => {
      const ids: string[] = [];
      for (let count = 0; count < 4; count += 1) {
        ids.push((await ask("POST", "/v1/jobs", submission)).data.job_id);
      }
      const [one = "", two = "", three = "", four = ""] = ids;
      await mock.jobs.complete(one, { images: [] });
      await mock.jobs.complete(two);
      await mock.jobs.fail(three, "moderation");
      await mock.jobs.expire(four);
      const found = [await mock.jobs.find(one), await mock.jobs.find("job_none")];
      const inspected = [await mock.jobs.inspect(two), await mock.jobs.inspect("job_none")];
      const seen = [await account.jobs.all(), await account.jobs.latest(2)];
      return { found, inspected, seen, count: await account.jobs.count() };
    },
  ],
  [
    "plays faults, and takes them back",
    async ({ mock, account, ask }) => {
      const first = await mock.faults.play({ kind: "status", status: 503 }, { times: 2 });
      const second = await account.faults.play(
        { kind: "latency", ms: { min: 1, max: 2 } },
        { times: Number.POSITIVE_INFINITY, operation: ["jobs.get", "jobs.list"] },
      );
      await ask("GET", "/v1/brands");
      const planned = [await mock.faults.planned(), await account.faults.planned()];
      const removed = [await account.faults.remove(first.id), await mock.faults.remove(first.id)];
      await account.faults.clear();
      await mock.faults.clear();
      return { first, second, planned, removed, left: await mock.faults.planned() };
    },
  ],
  [
    "reads the journal",
    async ({ mock, account, ask }) => {
      await ask("GET", "/v1/brands?x=1");
      await ask("POST", "/v1/jobs", submission);
      const { journal } = account;
      const seen = [await mock.journal.entries(), await journal.latest(1), await journal.latest(0)];
      const found = [
        await journal.find({ path: /brands\?x=\d$/ }),
        await journal.find({
          operation: ["jobs.submit", "jobs.get"],
          body: { prompt: "Summer sale" },
        }),
        await journal.find({ number: 1, fault: false, method: "get" }),
        await journal.find({ account: "test-other" }),
        await mock.account("test-other").journal.entries(),
      ];
      const one = await journal.assertOne({ action: "generate-ad" });
      const two = await mock.journal.assertCount(2);
      const none = await journal.assertNone({ status: 500 });
      const counts = [
        await journal.count(),
        await journal.forgotten(),
        await journal.countForgotten(),
      ];
      await mock.account("test-other").journal.clear();
      const kept = await mock.journal.count();
      await journal.clear();
      return { seen, found, one, two, none, counts, kept, left: await mock.journal.count() };
    },
  ],
  [
    "saves and restores the whole state",
    async ({ mock, account, ask }) => {
      await ask("POST", "/v1/jobs", submission);
      const saved = await mock.snapshot({ journal: false });
      await mock.reset();
      const between = await account.charges();
      await mock.restore(saved);
      return { saved, between, after: await account.charges() };
    },
  ],
  [
    "removes an account",
    async ({ mock }) => [
      await mock.removeAccount("test-other"),
      await mock.removeAccount("test-other"),
    ],
  ],
];

describe("a service and a connected mock give the same to a test that", () => {
  test.each(deeds)("%s", async (_title, work) => {
    const [direct, connected] = await doWithBoth(work);
    if (direct instanceof Error) throw direct;
    expect(connected).toEqual(direct);
  });
});

const failures: readonly [title: string, work: (side: Side) => Promise<unknown>][] = [
  ["too few requests", ({ mock }) => mock.journal.assertOne({ operation: "jobs.submit" })],
  [
    "too many requests of an account",
    async ({ mock, account, ask }) => {
      await ask("GET", "/v1/brands");
      await mock.account("test-other").journal.assertNone();
      await account.journal.assertNone({ path: /^\/v1/, account: "test-key" });
    },
  ],
  [
    "the account that the requests did not come from",
    async ({ mock, ask }) => {
      await ask("GET", "/v1/brands");
      await mock.account("test-other").journal.assertCount(3, { body: { name: "x" } });
    },
  ],
  [
    "charges",
    async ({ account, ask }) => {
      await ask("POST", "/v1/jobs", submission);
      await account.assertCharges([{ action: "edit-ad", amount: 2 }]);
    },
  ],
  [
    "faults that were never played",
    async ({ mock }) => {
      await mock.faults.play({ kind: "reset" }, { operation: "jobs.get" });
      await mock.faults.assertPlayed();
    },
  ],
  [
    "outcomes that were never taken",
    async ({ mock, account }) => {
      await account.jobs.next({ fail: "moderation" }, { action: "edit-ad" });
      await mock.account("test-other").jobs.assertTaken();
      await mock.jobs.assertTaken();
    },
  ],
  [
    "faults of an account that were never played",
    async ({ mock, account }) => {
      await mock.faults.play({ kind: "stall" });
      await mock.account("test-other").faults.assertPlayed();
      await account.faults.play({ kind: "html" }, { times: 2 });
      await account.faults.assertPlayed();
    },
  ],
];

describe("a service and a connected mock fail in the same words about", () => {
  test.each(failures)("%s", async (_title, work) => {
    const [direct, connected] = await doWithBoth(work);
    expect(direct).toBeInstanceOf(Error);
    expect(String(connected)).toBe(String(direct));
  });
});

describe("a service and a connected mock both refuse", () => {
  test.each<[title: string, work: (side: Side) => Promise<unknown>]>([
    ["an account that is not there", ({ mock }) => mock.account("test-none").credits()],
    ["the end of a job that is not there", ({ mock }) => mock.jobs.fail("job_none")],
    ["to go back in time", ({ mock }) => mock.clock.setTime(0)],
    [
      "an amount that is no whole number",
      ({ account }) => account.grant("image", { monthly: 0.5 }),
    ],
    [
      "a count that is no number",
      ({ mock }) => mock.jobs.next({ fail: "x" }, { times: Number.NaN }),
    ],
    ["a time that is no number", ({ mock }) => mock.clock.advance(Number.NaN)],
    ["an endless time to move by", ({ mock }) => mock.clock.advance(Number.POSITIVE_INFINITY)],
    [
      "the fault of another account",
      ({ account }) => account.faults.play({ kind: "html" }, { account: "test-other" }),
    ],
    ["a snapshot that is none", ({ mock }) => mock.restore({ version: 1, at: 0 })],
  ])("%s", async (_title, work) => {
    const [direct, connected] = await doWithBoth(work);
    expect(direct).toBeInstanceOf(Error);
    expect(connected).toBeInstanceOf(Error);
    expect(String(connected)).not.toMatch(/admin failed|no mock server/);
  });
});
