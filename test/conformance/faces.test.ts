import { http } from "msw";
import { beforeAll, describe, expect, test } from "vitest";
import { couldCost, runScript, script } from "../../mocks/conformance/check/script.ts";
import { askBy, readAnswer } from "../../mocks/conformance/exchange.ts";
import { type Action, creditOfAction } from "../../src/contract/actions.ts";
import { type Endpoint, endpoints } from "../../src/contract/endpoint.ts";
import { findIssues as findContractIssues } from "../../src/contract/schema.ts";
import { generateOpenApi } from "../../tools/openapi/document.ts";
import { type Face, faceNames, faces } from "../helpers/faces.ts";
import { createAnswerValidator } from "./answer-validator.ts";
import { comparable, createScriptedService, scriptOptions } from "./mock-world.ts";

/** Runs the script through a face, and looks at the world that it leaves behind. */
const converse = async (face: Face) => {
  const service = createScriptedService();
  // The service's handlers are for the API's own paths. The script asks for other paths too.
  const rest = http.all("*", ({ request }) => service.fetch(request));
  const { baseUrl, fetch: own = fetch, close } = await faces[face](service, { handlers: [rest] });
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
  test("finds nothing that differs, skips nothing and leaves nothing behind", () => {
    const differing = direct.outcomes
      .filter(({ verdict }) => verdict !== "ok")
      .map(({ step, reason, differences }) => [step.name, reason, differences]);
    expect(differing).toEqual([]);
    expect(direct.left).toEqual([]);
  });

  test("goes through every endpoint, every success and every documented failure", () => {
    expect(direct.exchanges.length).toBeGreaterThanOrEqual(120);
    const reached = new Set(
      direct.exchanges.map(({ step, status }) => `${step.operation} ${status}`),
    );
    for (const [name, { status, path }] of Object.entries<Endpoint>(endpoints)) {
      const expected = [status, 401, ...(path.includes(":id") ? [404] : [])];
      for (const code of expected) expect(reached).toContain(`${name} ${code}`);
    }
    expect(reached).toContain("jobs.submit 400");
    expect(reached).toContain("jobs.submit 402");
  });

  test("has one name for each step, and marks all that could be charged, and nothing else", () => {
    expect(new Set(script.map(({ name }) => name)).size).toBe(script.length);
    for (const { step, exchanges } of direct.outcomes) {
      const [first] = exchanges;
      if (first === undefined) throw new Error(`${step.name} was not asked`);
      expect(couldCost(first.question), step.name).toBe(step.costs === true);
    }
  });
});

test.each(faceNames)(
  "%s, in a world of its own, answers as the service's own fetch, byte for byte",
  async (face) => {
    const { exchanges, world } = await converse(face);
    expect(exchanges.map(comparable)).toEqual(direct.exchanges.map(comparable));
    expect(world).toBe(direct.world);
  },
);

test("every success fits the contract that the client reads it by", () => {
  const seen = new Set<string>();
  for (const { step, status, data } of direct.exchanges) {
    if (step.operation === undefined || status >= 300) continue;
    const { status: expected, list, answer }: Endpoint = endpoints[step.operation];
    expect(status, step.name).toBe(expected);
    for (const item of list === undefined ? [data] : data[list]) {
      expect(findContractIssues(answer, item), step.name).toEqual([]);
      seen.add(step.operation);
    }
  }
  expect([...seen].sort()).toEqual(Object.keys(endpoints).sort());
});

test("every answer fits the OpenAPI document, and so do results, and the bodies that were taken", () => {
  const document = createAnswerValidator(generateOpenApi("1.0.0"));
  const kinds = { image: "ImageResult", video: "VideoResult", copy: "CopyResult" };
  const seen = new Set<string>();
  for (const { step, question, reply, status, data } of direct.exchanges) {
    const { name, operation } = step;
    const body = JSON.parse(reply.body);
    const issues = operation
      ? document.findAnswerIssues(operation, status, body)
      : document.findIssues("FailureEnvelope", body);
    expect(issues, name).toEqual([]);
    expect(reply.headers["x-request-id"], name).toMatch(/^req_\w+$/);
    expect(reply.headers["retry-after"] ?? "0", name).toMatch(/^\d+$/);
    if (operation === undefined || status >= 300) continue;
    if (question.body !== undefined) {
      const sent = JSON.parse(question.body);
      expect(document.findBodyIssues(operation, sent), name).toEqual([]);
    }
    if (operation === "jobs.get" && data.status === "completed") {
      const kind = kinds[creditOfAction[data.action as Action] ?? "copy"];
      expect(document.findIssues(kind, data.result), name).toEqual([]);
      seen.add(kind);
    }
  }
  expect([...seen].sort()).toEqual(Object.values(kinds).sort());
});
