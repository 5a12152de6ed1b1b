import fc from "fast-check";
import { http } from "msw";
import { beforeAll, describe, expect, test } from "vitest";
import { match } from "../../mocks/http/match.ts";
import type { MockService } from "../../mocks/index.ts";
import { type Endpoint, endpoints } from "../../src/contract/endpoint.ts";
import { generateOpenApi } from "../../tools/openapi/document.ts";
import { type Face, faceNames, faces } from "../helpers/faces.ts";
import { createAnswerValidator } from "./answer-validator.ts";
import { requestsOf } from "./arbitrary-requests.ts";
import {
  type Ask,
  askBy,
  comparable,
  converse,
  createScriptedService,
  keys,
  type Question,
  worldOf,
} from "./conversation.ts";

const document = generateOpenApi("1.0.0");

/** The service's handlers are for the API's own paths. Tests ask for other paths too. */
const restOf = ({ fetch }: MockService) => [http.all("*", ({ request }) => fetch(request))];

/** Runs the conversation through a face, and looks at the world that it leaves behind. */
const converseBy = async (face: Face) => {
  const service = createScriptedService();
  const handlers = restOf(service);
  const { baseUrl, fetch: own = fetch, close } = await faces[face](service, { handlers });
  try {
    const exchanges = await converse(askBy(own, baseUrl));
    return { exchanges, world: worldOf(service) };
  } finally {
    await close();
  }
};

let direct: Awaited<ReturnType<typeof converseBy>>;

beforeAll(async () => {
  direct = await converseBy("service.fetch");
});

const nameOf = ({ method, path }: Question) => {
  const found = match(method, new URL(path, "https://ads.test"), undefined);
  return "name" in found ? found.name : undefined;
};

describe("the conversation", () => {
  test("gets the status that each request is to get", () => {
    const got = direct.exchanges.map(({ call, question, reply }) => [
      call,
      question.body,
      reply.status,
    ]);
    const wanted = direct.exchanges.map(({ call, question, expected }) => [
      call,
      question.body,
      expected,
    ]);
    expect(got).toEqual(wanted);
  });

  test("goes through every endpoint, every success and every documented failure", () => {
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

test.each(faceNames)("%s answers as the service's own fetch, byte for byte", async (face) => {
  const { exchanges, world } = await converseBy(face);
  expect(exchanges.map(comparable)).toEqual(direct.exchanges.map(comparable));
  expect(world).toBe(direct.world);
});

test.each(faceNames)("%s answers HEAD and OPTIONS as the service's own fetch", async (face) => {
  const authorization = `Bearer ${keys.first}`;
  const asked = { origin: "https://shop.test", "access-control-request-method": "POST" };
  const questions = [
    ...["/v1/jobs", "/v1/jobs/none", "/v1/brands"].map((path) => ["HEAD", path] as const),
    ...["/v1/jobs", "/v1/brands/none/ads", "/v1/none"].map((path) => ["OPTIONS", path] as const),
  ].map(([method, path]) => ({ method, path, headers: { authorization } }));
  const preflight = { method: "OPTIONS", path: "/v1/jobs", headers: asked };
  const answersBy = async (name: Face) => {
    const service = createScriptedService();
    const { baseUrl, fetch: own = fetch, close } = await faces[name](service, {});
    try {
      const ask = askBy(own, baseUrl);
      const answers = [];
      for (const question of [...questions, preflight]) {
        answers.push(comparable({ question, reply: await ask(question) }));
      }
      return { answers, world: worldOf(service) };
    } finally {
      await close();
    }
  };
  expect(await answersBy(face)).toEqual(await answersBy("service.fetch"));
});

test("every answer fits the OpenAPI document, and so do the bodies that were taken", () => {
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

/** More in a long run: `FUZZ_RUNS=50000`. A run is a conversation of some ten requests. */
const numRuns = Math.ceil(Number(process.env["FUZZ_RUNS"] ?? 400) / 40);

/** Places for the ids that the conversation itself has brought up. */
const place = fc.nat(9).map((number) => `id-${number}`);

const requests = requestsOf(document, place, Object.values(keys)).filter(
  // Node's HTTP parser knows no others.
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
  "whatever they are asked, all faces answer alike, byte for byte",
  async () => {
    const conversation = fc.array(requests, { minLength: 5, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(conversation, async (questions) => {
        const direct = createScriptedService();
        const expected = await answersTo(askBy(direct.fetch, "https://ads.test"), questions);
        const [byMsw, byHttp] = [createScriptedService(), createScriptedService()];
        const server = await faces.HTTP(byHttp);
        expect(await answersTo(askBy(fetch, server.baseUrl), questions)).toEqual(expected);
        await server.close();
        const msw = await faces["msw/node"](byMsw, { handlers: restOf(byMsw) });
        try {
          // Not the fetch of the file's beginning: MSW puts its own in the place of it.
          expect(await answersTo(askBy(fetch, msw.baseUrl), questions)).toEqual(expected);
        } finally {
          await msw.close();
        }
        for (const other of [byMsw, byHttp]) expect(worldOf(other)).toBe(worldOf(direct));
      }),
      { numRuns },
    );
  },
  180_000 + numRuns * 1_000,
);
