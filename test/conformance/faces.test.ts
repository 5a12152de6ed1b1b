import fc from "fast-check";
import { http } from "msw";
import { beforeAll, describe, expect, test } from "vitest";
import { couldCost, runScript, script } from "../../mocks/conformance/check/script.ts";
import {
  type AskService,
  askBy,
  type Question,
  readAnswer,
} from "../../mocks/conformance/exchange.ts";
import type { MockService } from "../../mocks/index.ts";
import { type Action, creditOfAction } from "../../src/contract/actions.ts";
import { type Endpoint, endpoints } from "../../src/contract/endpoint.ts";
import { generateOpenApi } from "../../tools/openapi/document.ts";
import { type Face, faceNames, faces } from "../helpers/faces.ts";
import { createAnswerValidator } from "./answer-validator.ts";
import { requestsOf } from "./arbitrary-requests.ts";
import { comparable, createScriptedService, keys, scriptOptions } from "./mock-world.ts";

const document = generateOpenApi("1.0.0");

/** The service's handlers are for the API's own paths. Tests ask for other paths too. */
const restOf = ({ fetch }: MockService) => [http.all("*", ({ request }) => fetch(request))];

/** Runs the script through a face, and looks at the world that it leaves behind. */
const converse = async (face: Face) => {
  const service = createScriptedService();
  const handlers = restOf(service);
  const { baseUrl, fetch: own = fetch, close } = await faces[face](service, { handlers });
  try {
    const { outcomes, left } = await runScript(askBy(own, baseUrl), scriptOptions);
    const exchanges = outcomes.flatMap(({ step, exchanges }) =>
      exchanges.map((exchange) => ({ step, ...exchange, ...readAnswer(exchange.reply) })),
    );
    return { outcomes, left, exchanges, world: JSON.stringify(service.snapshot()) };
  } finally {
    await close();
  }
};

let direct: Awaited<ReturnType<typeof converse>>;

beforeAll(async () => {
  direct = await converse("service.fetch");
});

describe("the script", () => {
  test("finds nothing that differs, skips and leaves nothing, and has one name for each step", () => {
    const differing = direct.outcomes
      .filter(({ verdict }) => verdict !== "ok")
      .map(({ step, reason, differences }) => [step.name, reason, differences]);
    expect(differing).toEqual([]);
    expect(direct.left).toEqual([]);
    expect(new Set(script.map(({ name }) => name)).size).toBe(script.length);
  });

  test("goes through every endpoint, every success and every documented failure", () => {
    expect(direct.exchanges.length).toBeGreaterThanOrEqual(120);
    const { exchanges } = direct;
    const reached = new Set(exchanges.map(({ step, status }) => `${step.operation} ${status}`));
    for (const [name, { status, path }] of Object.entries<Endpoint>(endpoints)) {
      const expected = [status, 401, ...(path.includes(":id") ? [404] : [])];
      for (const code of expected) expect(reached).toContain(`${name} ${code}`);
    }
    expect(reached).toContain("jobs.submit 400");
    expect(reached).toContain("jobs.submit 402");
  });

  test("marks all that could be charged, and nothing else", () => {
    for (const { step, exchanges } of direct.outcomes) {
      const [isCostly] = exchanges.map(({ question }) => couldCost(question));
      expect(isCostly, step.name).toBe(step.costs === true);
    }
  });
});

test.each(faceNames)("%s answers as the service's own fetch, byte for byte", async (face) => {
  const { exchanges, world } = await converse(face);
  expect(exchanges.map(comparable)).toEqual(direct.exchanges.map(comparable));
  expect(world).toBe(direct.world);
});

test("every answer fits the OpenAPI document, and so do results, and the bodies that were taken", () => {
  const validator = createAnswerValidator(document);
  const kinds = { image: "images", video: "videos", copy: "copy" };
  const seen = new Set<string>();
  for (const { step, question, reply, status, data } of direct.exchanges) {
    const { name, operation } = step;
    const body = JSON.parse(reply.body);
    const issues = operation
      ? validator.findAnswerIssues(operation, status, body)
      : validator.findIssues("FailureEnvelope", body);
    expect(issues, name).toEqual([]);
    expect(reply.headers["x-request-id"], name).toMatch(/^req_\w+$/);
    expect(reply.headers["retry-after"] ?? "0", name).toMatch(/^\d+$/);
    if (operation === undefined || status >= 300) continue;
    if (question.body !== undefined) {
      const sent = JSON.parse(question.body);
      expect(validator.findBodyIssues(operation, sent), name).toEqual([]);
    }
    if (operation === "jobs.get" && data.status === "completed") {
      const kind = kinds[creditOfAction[data.action as Action] ?? "copy"];
      expect(validator.findIssues("JobResult", data.result), name).toEqual([]);
      expect(Object.keys(data.result), name).toEqual([kind]);
      seen.add(kind);
    }
  }
  expect([...seen].sort()).toEqual(Object.values(kinds).sort());
});

/** More in a long run: `FUZZ_RUNS=50000`. A run is a conversation of some ten requests. */
const numRuns = Math.ceil(Number(process.env["FUZZ_RUNS"] ?? 400) / 40);

/** Places for the ids that the conversation itself has brought up. */
const place = fc.nat(9).map((number) => `id-${number}`);

const requests = requestsOf(document, place, Object.values(keys)).filter(
  // Node's HTTP parser knows no others.
  ({ method }) => /^(GET|HEAD|OPTIONS|POST|PATCH|DELETE|PUT|PROPFIND|QUERY)$/i.test(method),
);

const answersTo = async (ask: AskService, questions: readonly Question[]) => {
  const ids: string[] = [];
  const fill = (text: string): string =>
    text.replace(/id-(\d)/g, (_, number) => ids[number % Math.max(1, ids.length)] ?? "none");
  const answers = [];
  for (const { path, body, ...rest } of questions) {
    const question = { ...rest, path: fill(path), ...(body !== undefined && { body: fill(body) }) };
    const reply = await ask(question);
    answers.push(comparable({ question, reply }));
    const { data } = readAnswer(reply);
    const id = data?.job_id ?? data?.id;
    if (typeof id === "string") ids.push(id);
  }
  return answers;
};

test(
  "whatever they are asked, all faces answer alike, byte for byte",
  async () => {
    const [byMsw, byHttp] = [createScriptedService(), createScriptedService()];
    const fresh = createScriptedService().snapshot();
    const server = await faces.HTTP(byHttp);
    const conversation = fc.array(requests, { minLength: 5, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(conversation, async (questions) => {
        const direct = createScriptedService();
        const expected = await answersTo(askBy(direct.fetch, "https://ads.test"), questions);
        byHttp.restore(fresh);
        expect(await answersTo(askBy(fetch, server.baseUrl), questions)).toEqual(expected);
        byMsw.restore(fresh);
        const msw = await faces["msw/node"](byMsw, { handlers: restOf(byMsw) });
        try {
          // Not the fetch of the file's beginning: MSW puts its own in the place of it.
          expect(await answersTo(askBy(fetch, msw.baseUrl), questions)).toEqual(expected);
        } finally {
          await msw.close();
        }
        const world = JSON.stringify(direct.snapshot());
        for (const { snapshot } of [byMsw, byHttp]) expect(JSON.stringify(snapshot())).toBe(world);
      }),
      { numRuns },
    );
    await server.close();
  },
  180_000 + numRuns * 1_000,
);
