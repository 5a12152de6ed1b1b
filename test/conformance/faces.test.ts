import { http } from "msw";
import { setupServer } from "msw/node";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { createHandlers } from "../../mocks/msw.ts";
import { startMockServer } from "../../mocks/server.ts";
import { type Action, creditOfAction } from "../../src/contract/actions.ts";
import { type Endpoint, endpoints } from "../../src/contract/endpoint.ts";
import { type AskService, askBy, readAnswer } from "../../tools/conformance/exchange.ts";
import { couldCost, type Outcome, runScript, script } from "../../tools/conformance/script.ts";
import { generateOpenApi } from "../../tools/openapi/document.ts";
import { createAnswerValidator } from "./answer-validator.ts";
import { comparable, createScriptedService, scriptOptions } from "./mock-world.ts";

/** Runs the script, and looks at the world that it leaves behind. */
const converse = async (
  ask: AskService,
  service: ReturnType<typeof createScriptedService>,
): Promise<{ outcomes: readonly Outcome[]; left: readonly string[]; world: string }> => ({
  ...(await runScript(ask, scriptOptions)),
  world: JSON.stringify(service.snapshot()),
});

const byFetch = () => {
  const service = createScriptedService();
  return converse(askBy(service.fetch, "https://ads.test"), service);
};

const byMsw = async () => {
  const service = createScriptedService();
  // Handlers are for the API's own paths; what a consumer does with others is not their matter.
  const rest = http.all("*", ({ request }) => service.fetch(request));
  const server = setupServer(...createHandlers(service), rest);
  server.listen({ onUnhandledFrame: "error" });
  try {
    return await converse(askBy(fetch, "https://ads.test"), service);
  } finally {
    server.close();
  }
};

const byHttp = async () => {
  const service = createScriptedService();
  await using server = await startMockServer({ service });
  return await converse(askBy(fetch, server.url), service);
};

// Whole conversations: much to do for a machine that has other things to do.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let direct: Awaited<ReturnType<typeof byFetch>>;

beforeAll(async () => {
  direct = await byFetch();
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

  test.each([
    ["fetch, a second time", byFetch],
    ["MSW's handlers", byMsw],
    ["the HTTP server", byHttp],
  ])("%s", async (_, run) => {
    const { outcomes, world } = await run();
    expect(answers(outcomes)).toEqual(answers(direct.outcomes));
    expect(world).toBe(direct.world);
  });
});

describe("every answer fits the OpenAPI document", () => {
  const { findAnswerIssues, findBodyIssues, findIssues } = createAnswerValidator(
    generateOpenApi("1.0.0"),
  );

  test("whatever was asked", () => {
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
