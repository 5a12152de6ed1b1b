/** One conversation that goes through the whole document: each request, and the status it is to get. */

import {
  createManualClock,
  createMockService,
  type MockAccount,
  type MockService,
  type MockServiceOptions,
} from "../../mocks/index.ts";
import { type Action, actions } from "../../src/contract/actions.ts";
import { type Endpoint, endpoints } from "../../src/contract/endpoint.ts";

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

/** Sends by any `fetch`: the face that is asked. */
export const askBy =
  (send: (input: string, init: RequestInit) => Promise<Response>, baseUrl: string): Ask =>
  async ({ path, ...init }) => {
    const response = await send(baseUrl + path, init);
    const { status, headers } = response;
    return { status, headers: Object.fromEntries(headers), body: await response.text() };
  };

export const keys = { first: "test-key", second: "test-second", poor: "test-poor" };

/** A service for the conversation: the same each time, the time included. */
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
  /** JSON, or text that is sent as it is; `{brand}` stands for what was remembered. */
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

/** One request of the conversation, the status that it is to get, and its answer. */
export interface Exchange {
  readonly call: string;
  readonly expected: number;
  readonly question: Question;
  readonly reply: Reply;
}

/** Goes through all of it. */
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

/** Leaves out where files are: they stand in the answers of the service's own fetch alone. */
const withoutFiles = (text: string): string =>
  text.replace(/data:(?:image|video)\/[^"]*|https?:[^"]*\/__mock\/artwork\/[^"]*/g, "<file>");

/** Gives the part of an exchange that is the same through every face. */
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

/** Everything that a test can see of one account. */
export const accountOf = ({ key, credits, ledger, brands, savedAds, jobs }: MockAccount) =>
  JSON.stringify({ key, credits, ledger, brands, savedAds, jobs: jobs.all });

/** Everything that a test can see of a service, as text. */
export const worldOf = ({ accounts, faults, jobs, journal }: MockService): string =>
  withoutFiles(
    JSON.stringify([
      accounts.map(accountOf),
      faults.planned,
      jobs.planned,
      // Each face has headers of its own.
      journal.entries.map((entry) => ({ ...entry, headers: undefined })),
    ]),
  );
