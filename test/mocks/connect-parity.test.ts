// The two faces of one service: what a test does directly, and what another process does by HTTP.
import { describe, expect, test } from "vitest";
import type { ConnectedAccount, ConnectedJournal, ConnectedMock } from "../../mocks/connect.ts";
import {
  createMockService,
  type MockAccount,
  type MockJournal,
  type MockService,
} from "../../mocks/index.ts";
import {
  connectTo,
  type Deed,
  deeds,
  doConnected,
  doDirectly,
  failures,
  refusals,
} from "./deeds.ts";

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

/** Does the same with a service and with a connected mock. */
const doWithBoth = (deed: Deed) => Promise.all([doDirectly(deed), doConnected(deed)]);

test.each(deeds)(
  "a service and a connected mock give the same to a test that %s",
  async (...deed) => {
    const [direct, connected] = await doWithBoth(deed);
    if (direct instanceof Error) throw direct;
    expect(connected).toEqual(direct);
  },
);

test.each(failures)(
  "a service and a connected mock fail in the same words about %s",
  async (...deed) => {
    const [direct, connected] = await doWithBoth(deed);
    expect(direct).toBeInstanceOf(Error);
    expect(String(connected)).toBe(String(direct));
  },
);

test.each(refusals)("a service and a connected mock both refuse %s", async (...deed) => {
  const [direct, connected] = await doWithBoth(deed);
  expect(direct).toBeInstanceOf(Error);
  expect(connected).toBeInstanceOf(Error);
  expect(String(connected)).not.toMatch(/admin failed|no mock server/);
});
