// The two faces of one service: what a test does directly, and what another process does by HTTP.
import { expect, test } from "vitest";
import type { ConnectedAccount, ConnectedJournal, ConnectedMock } from "../../mocks/connect.ts";
import {
  createMockService,
  type MockAccount,
  type MockJournal,
  type MockService,
} from "../../mocks/index.ts";
import { connectTo, type Deed, deeds, doConnected, doDirectly, refusals } from "./deeds.ts";

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

test("connectMock has everything that the service has, or a reason", () => {
  const service = createMockService();
  const mock = connectTo(service);
  const pairs = (["clock", "jobs", "faults", "journal"] as const).flatMap((part) => [
    [service[part], mock[part], part === "journal" ? ofJournal : {}],
    [
      service.account("test-key")[part],
      mock.account("test-key")[part],
      part === "journal" ? ofJournal : {},
    ],
  ]);
  pairs.push([service, mock, ofService]);
  pairs.push([service.account("test-key"), mock.account("test-key"), ofAccount]);
  for (const [part = {}, face = {}, elsewhere = {}] of pairs) {
    const [names, elsewhereNames] = [Object.keys(part), Object.keys(elsewhere)];
    expect(names).not.toEqual([]);
    expect(names).toEqual(expect.arrayContaining(elsewhereNames));
    expect([...Object.keys(face), ...elsewhereNames]).toEqual(expect.arrayContaining(names));
  }
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

test.each(refusals)("a service and a connected mock both refuse %s", async (...deed) => {
  const [direct, connected] = await doWithBoth(deed);
  expect(direct).toBeInstanceOf(Error);
  expect(connected).toBeInstanceOf(Error);
  expect(String(connected)).not.toMatch(/admin failed|no mock server/);
});
