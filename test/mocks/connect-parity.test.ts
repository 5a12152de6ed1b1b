// The two faces of one service: what a test does directly, and what another process does by HTTP.
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import type { ConnectedAccount, ConnectedJournal, ConnectedMock } from "../../mocks/connect.ts";
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
const ofJournal: Elsewhere<MockJournal, ConnectedJournal> = {
  search: "it makes the lists of the server's own page; `find` and `latest` are for tests",
};

test("connectMock has everything that the service has, or a reason", () => {
  const service = createMockService();
  const mock = connectTo(service);
  const [account, face] = [service.account("test-key"), mock.account("test-key")];
  const pairs: object[][] = [
    [service, mock, ofService],
    [account, face, ofAccount],
  ];
  for (const part of ["clock", "jobs", "faults", "journal"] as const) {
    const elsewhere = part === "journal" ? ofJournal : {};
    pairs.push([service[part], mock[part], elsewhere], [account[part], face[part], elsewhere]);
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

test.each(Object.entries(refusals))("both faces refuse %s", async (_, deed) => {
  expect(await doDirectly(deed)).toBeInstanceOf(Error);
  const connected = await doConnected(deed);
  expect(connected).toBeInstanceOf(Error);
  expect(String(connected)).not.toMatch(/admin failed|no mock server/);
});

/** The admin's routes below `/__mock`, the page's apart: programs in other languages rely on them. */
const places = [
  ...["GET /accounts", "POST /accounts", "GET /accounts/:key", "DELETE /accounts/:key"],
  ...["POST /accounts/:key/credits", "PUT /accounts/:key/credits", "POST /accounts/:key/reset"],
  ...["GET /accounts/:key/clock", "POST /accounts/:key/clock", "GET /clock", "POST /clock"],
  ...["GET /jobs/next", "POST /jobs/next", "DELETE /jobs/next"],
  ...["POST /jobs/next/assert", "DELETE /jobs/next/:id", "GET /jobs", "GET /jobs/:id"],
  ...["POST /jobs/:id/complete", "POST /jobs/:id/fail", "POST /jobs/:id/expire", "GET /faults"],
  ...["POST /faults", "DELETE /faults", "POST /faults/assert", "DELETE /faults/:id"],
  ...["GET /journal", "DELETE /journal", "POST /journal/find", "GET /journal/:number"],
  ...["POST /journal/assert", "GET /state", "GET /snapshot", "PUT /snapshot", "POST /reset"],
  ...["GET /artwork/:jobId/:file", "GET /openapi.json", "GET /help"],
];

/** Requests that `connectMock` does not send. */
const more: readonly [order: string, body?: unknown][] = [
  ["GET /accounts"],
  ["POST /accounts", { key: "test-new", credits: { video: {} } }],
  ["POST /clock", { time: "2126-01-01T01:00:00Z" }],
  ["POST /jobs/next", { result: null, takesMs: null, times: "Infinity" }],
  ["POST /faults", { fault: { kind: "drip-body" }, times: null, operation: "jobs.list" }],
  ["POST /faults", { fault: { kind: "explode" } }],
  ["POST /journal/find", { account: "test-key", filter: { body: { name: "Acme" } }, limit: 3 }],
  ["GET /journal?fault=status&status=503"],
  ["GET /journal/1"],
  ["GET /jobs?action=copy-ad&text=JOB&each=2&status=queued,failed&results=false"],
  ["GET /state"],
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
  const picture = [`GET /artwork/${data.job_id}/1.svg?still`] as const;
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
  expect([...answered].sort()).toEqual([...places].sort());
  expect(routes).toHaveLength(places.length);
});

test("the admin answers other methods with 405, and names those of the path", async () => {
  const { order } = createAdministered();
  const methods = new Map<string, string[]>();
  for (const place of [...places, "GET /", "GET /body"]) {
    const [method = "", path = ""] = place.replace("GET", "GET, HEAD").split(/ (?=\/)/);
    methods.set(path, [...(methods.get(path) ?? []), method]);
  }
  // "assert" could be the number of an entry, by which a GET finds nothing.
  methods.delete("/journal/assert");
  for (const [path, allowed] of methods) {
    const { status, headers, error } = await order("PATCH", path.replaceAll(":", "a"));
    const allow = allowed.join(", ");
    expect([path, status, headers.get("allow")]).toEqual([path, 405, allow]);
    expect(error).toBe(`This path answers ${allow}`);
  }
});
