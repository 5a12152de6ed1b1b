/** A conversation that covers the whole API, with its expected statuses, and random requests. */
import fc from "fast-check";
import {
  createManualClock,
  createMockService,
  type MockAccount,
  type MockService,
  type MockServiceOptions,
} from "../../mocks/index.ts";
import { keysOf } from "../../mocks/options/require.ts";
import { type Action, actions } from "../../src/contract/actions.ts";
import { requestBodies } from "../../src/contract/bodies.ts";
import { type Endpoint, type EndpointName, endpoints } from "../../src/contract/endpoint.ts";

/** A request, as plain data. */
export interface Question {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** An answer, as plain data. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Ask = (question: Question) => Promise<Reply>;

/** Sends questions by the `fetch` of an adapter. */
export const askBy =
  (send: (input: string, init: RequestInit) => Promise<Response>, baseUrl: string): Ask =>
  async ({ path, ...init }) => {
    const response = await send(baseUrl + path, init);
    const { status, headers } = response;
    return { status, headers: Object.fromEntries(headers), body: await response.text() };
  };

export const keys = { first: "test-key", second: "test-second", poor: "test-poor" };

/** Creates the service for the conversation. It is the same each time, including its clock. */
export const createScriptedService = (options: MockServiceOptions = {}) =>
  createMockService({
    seed: "conformance",
    clock: createManualClock(Date.UTC(2026, 2, 2, 9, 15)),
    accounts: {
      [keys.first]: {},
      [keys.second]: {},
      [keys.poor]: { credits: { image: {}, video: {} } },
    },
    ...options,
  });

interface More {
  /** JSON, or a text that is sent unchanged; `{brand}` stands for a remembered id. */
  readonly body?: object | string;
  readonly key?: keyof typeof keys | "none" | "wrong";
  /** Name under which the id in the answer is remembered. */
  readonly as?: string;
}

type Row = readonly [call: string, status: number, more?: More];

const copy = { action: "generate-ad-copy" };
const submit = (status: number, body: object | string, more: More = {}): Row => [
  "POST /v1/jobs",
  status,
  { body, ...more },
];
const as = (action: Action): string => action.replaceAll("-", "");

const rows: readonly Row[] = [
  ["GET /v1/jobs", 401, { key: "none" }],
  ...Object.values<Endpoint>(endpoints).map(
    ({ method, path }): Row => [
      `${method} ${path.replace(":id", "unknown")}`,
      401,
      { key: "wrong", ...(/POST|PATCH/.test(method) && { body: "{" }) },
    ],
  ),
  ["GET /v1/unknown", 401, { key: "wrong" }],
  ...["/v1", "/v1/unknown", "/v2/jobs", "/V1/jobs", "/v1/jobs/", "/v1//jobs", "/v1/%6Aobs"].map(
    (path): Row => [`GET ${path}`, 404],
  ),
  ...["PUT /v1/jobs", "DELETE /v1/jobs/x", "GET /v1/brands/x", "GET /v1/saved-ads/x"].map(
    (call): Row => [call, 405],
  ),
  ...["make-ad", "", "constructor", null, 4].map((action) => submit(400, { action })),
  ...["", "{", "[]", "null", "action=copy-ad"].map((text) => submit(400, text)),
  ...[0, 11, 1.5, "4", null].map((variations) => submit(400, { ...copy, variations })),
  submit(400, { ...copy, images: ["https://example.com/a.png", 1] }),
  submit(404, { ...copy, brand_id: "unknown" }),
  ...[0, -5, 61].map((duration) => submit(400, { action: "video-a-2", duration })),
  submit(202, { ...copy, prompt: "Zitronenlimonade ☀️ 柠檬", variations: 2 }, { as: "copy" }),
  submit(202, copy, { key: "poor" }),
  ...actions.map((action) => submit(202, { action, prompt: "Lemonade" }, { as: as(action) })),
  submit(202, { action: "image-a-2", variations: 10 }),
  submit(402, { action: "generate-ad" }, { key: "poor" }),
  submit(402, { action: "video-a-2" }, { key: "poor" }),
  ...["copy", as("generate-ad"), as("video-a-2")].flatMap((id) =>
    [1, 2, 3].map((): Row => [`GET /v1/jobs/{${id}}`, 200]),
  ),
  ["GET /v1/jobs", 200],
  ["GET /v1/jobs?limit=1", 200],
  ["GET /v1/jobs?limit=0", 400],
  ["GET /v1/jobs/unknown", 404],
  ["GET /v1/jobs/a%2Fb", 404],
  [
    "POST /v1/brands",
    201,
    { body: { name: "Acme", colors: ["#f00"], site: { ü: 1 } }, as: "brand" },
  ],
  ["POST /v1/brands", 400, { body: { name: 4 } }],
  ["GET /v1/brands", 200],
  ["PATCH /v1/brands/{brand}", 200, { body: { tone: "dry" } }],
  ["PATCH /v1/brands/{brand}", 400, { body: "[]" }],
  ["PATCH /v1/brands/unknown", 404, { body: {} }],
  ["POST /v1/saved-ads", 201, { body: { brand_id: "{brand}", headline: "Ice-cold" }, as: "ad" }],
  ["POST /v1/saved-ads", 201, { body: { brand_id: "{brand}" }, as: "other" }],
  ["POST /v1/saved-ads", 400, { body: { headline: "Ice-cold" } }],
  ["POST /v1/saved-ads", 404, { body: { brand_id: "unknown" } }],
  ["GET /v1/brands/{brand}/ads", 200],
  ["GET /v1/brands/unknown/ads", 404],
  ["GET /v1/jobs/{copy}", 404, { key: "second" }],
  ["PATCH /v1/brands/{brand}", 404, { key: "second", body: {} }],
  ["DELETE /v1/brands/{brand}", 404, { key: "second" }],
  ["DELETE /v1/saved-ads/{ad}", 404, { key: "second" }],
  ["GET /v1/brands", 200, { key: "second" }],
  ["DELETE /v1/saved-ads/{ad}", 200],
  ["DELETE /v1/saved-ads/{ad}", 404],
  ["DELETE /v1/brands/{brand}", 200],
  ["DELETE /v1/brands/{brand}", 404],
  ["GET /v1/brands/{brand}/ads", 404],
  ["DELETE /v1/saved-ads/{other}", 200],
];

/** A request of the conversation, its expected status and its answer. */
export interface Exchange {
  readonly call: string;
  readonly expected: number;
  readonly question: Question;
  readonly reply: Reply;
}

/** Sends all requests of the conversation. */
export const converse = async (ask: Ask): Promise<Exchange[]> => {
  const memory: Record<string, string> = {};
  const fill = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (all, name) => memory[name] ?? all);
  const exchanges: Exchange[] = [];
  for (const [call, expected, { body, key = "first", as } = {}] of rows) {
    const [method = "", path = ""] = call.split(" ");
    const token = key === "wrong" ? "test-nobody" : key === "none" ? undefined : keys[key];
    const sent = typeof body === "object" ? JSON.stringify(body) : body;
    const question = {
      method,
      path: fill(path),
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(sent !== undefined && { "content-type": "application/json" }),
      },
      ...(sent !== undefined && { body: fill(sent) }),
    };
    const reply = await ask(question);
    const { data } = JSON.parse(reply.body);
    if (as) memory[as] = data.job_id ?? data.id;
    exchanges.push({ call, expected, question, reply });
  }
  return exchanges;
};

/** Removes the addresses of files, because only service.fetch inlines the files. */
const withoutFiles = (text: string): string =>
  text.replace(/data:(?:image|video)\/[^"]*|https?:[^"]*\/__mock\/artwork\/[^"]*/g, "<file>");

/** Returns the parts of an exchange that are the same through every adapter. */
export const comparable = ({ question, reply }: Pick<Exchange, "question" | "reply">) => ({
  asked: `${question.method} ${question.path} ${question.body ?? ""}`,
  status: reply.status,
  contentType: reply.headers["content-type"],
  retryAfter: reply.headers["retry-after"],
  requestId: reply.headers["x-request-id"],
  challenge: reply.headers["www-authenticate"],
  allow: reply.headers["allow"],
  body: withoutFiles(reply.body),
});

/** A request beside the conversation, as arguments of `fetch`, with its expected status. */
export interface Edge {
  readonly title: string;
  /** `undefined` if the request fails before it reaches the service. */
  readonly status: number | undefined;
  readonly path: string;
  readonly init: RequestInit;
  /** Whether only programs can send the request, because a browser would refuse it. */
  readonly isForPrograms?: true;
}

const page = "https://shop.test";
const json = { "content-type": "application/json" };

/** Creates a body whose reading fails after its first part. */
const failingBody = (): ReadableStream =>
  new ReadableStream({
    start: (stream) => stream.enqueue(new TextEncoder().encode('{"action":')),
    pull: (stream) => stream.error(new Error("the file is gone")),
  });

/** Creates requests at the edges of HTTP. Each call creates new ones, because a stream can be read once. */
export const createEdges = (): readonly Edge[] => {
  const authorization = `Bearer ${keys.first}`;
  const row = (
    status: number | undefined,
    call: string,
    more: RequestInit & { readonly duplex?: "half" } = {},
  ): Edge => {
    const [method = "", path = ""] = call.split(" ");
    const init = { method, ...more, headers: { authorization, ...more.headers } };
    return { title: call, status, path, init };
  };
  const fromPage = (edge: Edge, more?: Record<string, string>): Edge => ({
    ...edge,
    title: `${edge.title} of a page`,
    init: { ...edge.init, headers: { ...edge.init.headers, origin: page, ...more } },
    isForPrograms: true,
  });
  const asks = { "access-control-request-method": "POST" };
  const submission = { headers: json, body: '{"action":"generate-ad"}' };
  const wrongKey = { authorization: "Bearer test-nobody" };
  return [
    ...["/v1/jobs", "/v1/jobs?limit=1", "/v1/brands"].map((path) => row(200, `HEAD ${path}`)),
    row(400, "HEAD /v1/jobs?limit=0"),
    row(401, "HEAD /v1/jobs", { headers: wrongKey }),
    ...["/v1/jobs/none", "/v1/brands/none/ads", "/v1/none"].map((path) => row(404, `HEAD ${path}`)),
    row(405, "HEAD /v1/saved-ads"),
    row(405, "OPTIONS /v1/jobs"),
    row(405, "OPTIONS /v1/brands/none/ads"),
    row(404, "OPTIONS /v1/none"),
    row(401, "OPTIONS /v1/jobs", { headers: wrongKey }),
    fromPage(row(405, "OPTIONS /v1/jobs")),
    fromPage(row(204, "OPTIONS /v1/jobs"), asks),
    fromPage(row(204, "OPTIONS /v1/none", { headers: wrongKey }), asks),
    ...["PUT /v1/jobs", "PATCH /v1/jobs", "DELETE /v1/jobs/x", "POST /v1/brands/x"].map((call) =>
      row(405, call),
    ),
    fromPage(row(200, "GET /v1/jobs", { credentials: "include" })),
    fromPage(row(202, "POST /v1/jobs", { credentials: "include", ...submission })),
    fromPage(row(401, "GET /v1/jobs", { credentials: "include", headers: wrongKey })),
    fromPage(row(404, "GET /v1/jobs/none")),
    fromPage(row(405, "PUT /v1/jobs")),
    row(undefined, "POST /v1/jobs", { headers: json, body: failingBody(), duplex: "half" }),
  ];
};

/** Sends the edges one after the other, and returns their answers. */
export const askEdges = async (
  edges: readonly Edge[],
  send: (input: string, init: RequestInit) => Promise<Response>,
  baseUrl: string,
) => {
  const seen: { readonly edge: Edge; readonly reply: Reply | undefined }[] = [];
  for (const edge of edges) {
    const response = await send(baseUrl + edge.path, edge.init).catch(() => undefined);
    const reply = response && {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await response.text(),
    };
    seen.push({ edge, reply });
  }
  return seen;
};

/** Returns the parts of an edge's answer that are the same through every adapter. */
export const comparableEdge = ({
  edge: { title, path },
  reply,
}: Awaited<ReturnType<typeof askEdges>>[number]) =>
  reply && comparable({ question: { method: title, path, headers: {} }, reply });

/** Returns everything that a test can see of an account, as text. */
export const accountOf = ({ key, credits, ledger, brands, savedAds, jobs }: MockAccount) =>
  JSON.stringify({ key, credits, ledger, brands, savedAds, jobs: jobs.all });

/** Returns everything that a test can see of a service, as text. */
export const stateOf = ({ accounts, faults, jobs, journal }: MockService): string =>
  withoutFiles(
    JSON.stringify([
      accounts.map(accountOf),
      faults.scheduled,
      jobs.scheduled,
      // The headers differ between adapters.
      journal.entries.map((entry) => ({ ...entry, headers: undefined })),
    ]),
  );

/*
 * Requests of every kind: those that the OpenAPI document asks for, those that miss it by a
 * little, and anything.
 */

/** Part of OpenAPI's schema object (JSON Schema 2020-12) that requests are made of. */
interface SchemaObject {
  readonly $ref?: string;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

type Schemas = Readonly<Record<string, SchemaObject>>;

/** Makes an arbitrary come up more often than others. */
const often = <Value>(weight: number, arbitrary: fc.Arbitrary<Value>) => ({ weight, arbitrary });

const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom("", "Lemonade"));

/** Names that every object has, and names that mean something. */
const names = fc.oneof(
  fc.constantFrom("__proto__", "constructor", "toString", "id", "error", "data", "status"),
  fc.constantFrom("action", "prompt", "images", "variations", "duration", "brand_id", "name"),
  fc.string(),
);

const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(0, -1, 1.5, 1e21, -0, 5e-324, null, true, "", "1", [], {}, "queued"),
  fc.constantFrom<unknown>(...actions),
);

const numbers = ({ type, minimum, maximum, exclusiveMinimum }: SchemaObject) => {
  const [min, max] = [minimum ?? exclusiveMinimum, maximum] as (number | undefined)[];
  const limits = {
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  };
  if (type === "integer") return fc.integer(limits);
  return fc
    .double({ ...limits, minExcluded: exclusiveMinimum !== undefined, noNaN: true })
    .filter(Number.isFinite);
};

/** Creates values that a schema of the document allows; `known` are ids that may exist. */
export const arbitraryOf = (
  schema: SchemaObject,
  schemas: Schemas,
  known: fc.Arbitrary<string>,
): fc.Arbitrary<unknown> => {
  const { $ref, type, properties = {}, required = [] } = schema;
  const inner = (part: unknown) => arbitraryOf(part as SchemaObject, schemas, known);
  if ($ref !== undefined) return inner(schemas[$ref.split("/").at(-1) ?? ""]);
  if (Array.isArray(schema["oneOf"])) return fc.oneof(...schema["oneOf"].map(inner));
  if (Array.isArray(schema["enum"])) return fc.constantFrom(...schema["enum"]);
  if (type === "integer" || type === "number") return numbers(schema);
  if (type === "string") return fc.oneof(text, known);
  if (type === "array") return fc.array(inner(schema["items"]), { maxLength: 3 });
  if (type !== "object") return anything;
  const fields = Object.entries(properties).map(
    ([name, part]) => [name, /_id$/.test(name) ? known : inner(part)] as const,
  );
  const named = fc.record(Object.fromEntries(fields), { requiredKeys: [...required] });
  // Objects are open, so a field that isn't named may be anything.
  const more = fc.dictionary(
    names.filter((name) => !(name in properties) && name !== "__proto__"),
    anything,
    { maxKeys: 3 },
  );
  return fc.tuple(more, named).map(([extra, own]) => ({ ...extra, ...own }));
};

/** Changes a body in one place, which mostly makes it wrong. */
const mutated = (body: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.tuple(body, names, anything, fc.nat(6)).map(([value, name, other, way]) => {
    const entries = Object.entries(value as object);
    if (way === 0) return [value];
    if (way === 1) return Object.fromEntries(entries.slice(1));
    if (way === 2) return Object.fromEntries(entries.map(([key, item]) => [key, [item]]));
    if (way === 3) return Object.fromEntries(entries.map(([key, item]) => [key, String(item)]));
    // JSON makes an own field of every name, even of "__proto__".
    return JSON.parse(
      `${JSON.stringify(value).slice(0, -1)}${entries.length ? "," : ""}${JSON.stringify(name)}:${JSON.stringify(other)}}`,
    );
  });

export interface Bodies {
  /** Allowed by the document. */
  readonly allowed: fc.Arbitrary<unknown>;
  /** Bodies that are allowed, nearly allowed, or of any kind. */
  readonly any: fc.Arbitrary<unknown>;
}

/** Creates bodies for every endpoint that takes one. */
export const bodiesOf = (
  document: object,
  known: fc.Arbitrary<string>,
): ReadonlyMap<EndpointName, Bodies> => {
  // biome-ignore lint/suspicious/noExplicitAny: the document is walked as whoever reads it would
  const { paths, components } = document as any;
  const found = new Map<EndpointName, Bodies>();
  for (const name of keysOf(requestBodies)) {
    const { method, path }: Endpoint = endpoints[name];
    const operation = paths[path.replace(":id", "{id}")][method.toLowerCase()];
    const { schema } = operation.requestBody.content["application/json"];
    const allowed = arbitraryOf(schema, components.schemas, known);
    const any = fc.oneof(often(3, mutated(allowed)), often(3, allowed), anything);
    found.set(name, { allowed, any });
  }
  return found;
};

const limits = ["", "=1", "=0", "=-1", "=%zz", "[]=1", "=1&limit=x", "=1000000000", "=1e3"];

const query = fc.oneof(
  often(3, fc.constant("")),
  fc.constantFrom("?", "?&&==", ...limits.map((value) => `?limit${value}`)),
  fc.string({ maxLength: 8 }).map((value) => `?limit=${encodeURIComponent(value)}`),
);

const segment = fc.oneof(
  fc.constantFrom("v1", "jobs", "brands", "saved-ads", "ads", "", ".", "..", "%zz", "__proto__"),
  fc.string({ maxLength: 20, unit: "grapheme" }).map((name) => encodeURIComponent(name)),
);

const method = fc.oneof(
  fc.constantFrom("GET", "POST", "PATCH", "DELETE", "PUT", "HEAD", "OPTIONS", "QUERY", "get"),
  fc.stringMatching(/^[A-Z]{1,8}$/).filter((name) => !/^(CONNECT|TRACE|TRACK)$/.test(name)),
);

const authorizations = (keys: readonly string[]): fc.Arbitrary<string | undefined> => {
  const forms = ["bearer KEY", "KEY", "Bearer  KEY", "Bearer KEYx", "Basic KEY"];
  const asked = keys.flatMap((key) => forms.map((form) => form.replace("KEY", key)));
  return fc.oneof(
    often(50, fc.constantFrom(...keys.map((key) => `Bearer ${key}`))),
    often(5, fc.constantFrom(...asked)),
    fc.constantFrom(undefined, "", "Bearer", "Bearer a, b", "Bearer __proto__"),
    fc.stringMatching(/^[ -~]{0,20}$/),
  );
};

const odd = ["", "{", "{}", "[]", "null", "NaN", "\ufeff{}", "[".repeat(5_000)];
const oddTexts = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(...odd, '{"__proto__":{"action":"copy-ad"}}'),
);

/** Creates requests of every kind, most of them similar to one of the document. */
export const requestsOf = (
  document: object,
  known: fc.Arbitrary<string>,
  keys: readonly string[],
): fc.Arbitrary<Question> => {
  const ofEndpoint = bodiesOf(document, known);
  // A submission has the most ways to be wrong or right.
  const endpoint = fc.oneof(
    often(2, fc.constant<EndpointName>("jobs.submit")),
    often(3, fc.constantFrom(...keysOf(endpoints))),
  );
  const call = endpoint.chain((name) => {
    const { method, path } = endpoints[name];
    return fc.record({
      method: fc.constant<string>(method),
      path: known.map((id) => path.replace(":id", () => encodeURIComponent(id))),
      body: (ofEndpoint.get(name)?.any ?? anything).map((value) => JSON.stringify(value)),
    });
  });
  const ownPath = call.map(({ path }) => path);
  const anyPath = fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join("/")}`);
  const anyJson = anything.map((value) => JSON.stringify(value));
  const anyCall = fc.record({
    method,
    path: fc.oneof(ownPath, anyPath),
    body: fc.oneof(anyJson, oddTexts),
  });
  const broken = fc
    .tuple(call, oddTexts, fc.nat(40))
    .map(([asked, odd, end]) => ({ ...asked, body: end % 2 ? odd : asked.body.slice(0, end) }));
  return fc
    .record({
      asked: fc.oneof(often(6, call), broken, often(2, anyCall)),
      query,
      authorization: authorizations(keys),
    })
    .map(({ asked, query, authorization }) => ({
      method: asked.method,
      path: asked.path + query,
      headers: { ...(authorization !== undefined && { authorization }) },
      ...(!/^(get|head)$/i.test(asked.method) && { body: asked.body }),
    }));
};
