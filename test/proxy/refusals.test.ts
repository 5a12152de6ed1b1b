import { actions } from "adgen-sdk";
import { beforeAll, expect, test } from "vitest";
import {
  type Asked,
  failureOf,
  openProxy,
  type ProxyUnderTest,
  perDay,
} from "./proxy-under-test.ts";

let stage: ProxyUnderTest;
beforeAll(async () => {
  stage = await openProxy(perDay({ imageCredits: 5, videoSeconds: 5 }));
  await stage.submit("eve", {}, "call-1");
});

const body = { action: "generate-ad", prompt: "Sale" };
const json = JSON.stringify(body);
const post = (body: unknown, headers = {}): Asked => ({ method: "POST", body, headers });
const typed = (type: string) => post(json, { "content-type": type });
const holding = (members: string, action = "generate-ad") =>
  post(`{"action":"${action}","prompt":"Sale",${members}}`);

type Row = [
  what: string,
  asked: Asked & { readonly owner?: string },
  status: number,
  error?: string | undefined,
];

const change = { method: "PATCH", path: "/v1/brands/brand-1" };
/** Requests that are refused by their owner, their site or their path. */
const strangers: Row[] = [
  ["a submission without an owner", { owner: "", ...post(body) }, 401],
  ["a deletion without an owner", { owner: "", ...change, method: "DELETE" }, 401],
  ["a read without an owner", { owner: "" }, 401],
  ["a submission of another site", post(body, { "sec-fetch-site": "cross-site" }), 403],
  ["an unknown path", { ...post(body), path: "/v1/nothing" }, 404, "Not found"],
  ...[
    ["PUT", "/v1/jobs", "POST, GET, HEAD"],
    ["DELETE", "/v1/jobs/job-1", "GET, HEAD"],
    ["GET", "/v1/brands/brand-1", "PATCH, DELETE"],
  ].map(([method = "", path = "", allow]): Row => {
    const error = `${method} is not allowed here; allowed: ${allow}`;
    return [`${method} of ${path}`, { method, path }, 405, error];
  }),
];

const jsonOnly = "the body must be JSON: content-type application/json";
const readBefore =
  "the body is empty: if the page has sent a body, a body parser has read it before the proxy";
const bodies: Row[] = [
  ...["text/plain", "application/x-www-form-urlencoded", "", "application/jsonp"].map(
    (type): Row => [`the type "${type}"`, typed(type), 415, jsonOnly],
  ),
  ["a change in a form", { ...typed("text/plain"), ...change }, 415, jsonOnly],
  ["an empty body", post(""), 400, readBefore],
  ["half of a body", post(json.slice(0, -1)), 400, "the body is not JSON"],
  ["a body that is a list", post([body]), 400, "the body must be an object in JSON"],
  ["the body null", post("null"), 400],
];

// These values would change the price.
const counts = ['"10"', "0", "-1", "0.5", "1e3", "1e400", "null", "[1]"];
const lengths = ['"1"', "-5", "1e400", "1e303", "0"];
const smuggled: Row[] = ["generate-ad", "video-a-2"].flatMap((action) => [
  ...counts.map((count): Row => {
    const error = "variations must be a whole number from 1 to 10";
    return [
      `variations ${count} of ${action}`,
      holding(`"variations":${count}`, action),
      400,
      error,
    ];
  }),
  ...lengths.map((length): Row => {
    const error = "duration must be a number of seconds, at most 86400";
    return [`duration ${length} of ${action}`, holding(`"duration":${length}`, action), 400, error];
  }),
]);

const anAction = `Invalid action. Supported: ${actions.join(", ")}`;
const noLength = "duration is missing: a limit counts the seconds of videos";
const noId = "id is not allowed: the service chooses it";
const brands = { method: "POST", path: "/v1/brands" };
const wrong: Row[] = [
  ...["Generate-Ad", "nope", 7, null, ["generate-ad"], undefined].map(
    (action): Row => [`the action ${action}`, post({ ...body, action }), 400, anAction],
  ),
  ["a video without a duration", post({ ...body, action: "video-a-2" }), 400, noLength],
  ["the id of a new brand", { ...brands, body: { name: "Eve", id: "brand-1" } }, 400, noId],
  ["a change of a brand's id", { ...change, body: { id: "brand-1" } }, 400, noId],
];

const queries = [
  "limit=",
  "limit=-1",
  "limit=1.5",
  "limit=two",
  "limit=10001",
  "owner=bob",
  "Limit=1",
];
const lists = queries.map(
  (query): Row => [`a list of ${query}`, { path: `/v1/jobs?${query}` }, 400],
);

const rows = [strangers, bodies, smuggled, wrong, lists].flat();
test.each(rows)("the proxy refuses %s, and sends nothing", async (_, request, status, error) => {
  const { owner = "eve", ...asked } = request;
  const { ask, service, errors, used } = stage;
  const answered = await ask(owner, asked);
  expect(answered.body.length).toBeLessThan(1_000);
  if (status === 405) expect(error).toContain(`; allowed: ${answered.headers.allow}`);
  const isRead = (asked.method ?? "GET") === "GET";
  const outcome = isRead ? undefined : "refused";
  const refused = failureOf(answered);
  expect(refused).toMatchObject({ status, outcome, success: false, data: null });
  if (error !== undefined) expect(refused.error).toBe(error);
  expect([service.received.length, await used("eve"), errors]).toEqual([1, [1, 0], []]);
});

const submission: Asked = { method: "POST", body: { action: "generate-ad" } };

const origin = { origin: "http://page.test" };

test.each([
  ["the app's own page", { "sec-fetch-site": "same-origin" }, 200, 202],
  ["a program, or an old browser", {}, 200, 202],
  ["the address bar", { "sec-fetch-site": "none" }, 200, 403],
  ["a sister domain", { "sec-fetch-site": "same-site" }, 403, 403],
  ["another site", { "sec-fetch-site": "cross-site" }, 403, 403],
  ["an old browser that hides its origin", { "content-type": "text/plain" }, 200, 415],
  ["another site by an old browser", { ...origin, "content-type": "text/plain" }, 200, 403],
  ["another site without a type", { ...origin, "content-type": "" }, 200, 403],
  ["the app's own page in an old browser", origin, 200, 202],
])(
  "a request of %s (%j) gets %i for a read and %i for a submission",
  async (_, headers, read, write) => {
    const { ask, service } = await openProxy();
    expect((await ask("ann", { headers })).status).toBe(read);
    expect((await ask("ann", { ...submission, headers })).status).toBe(write);
    expect(service.sent("POST")).toHaveLength(write === 202 ? 1 : 0);
  },
);
