import { http } from "msw";
import { beforeAll, describe, expect, test } from "vitest";
import {
  couldCost,
  type Outcome,
  runScript,
  script,
} from "../../mocks/conformance/check/script.ts";
import { askBy, readAnswer } from "../../mocks/conformance/exchange.ts";
import { type Action, creditOfAction } from "../../src/contract/actions.ts";
import { type Endpoint, endpoints } from "../../src/contract/endpoint.ts";
import { findIssues } from "../../src/contract/schema.ts";
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
    const report = await runScript(askBy(own, baseUrl), scriptOptions);
    return { ...report, world: JSON.stringify(service.snapshot()) };
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
    const exchanges = direct.outcomes.flatMap(({ exchanges }) => exchanges);
    expect(exchanges.length).toBeGreaterThanOrEqual(120);
    const reached = new Set(
      direct.outcomes.flatMap(({ step, exchanges }) =>
        exchanges.map(({ reply }) => `${step.operation} ${reply.status}`),
      ),
    );
    for (const [name, { status, path }] of Object.entries<Endpoint>(endpoints)) {
      const expected = [status, 401, ...(path.includes(":id") ? [404] : [])];
      for (const code of expected) expect(reached).toContain(`${name} ${code}`);
    }
    expect(reached).toContain("jobs.submit 400");
    expect(reached).toContain("jobs.submit 402");
  });

  test("has a name for each step, and only one", () => {
    const names = script.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test("marks all that could be charged, and nothing else", () => {
    for (const { step, exchanges } of direct.outcomes) {
      const [first] = exchanges;
      if (first === undefined) throw new Error(`${step.name} was not asked`);
      expect(couldCost(first.question), step.name).toBe(step.costs === true);
    }
  });
});

describe("every face answers as the service's own fetch, byte for byte", () => {
  const answers = (outcomes: readonly Outcome[]) =>
    outcomes.flatMap(({ exchanges }) => exchanges.map(comparable));

  test.each(faceNames)("%s, in a world of its own", async (face) => {
    const { outcomes, world } = await converse(face);
    expect(answers(outcomes)).toEqual(answers(direct.outcomes));
    expect(world).toBe(direct.world);
  });
});

test("every success fits the contract that the client reads it by", () => {
  const seen = new Set<string>();
  for (const { step, exchanges } of direct.outcomes) {
    for (const { reply } of exchanges) {
      if (step.operation === undefined || reply.status >= 300) continue;
      const { status, list, answer }: Endpoint = endpoints[step.operation];
      const { data } = readAnswer(reply);
      expect(reply.status, step.name).toBe(status);
      for (const item of list === undefined ? [data] : data[list]) {
        expect(findIssues(answer, item), step.name).toEqual([]);
        seen.add(step.operation);
      }
    }
  }
  expect([...seen].sort()).toEqual(Object.keys(endpoints).sort());
});

describe("every answer fits the OpenAPI document", () => {
  const { findAnswerIssues, findBodyIssues, findIssues } = createAnswerValidator(
    generateOpenApi("1.0.0"),
  );

  test("to every request", () => {
    for (const { step, exchanges } of direct.outcomes) {
      for (const { reply } of exchanges) {
        const body = JSON.parse(reply.body);
        const issues = step.operation
          ? findAnswerIssues(step.operation, reply.status, body)
          : findIssues("FailureEnvelope", body);
        expect(issues, step.name).toEqual([]);
        expect(reply.headers["x-request-id"], step.name).toMatch(/^req_\w+$/);
        expect(reply.headers["retry-after"] ?? "0", step.name).toMatch(/^\d+$/);
      }
    }
  });

  test("and so do the results, each to the kind of its action", () => {
    const kinds = { image: "ImageResult", video: "VideoResult", copy: "CopyResult" };
    const seen = new Set<string>();
    for (const { step, exchanges } of direct.outcomes) {
      for (const { reply } of exchanges) {
        const { status, data } = readAnswer(reply);
        if (step.operation !== "jobs.get" || status !== 200 || data.status !== "completed")
          continue;
        const kind = kinds[creditOfAction[data.action as Action] ?? "copy"];
        expect(findIssues(kind, data.result), step.name).toEqual([]);
        seen.add(kind);
      }
    }
    expect([...seen].sort()).toEqual(Object.values(kinds).sort());
  });

  test("and so does every body that was taken", () => {
    for (const { step, exchanges } of direct.outcomes) {
      for (const { question, reply } of exchanges) {
        if (reply.status >= 300 || question.body === undefined || !step.operation) continue;
        expect(findBodyIssues(step.operation, JSON.parse(question.body)), step.name).toEqual([]);
      }
    }
  });
});
