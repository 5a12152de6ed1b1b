import { describe, expect, it } from "vitest";
import { type AdGenClient, type JobRequest, pollJob } from "../../src/client/index.ts";
import { queued, success } from "../helpers/answers.ts";
import { type Call, refusing } from "../helpers/calls.ts";
import { clientOf, paidJob } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";

type CallOfId = (client: AdGenClient, id: string) => Promise<unknown>;

/** Calls that take an id, with their paths. */
const calls: [name: string, path: string, call: CallOfId][] = [
  ["jobs.get", "jobs/:id", ({ jobs }, id) => jobs.get(id)],
  ["jobs.get by job", "jobs/:id", ({ jobs }, id) => jobs.get({ job_id: id })],
  ["brands.update", "brands/:id", ({ brands }, id) => brands.update(id, {})],
  ["brands.delete", "brands/:id", ({ brands }, id) => brands.delete(id)],
  ["brands.listAds", "brands/:id/ads", ({ brands }, id) => brands.listAds(id)],
  ["savedAds.delete", "saved-ads/:id", ({ savedAds }, id) => savedAds.delete(id)],
];

/** How the message of a refusal names an id, and where it says to find one. */
const labels: Readonly<Record<string, readonly [string, string]>> = {
  jobs: ["job id", "pass job.job_id or the job"],
  brands: ["brand id", "pass brand.id"],
  savedAds: ["saved ad id", "pass ad.id"],
};

const no = "must be a non-empty string, got";
const control = "has a line break or another control character";

const refused: [problem: string, ids: unknown[]][] = [
  [`${no} an empty one`, ["", " ", "\t \n", "\u00a0\u2003\ufeff"]],
  [
    'has a part "." or "..", as in a path',
    [".", "..", "../brands", "../../admin", "..\\..\\admin"],
  ],
  ['has a part "." or "..", as in a path', ["a/../b", "job-1/..", "./job-1", "a/./b"]],
  [control, ["a\r\nx-evil: 1", "a\0b", "\u001b[31m", "a\u0085b"]],
  ["has half of a surrogate pair", ["a\ud800", "\udc00a"]],
  ["has 257 characters, more than 256", ["x".repeat(257)]],
  [`${no} undefined`, [undefined]],
  [`${no} null`, [null]],
  [`${no} a number`, [5]],
  [`${no} an object`, [{ toString: () => ".." }]],
  [`${no} an array`, [["a"]]],
];

const escaped = [
  ...["a/b", "a/...", "/a..b/", "..%2f..%2fadmin", "%2e%2e", ".%2e"],
  ...["%252e%252e%252f", "http://evil.test/", "//evil.test", "https:evil.test", "@evil.test"],
  ...["?limit=1", "#fragment", "a?b#c", ";a=b", "a:b", ":id", "$&$1$$", "a b", " a ", "+%20+"],
  ...["...", "ü\u{1f600}", "__proto__", "x".repeat(256)],
];

describe.each(calls)("%s", (name, path, call) => {
  it("an unusable id is refused without being quoted, and nothing is sent", async () => {
    const [label, hint] = labels[name.replace(/\..*/, "")] ?? [];
    const rows = refused.flatMap(([problem, ids]) => ids.map((id) => [problem, id] as const));
    for (const [problem, id] of rows) {
      const error = await refusing((client) => call(client, id as string));

      expect(error).toMatchObject({ name: "InvalidRequestError", code: "invalid_request" });
      // The error of a read has no outcome.
      expect(error.outcome).toBe(/get|list/.test(name) ? undefined : "not-sent");
      expect(error.message).toBe(`${label} ${problem}: ${hint}`);
      expect(JSON.stringify(error)).not.toMatch(/xxx|evil/);
    }
  });

  it("any other id stays within its one segment of the path", async () => {
    const server = await listen(success({ id: "x", status: "queued", ads: [] }));
    const client = clientOf({ url: `${server.url}/api` });

    for (const id of escaped) {
      await call(client, id);

      const { url = "", headers } = server.received.at(-1) ?? {};
      const segments = path.split("/").map((part) => (part === ":id" ? id : part));
      expect(url).not.toMatch(/[?#]/);
      expect(url.split("/").map(decodeURIComponent)).toEqual(["", "api", "v1", ...segments]);
      expect(`http://${headers?.host}`).toBe(server.url);
    }
    expect(server.received).toHaveLength(escaped.length);
  });
});

it("a job whose id has the name of a brand's id is refused with the name that is meant", async () => {
  const thing = { id: "job-1", status: "queued" } as never;
  const problem = "must be a non-empty string, got an object";
  const rows: [call: (client: AdGenClient) => Promise<unknown>, message: string][] = [
    [({ jobs }) => jobs.get(thing), `job id ${problem}: did you mean job_id?`],
    [(client) => pollJob(client, thing), `job id ${problem}: did you mean job_id?`],
    [
      ({ jobs }) => jobs.get({ job: thing } as never),
      `job id ${problem}: pass job.job_id or the job`,
    ],
    [({ brands }) => brands.delete(thing), `brand id ${problem}: pass brand.id`],
    [({ savedAds }) => savedAds.delete(thing), `saved ad id ${problem}: pass ad.id`],
  ];
  for (const [call, message] of rows) expect((await refusing(call)).message).toBe(message);
});

/** Nests arrays. */
const nest = (depth: number): unknown => {
  let value: unknown = "bottom";
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};

class Style {
  tone = "warm";
}
const bare = Object.assign(Object.create(null), { a: 1 });
const unusual = { deep: [null, true, "ü\u2028 \u{1f600}", -1.5, { a: [] }] };

it.each<[string, object, object]>([
  ["undocumented parameters", { variations: 4, x: unusual }, { variations: 4, x: unusual }],
  ["undefined fields left out", { images: undefined, x: { y: undefined } }, { x: {} }],
  ["dates", { when: new Date(0) }, { when: "1970-01-01T00:00:00.000Z" }],
  ["URLs", { url: new URL("https://a.test") }, { url: "https://a.test/" }],
  ["values with a JSON form", { own: { toJSON: () => ({ x: 1 }) } }, { own: { x: 1 } }],
  ["objects of a class", { style: new Style() }, { style: { tone: "warm" } }],
  ["an object in two places", { a: bare, b: [bare] }, { a: { a: 1 }, b: [{ a: 1 }] }],
  ["400 levels", { x: nest(400) }, { x: nest(400) }],
])("a request body arrives as JSON writes it, with %s", async (_, given, sent) => {
  const server = await listen(queued());
  await clientOf(server).jobs.submit({ ...paidJob, ...given });
  expect(JSON.parse(server.received[0]?.body ?? "")).toEqual({ ...paidJob, ...sent });
});

it("a request body is read once, at the call, and is the same in every attempt", async () => {
  const nested = { tone: "warm", images: ["https://ads.test/1.png"] };
  let reads = 0;
  const getter = () => `read ${++reads}`;
  const prompt = { get: getter, enumerable: true, configurable: true };
  const request: JobRequest = Object.defineProperty({ ...paidJob, nested }, "prompt", prompt);
  const server = await listen((response) => {
    nested.images.push("changed");
    response.writeHead(429, { "retry-after": "0" }).end();
  }, queued());

  const ended = clientOf(server, { apiKey: async () => "test-key" }).jobs.submit(request);
  nested.tone = "changed";
  Object.defineProperty(request, "prompt", { value: "changed" });
  await ended;

  const sent = {
    ...paidJob,
    prompt: "read 1",
    nested: { tone: "warm", images: ["https://ads.test/1.png"] },
  };
  expect(reads).toBe(1);
  expect(server.received.map(({ body }) => JSON.parse(body))).toEqual([sent, sent]);
});

const circle: Record<string, unknown> = {};
circle["self"] = { circle };
const boom = () => expect.fail("boom");

const binary = "is binary: use toDataUrl of adgen-sdk/files, or a URL";
const a = (kind: string) => `is of the kind ${kind}; send plain objects, lists and texts`;

/** Values, what is wrong with them, and the field if it isn't `x`. */
const unfit: [name: string, x: unknown, problem: string, place?: string][] = [
  ["NaN", Number.NaN, "is NaN"],
  ["Infinity", Number.POSITIVE_INFINITY, "is Infinity"],
  ["a nested -Infinity", { y: [0, { z: -1 / 0 }] }, "is -Infinity", '"z"'],
  ["a function", () => 1, "is a function"],
  ["a BigInt", 10n, "is a bigint"],
  ["a symbol", Symbol("s"), "is a symbol"],
  ["a Map", new Map([["a", 1]]), a("Map")],
  ["a Set in an array", [new Set([1])], a("Set"), '"0" of a list'],
  ["a promise", Promise.resolve(1), a("Promise")],
  ["a regular expression", /a/, a("RegExp")],
  ["an error", new Error("no"), a("Error")],
  ["a Blob", new Blob(["a"]), binary],
  ["a Uint8Array in an array", [new Uint8Array(2)], binary, '"0" of a list'],
  ["a Buffer", Buffer.from("a"), binary],
  ["an ArrayBuffer", new ArrayBuffer(2), binary],
  ["an invalid date", new Date(Number.NaN), "is an invalid date"],
  ["undefined in an array", ["a", undefined], "is undefined", '"1" of a list'],
  ["a hole in an array", Array(1), "is undefined", '"0" of a list'],
  ["a toJSON that gives nothing", { toJSON: () => undefined }, "is undefined"],
  ["a toJSON that gives NaN", { toJSON: () => Number.NaN }, "is NaN"],
];

const refusalOf = async (request: unknown) => {
  const error = await refusing(({ jobs }) => jobs.submit(request as JobRequest));
  const { name, code, outcome } = error;
  expect([name, code, outcome]).toEqual(["InvalidRequestError", "invalid_request", "not-sent"]);
  return error;
};

it.each(unfit)("a body with %s is refused with its place", async (_, x, problem, place = '"x"') => {
  const { message } = await refusalOf({ ...paidJob, x });
  expect(message).toBe(`request cannot be sent: ${place} ${problem}`);
});

it("a request body that contains itself is refused", async () => {
  const { message } = await refusalOf({ ...paidJob, x: circle });
  expect(message).toMatch(/^request cannot be written as JSON: TypeError: Converting circular/);
});

const throwing = Object.defineProperty({}, "y", { enumerable: true, get: boom });
const unread = "request cannot be written as JSON: AssertionError: boom";
it.each<[message: string, request: unknown, cause?: string]>([
  ['request must be an object such as { action: "generate-ad" }, got undefined', undefined],
  ['request must be an object such as { action: "generate-ad" }, got null', null],
  ['request must be an object such as { action: "generate-ad" }, got "generate-ad"', "generate-ad"],
  ['request must be an object such as { action: "generate-ad" }, got 5', 5],
  ['request must be an object such as { action: "generate-ad" }, got an array', [paidJob]],
  [unread, { ...paidJob, x: throwing }, "boom"],
  [unread, { ...paidJob, x: { toJSON: boom } }, "boom"],
])("a request body is refused: %s", async (message, request, cause) => {
  const error = await refusalOf(request);
  expect(error.message).toBe(message);
  expect(error.cause).toEqual(cause && expect.objectContaining({ message: cause }));
});

const bad = { name: "a", brand_id: "b", x: [Number.NaN] };
it.each<[string, Call]>([
  ["brand", ({ brands }) => brands.create(bad)],
  ["changes", ({ brands }) => brands.update("b", bad)],
  ["ad", ({ savedAds }) => savedAds.create(bad)],
])("a body that JSON would change is refused as a %s too", async (name, call) => {
  expect((await refusing(call)).message).toBe(`${name} cannot be sent: "0" of a list is NaN`);
});

const options = ["once", "signal", "timeoutMs", "totalTimeoutMs", "maxRetries", "headers"];
const keys = ["idempotencyKey", "idempotency_key", "Idempotency-Key", "x-idempotency-key"];

it.each<[string, (client: AdGenClient, field: object) => Promise<unknown>]>([
  ["jobs.submit", ({ jobs }, field) => jobs.submit({ ...paidJob, ...field })],
  ["jobs.submitAndPoll", ({ jobs }, field) => jobs.submitAndPoll({ ...paidJob, ...field })],
  ["brands.create", ({ brands }, field) => brands.create({ name: "a", ...field })],
  ["savedAds.create", ({ savedAds }, field) => savedAds.create({ brand_id: "b", ...field })],
])("an option of the call in the request of %s is refused before sending", async (_, call) => {
  for (const name of [...options, "onResponse", ...keys]) {
    const { code, outcome, message } = await refusing((client) => call(client, { [name]: "x" }));
    expect([code, outcome]).toEqual(["invalid_request", "not-sent"]);
    const why = keys.includes(name)
      ? "but the service knows no idempotency keys: pass once, in the second argument"
      : "an option of the call: it belongs in the second argument";
    expect(message).toBe(`the request holds "${name}", ${why}`);
  }
  const server = await listen(success({ job_id: "j", status: "completed", id: "x" }));
  await call(clientOf(server), { once: undefined, style: { once: 1 } });
  expect(server.received[0]?.body).toContain('"style":{"once":1}');
});
