import fc from "fast-check";
import { http } from "msw";
import { beforeAll, describe, expect, test } from "vitest";
import { matchEndpoint } from "../../mocks/http/match-endpoint.ts";
import type { MockService } from "../../mocks/index.ts";
import { setupMockServer } from "../../mocks/node/index.ts";
import { type Endpoint, endpoints } from "../../src/contract/endpoint.ts";
import { generateOpenApi } from "../../tools/openapi/document.ts";
import { type Adapter, adapterNames, adapters } from "../helpers/adapters.ts";
import { createAnswerValidator } from "./answer-validator.ts";
import {
  type Ask,
  askBy,
  askEdges,
  comparable,
  comparableEdge,
  converse,
  createEdges,
  createScriptedService,
  type Edge,
  keys,
  type Question,
  requestsOf,
  stateOf,
} from "./conversation.ts";

const document = generateOpenApi("1.0.0");

/** Answers paths and methods outside the API, for which the service has no handlers. */
const restOf = (service: MockService) => [
  http.all("*", async ({ request }) => {
    const { status, headers, body } = await service.reply(request);
    return new Response(body === "" ? null : body, { status, headers });
  }),
];

/** Runs the conversation through an adapter, and returns its answers and the state it leaves. */
const converseBy = async (adapter: Adapter) => {
  const service = createScriptedService();
  const handlers = restOf(service);
  const { baseUrl, fetch: own = fetch, close } = await adapters[adapter](service, { handlers });
  try {
    const exchanges = await converse(askBy(own, baseUrl));
    return { exchanges, state: stateOf(service) };
  } finally {
    await close();
  }
};

let direct: Awaited<ReturnType<typeof converseBy>>;

beforeAll(async () => {
  direct = await converseBy("service.fetch");
});

const nameOf = ({ method, path }: Question) => {
  const found = matchEndpoint(method, new URL(path, "https://ads.test"), undefined);
  return "name" in found ? found.name : undefined;
};

describe("the conversation", () => {
  test("each request of the conversation gets its expected status", () => {
    for (const { call, question, expected, reply } of direct.exchanges) {
      expect([call, question.body, reply.status]).toEqual([call, question.body, expected]);
    }
  });

  test("the conversation reaches every endpoint, every success and every documented failure", () => {
    const reached = direct.exchanges.map(
      ({ question, reply }) => `${nameOf(question)} ${reply.status}`,
    );
    for (const [name, { status, path }] of Object.entries<Endpoint>(endpoints)) {
      const expected = [status, 401, ...(path.includes(":id") ? [404] : [])];
      for (const code of expected) expect(reached).toContain(`${name} ${code}`);
    }
    expect(reached).toContain("jobs.submit 400");
    expect(reached).toContain("jobs.submit 402");
  });
});

test.each(adapterNames)(
  "%s answers the conversation like service.fetch, byte for byte",
  async (adapter) => {
    const { exchanges, state } = await converseBy(adapter);
    expect(exchanges.map(comparable)).toEqual(direct.exchanges.map(comparable));
    expect(state).toBe(direct.state);
  },
);

/** The adapters of Node, and `setupMockServer`, which answers a `fetch` before MSW sees it. */
const reaches: typeof adapters & Record<"setupMockServer", typeof adapters.HTTP> = {
  ...adapters,
  setupMockServer: async (service) => {
    const mock = setupMockServer({ service, hooks: false });
    await mock.listen();
    const close = (): void => {
      mock.close();
      mock.allowNetwork();
    };
    return { baseUrl: "https://ads.test", close };
  },
};
const reachNames = Object.keys(reaches) as (keyof typeof reaches)[];

/** The guarded adapter refuses paths and methods that the API does not have. */
const isOfTheApi = ({ init, path, status }: Edge): boolean =>
  init.method === "OPTIONS" || (status !== 405 && path !== "/v1/none");

const edgesFor = (name: keyof typeof reaches) =>
  createEdges().filter((edge) => name !== "setupMockServer" || isOfTheApi(edge));

/** Sends the edges through an adapter, and returns the answers and the state they leave. */
const askEdgesBy = async (name: keyof typeof reaches, edges = edgesFor(name)) => {
  const service = createScriptedService();
  const handlers = restOf(service);
  const { baseUrl, fetch: own, close } = await reaches[name](service, { handlers });
  try {
    const seen = await askEdges(edges, own ?? ((url, init) => fetch(url, init)), baseUrl);
    return { seen, state: stateOf(service) };
  } finally {
    await close();
  }
};

test.each(reachNames)(
  "%s answers HEAD, OPTIONS, wrong methods, pages and a failing body like service.fetch",
  async (adapter) => {
    const expected = await askEdgesBy("service.fetch", edgesFor(adapter));
    const { seen, state } = await askEdgesBy(adapter);
    const statuses = edgesFor(adapter).map(({ title, status }) => [title, status]);
    expect(seen.map(({ edge, reply }) => [edge.title, reply?.status])).toEqual(statuses);
    expect(seen.map(comparableEdge)).toEqual(expected.seen.map(comparableEdge));
    expect(state).toBe(expected.state);
  },
);

test.each(reachNames.filter((name) => name !== "service.fetch"))(
  "%s lets the page that asked read each answer, also with cookies",
  async (adapter) => {
    const { seen } = await askEdgesBy(adapter);
    for (const { edge, reply } of seen) {
      if (reply === undefined) continue;
      const origin = new Headers(edge.init.headers).get("origin");
      expect(reply.headers, edge.title).toMatchObject({
        "access-control-allow-origin": origin ?? "*",
        "access-control-expose-headers": "x-request-id, retry-after, adgen-outcome",
        vary: expect.stringMatching(/^origin\b/),
      });
      const allowed = reply.headers["access-control-allow-credentials"];
      expect(allowed, edge.title).toBe(origin === null ? undefined : "true");
    }
  },
);

test("every answer and every accepted body fits the OpenAPI document", () => {
  const validator = createAnswerValidator(document);
  for (const { call, question, reply } of direct.exchanges) {
    const name = nameOf(question);
    const body = JSON.parse(reply.body);
    const issues = name
      ? validator.findAnswerIssues(name, reply.status, body)
      : validator.findIssues("FailureEnvelope", body);
    expect(issues, call).toEqual([]);
    if (name === "jobs.get" && body.data?.result) {
      expect(validator.findIssues("JobResult", body.data.result), call).toEqual([]);
    }
    if (name === undefined || reply.status >= 300 || question.body === undefined) continue;
    expect(validator.findBodyIssues(name, JSON.parse(question.body)), call).toEqual([]);
  }
});

/** `FUZZ_RUNS=50000` makes a long run. A run is a conversation of some ten requests. */
const numRuns = Math.ceil(Number(process.env["FUZZ_RUNS"] ?? 400) / 40);

/** Placeholders for the ids that the conversation has created. */
const place = fc.nat(9).map((number) => `id-${number}`);

const requests = requestsOf(document, place, Object.values(keys)).filter(
  // Node's HTTP parser knows only these of the generated methods.
  ({ method }) => /^(GET|HEAD|OPTIONS|POST|PATCH|DELETE|PUT|PROPFIND|QUERY)$/i.test(method),
);

const answersTo = async (ask: Ask, questions: readonly Question[]) => {
  const ids: string[] = [];
  const fill = (text: string): string =>
    text.replace(/id-(\d)/g, (_, number) => ids[number % Math.max(1, ids.length)] ?? "none");
  const answers = [];
  for (const { path, body, ...rest } of questions) {
    const question = { ...rest, path: fill(path), ...(body !== undefined && { body: fill(body) }) };
    const reply = await ask(question);
    answers.push(comparable({ question, reply }));
    const { data } = JSON.parse(reply.body || "{}");
    const id = data?.job_id ?? data?.id;
    if (typeof id === "string") ids.push(id);
  }
  return answers;
};

test(
  "all adapters give the same answers to random requests, byte for byte",
  async () => {
    const conversation = fc.array(requests, { minLength: 5, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(conversation, async (questions) => {
        const direct = createScriptedService();
        const expected = await answersTo(askBy(direct.fetch, "https://ads.test"), questions);
        const [byMsw, byHttp] = [createScriptedService(), createScriptedService()];
        const server = await adapters.HTTP(byHttp);
        expect(await answersTo(askBy(fetch, server.baseUrl), questions)).toEqual(expected);
        await server.close();
        const msw = await adapters["msw/node"](byMsw, { handlers: restOf(byMsw) });
        try {
          // MSW has replaced the global `fetch` since this file was loaded.
          expect(await answersTo(askBy(fetch, msw.baseUrl), questions)).toEqual(expected);
        } finally {
          await msw.close();
        }
        for (const other of [byMsw, byHttp]) expect(stateOf(other)).toBe(stateOf(direct));
      }),
      { numRuns },
    );
  },
  180_000 + numRuns * 1_000,
);
