// The two faces of one service: what a test does directly, and what another process does by HTTP.
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { ConnectedAccount, ConnectedMock } from "../../mocks/connect.ts";
import {
  createMockService,
  type MockAccount,
  type MockJournal,
  type MockService,
} from "../../mocks/index.ts";
import { createAdministered, origin } from "./admin-ask.ts";
import { connectTo, deeds, doConnected, doDirectly, refusals, submission } from "./deeds.ts";

/** Names of one face that the other one does not have, each with the reason. */
type Elsewhere<Part, Connected> = Record<Exclude<keyof Part, keyof Connected>, string>;

// A new method of the service is a type error here, until it is there or has its reason.
const ofService: Elsewhere<MockService, ConnectedMock> = {
  fetch: "requests go to the mock's URL",
  reply: "it is for faces in the service's own process",
  replyNow: "it is for faces in the service's own process",
  attach: "it is for faces in the service's own process",
  snapshotText: "it is for a file that the service's own process writes",
  artwork: "every picture has its URL",
  baseUrl: "the mock's URL is `url`",
  addAccount: "`openAccount` takes the key, or makes one",
  fork: "it would be another server; `snapshot` and `restore` carry a state from one to another",
};
const ofAccount: Elsewhere<MockAccount, ConnectedAccount> = {};
const ofPart: Elsewhere<MockJournal, ConnectedMock["journal"]> = {};

test("connectMock has everything that the service has, or a reason", () => {
  const service = createMockService();
  const mock = connectTo(service);
  const [account, face] = [service.account("test-key"), mock.account("test-key")];
  const pairs: object[][] = [
    [service, mock, ofService],
    [account, face, ofAccount],
  ];
  for (const part of ["clock", "jobs", "faults", "journal"] as const) {
    pairs.push([service[part], mock[part], ofPart], [account[part], face[part], ofPart]);
  }
  for (const [part = {}, face = {}, elsewhere = {}] of pairs) {
    const [names, elsewhereNames] = [Object.keys(part), Object.keys(elsewhere)];
    expect(names).not.toEqual([]);
    expect(names).toEqual(expect.arrayContaining(elsewhereNames));
    expect([...Object.keys(face), ...elsewhereNames]).toEqual(expect.arrayContaining(names));
  }
});

test.each(Object.entries(deeds))("both faces give the same to a test that %s", async (_, deed) => {
  const direct = await doDirectly(deed);
  if (direct instanceof Error) throw direct;
  expect(await doConnected(deed)).toEqual(direct);
});

test.each(Object.entries(refusals))("both faces refuse %s, in the same words", async (_, deed) => {
  const direct = await doDirectly(deed);
  expect(direct).toBeInstanceOf(Error);
  expect(await doConnected(deed)).toMatchObject({ message: (direct as Error).message });
});

/** Names of the commands: programs in other languages rely on them. */
const ofEach = {
  clock: ["now", "advance", "setTime"],
  faults: ["planned", "play", "playInOrder", "remove", "clear", "assertPlayed"],
  jobs: ["next", "nextInOrder", "planned", "removePlanned", "clearPlanned", "assertTaken", "all"],
  journal: [
    ...["entries", "count", "forgotten", "countForgotten", "latest", "find", "search"],
    ...["assertOne", "assertCount", "assertNone", "clear"],
  ],
};
const namesOf = (parts: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(parts).flatMap(([part, names]) => names.map((name) => `${part}.${name}`));
const commands = [
  ...["accounts", "addAccount", "removeAccount", "priceOf", "snapshot", "restore", "reset"],
  ...namesOf({ ...ofEach, jobs: [...ofEach.jobs, "find", "inspect", "search"] }),
  ...["jobs.complete", "jobs.fail", "jobs.expire"],
  ...[
    ...["credits", "ledger", "charges", "brands", "savedAds", "counts", "assertCharges"],
    ...["grant", "setCredits", "reset", "jobs.latest", "jobs.count", ...namesOf(ofEach)],
  ].map((name) => `accounts/:key/${name}`),
];

/** The admin's routes below `/__mock`, the page's apart. */
const places = [
  ...commands.map((command) => `POST /${command}`),
  ...["GET /clock", "GET /health", "GET /state", "GET /snapshot", "GET /artwork/:jobId/:file"],
  ...["GET /openapi.json", "GET /help"],
];

const key = "accounts/test-key";
const fault = { kind: "drip-body" };
const filter = { body: { name: "Acme" } };

/** Requests that the deeds do not send. */
const more: readonly [order: string, body?: unknown][] = [
  ["POST /accounts"],
  ["POST /priceOf", { request: { action: "video-a-2", duration: 10, prompt: "x" } }],
  ["POST /addAccount", { key: "test-new", options: { credits: { video: {} } } }],
  ["POST /jobs.next", { outcome: { result: null, takesMs: null }, options: { times: "Infinity" } }],
  ["POST /faults.play", { fault, options: { times: null, operation: "jobs.list" } }],
  ["POST /faults.play", { fault: { kind: "explode" } }],
  ["POST /jobs.nextInOrder", { outcomes: [{ fail: "x" }, { takesMs: null }] }],
  [`POST /${key}/faults.playInOrder`, { faults: [fault], options: { body: { name: "Acme" } } }],
  ["POST /faults.playInOrder", { faults: [fault, { kind: "html" }], options: { after: 2 } }],
  [`POST /${key}/journal.find`, { filter }],
  ["POST /journal.find", { filter: { pathPattern: "^/v1" } }],
  [`POST /${key}/journal.countForgotten`, { filter }],
  [`POST /${key}/journal.search`, { search: { limit: null, fault: false } }],
  ["POST /journal.search", { search: { limit: 3, answered: "2xx" } }],
  ...["latest", "forgotten", "countForgotten", "find", "assertOne", "assertNone"].map(
    (name): [string, object] => [
      `POST /journal.${name}`,
      name === "latest" ? { limit: null } : name === "forgotten" ? {} : { filter: { status: 202 } },
    ],
  ),
  ["POST /journal.assertNone", { filter: { status: 500 } }],
  [`POST /${key}/jobs.all`],
  [`POST /${key}/assertCharges`, { expected: [{ amount: 1 }] }],
  ["POST /jobs.all"],
  [`POST /${key}/journal.assertCount`, { count: 1, filter: { status: 202 } }],
  ...["now", "advance", "setTime"].flatMap((name): [string, object][] => {
    const fields = name === "now" ? {} : name === "advance" ? { ms: 1 } : { time: 4e12 };
    return [
      [`POST /clock.${name}`, fields],
      [`POST /${key}/clock.${name}`, name === "setTime" ? { time: 5e12 } : fields],
    ];
  }),
  ["POST /jobs.clearPlanned"],
  ["POST /faults.clear"],
  ...["faults.assertPlayed", "jobs.assertTaken", "faults.clear", "jobs.clearPlanned"].map(
    (name): [string] => [`POST /${key}/${name}`],
  ),
  ["POST /faults.assertPlayed"],
  ["POST /jobs.assertTaken"],
  [`POST /${key}/journal.clear`],
  ["POST /journal.clear"],
  ["GET /clock"],
  ["GET /health"],
  ["GET /state"],
  ["GET /snapshot?journal=false"],
  ["GET /openapi.json"],
  ["GET /help"],
  ["POST /reset"],
];

test("the admin answers by every route, and takes what the schemas of its help allow", async () => {
  const exchanges: { call: string; status: number; sent: string; text: string }[] = [];
  const watch = (send: (request: Request) => Promise<Response>) => async (request: Request) => {
    const call = `${request.method} ${new URL(request.url).pathname}`;
    const [sent, response] = [await request.clone().text(), await send(request)];
    exchanges.push({ call, sent, status: response.status, text: await response.clone().text() });
    return response;
  };
  for (const deed of Object.values({ ...deeds, ...refusals })) await doConnected(deed, watch);
  const { admin, order, ask, service } = createAdministered({ artwork: "served" });
  const { data } = await ask("POST", "/v1/jobs", submission);
  service.jobs.complete(data.job_id);
  const picture = [`GET /artwork/${data.job_id}/1.svg`] as const;
  for (const [asked, body] of [picture, ...more]) {
    const [method = "", path = ""] = asked.split(" ");
    const headers = { "content-type": "application/json" };
    const sent = body === undefined ? {} : { headers, body: JSON.stringify(body) };
    const send = watch(async (request) => admin.fetch(request));
    await send(new Request(`${origin}/__mock${path}`, { method, ...sent }));
  }

  const ajv = new Ajv2020({ strict: false });
  const { routes } = (await order("GET", "/help")).data;
  const answered = new Set<string>();
  for (const { call, status, sent, text } of exchanges) {
    const { method, path, body } = routes.find((route: { method: string; path: string }) =>
      new RegExp(`^${route.method} ${route.path.replace(/:\w+/g, "[^/]+")}$`).test(call),
    );
    if (status === 200) {
      answered.add(`${method} ${path.replace("/__mock", "")}`);
      const fits = !body || ajv.validate(body, JSON.parse(sent || "{}"));
      expect(fits, `${call} ${ajv.errorsText()}`).toBe(true);
    } else {
      expect([400, 404, 409], call).toContain(status);
      const error = expect.any(String);
      expect(JSON.parse(text), call).toEqual({ success: false, data: null, error });
    }
  }
  expect(places.filter((place) => !answered.has(place))).toEqual([]);
  expect(routes).toHaveLength(places.length);
});

test("the admin answers other methods with 405, and names those of the path", async () => {
  const { order } = createAdministered();
  const methods = new Map<string, string[]>();
  for (const place of [...places, "GET /", "GET /body"]) {
    const [method = "", path = ""] = place.replace("GET", "GET, HEAD").split(/ (?=\/)/);
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  for (const [path, allowed] of methods) {
    const { status, headers, error } = await order("PATCH", path.replaceAll(":", "a"));
    const allow = allowed.join(", ");
    expect([path, status, headers.get("allow")]).toEqual([path, 405, allow]);
    expect(error).toBe(`This path answers ${allow}`);
  }
});
