import { describe, expect, test, vi } from "vitest";
import { actions } from "../../src/contract/actions.ts";
import {
  type AskService,
  askBy,
  type Question,
  type Reply,
} from "../../tools/conformance/exchange.ts";
import { describeVerdict, summarize } from "../../tools/conformance/report.ts";
import {
  couldCost,
  type Outcome,
  runScript,
  type ScriptOptions,
} from "../../tools/conformance/script.ts";
import { createScriptedService, keys, scriptOptions } from "./mock-world.ts";

type Twist = (question: Question, reply: Reply) => Partial<Reply>;

/** Runs the script at a mock whose answers are changed on their way. */
const runAt = async (twist: Twist, options: Partial<ScriptOptions> = {}) => {
  const service = createScriptedService();
  const askService = askBy(service.fetch, "https://ads.test");
  const ask: AskService = async (question) => {
    const reply = await askService(question);
    return { ...reply, ...twist(question, reply) };
  };
  return { service, ...(await runScript(ask, { ...scriptOptions, ...options })) };
};

const straight: Twist = () => ({});

const verdictOf = (outcomes: readonly Outcome[], name: string): string => {
  const found = outcomes.find(({ step }) => step.name === name);
  if (!found) throw new Error(`There is no step "${name}"`);
  return describeVerdict(found);
};

const verdicts = (outcomes: readonly Outcome[]): string[] => [
  ...new Set(outcomes.map(describeVerdict).filter((verdict) => verdict !== "ok")),
];

// Whole conversations: much to do for a machine that has other things to do.
vi.setConfig({ testTimeout: 60_000 });

describe("the script reports a service that breaks a documented rule:", () => {
  test.each<[what: string, twist: Twist, step: string, verdict: string]>([
    [
      "200 for a submitted job",
      (_, { status }) => ({ status: status === 202 ? 200 : status }),
      "writes ad copy",
      "differs (documented: 4. Endpoints, Jobs)",
    ],
    [
      "another order of the actions in its message",
      (_, { body }) => ({ body: body.replace("copy-ad, generate-ad, ", "generate-ad, copy-ad, ") }),
      "refuses an action that is not supported",
      "differs (documented: 7. Errors)",
    ],
    [
      "a message that ends in a full stop",
      (_, { body }) => ({ body: body.replace('video-b-3-0"', 'video-b-3-0."') }),
      "refuses an action that is not supported",
      "differs (documented: 7. Errors)",
    ],
    [
      "403 for a wrong key",
      (_, { status }) => ({ status: status === 401 ? 403 : status }),
      "refuses a wrong key: savedAds.delete",
      "differs (documented: 5. Authentication)",
    ],
    [
      "an envelope without its error",
      (_, { body }) => ({ body: body.replace(',"error":null', "") }),
      "lists jobs",
      "differs (documented: 2. Response envelope)",
    ],
    [
      "data beside an error",
      (_, { body }) => ({ body: body.replace('"data":null', '"data":{}') }),
      "knows no job of an unknown id",
      "differs (documented: 2. Response envelope)",
    ],
    [
      "success in a failure",
      (_, { body }) => ({ body: body.replace('"success":false', '"success":true') }),
      "knows no job of an unknown id",
      "differs (documented: 2. Response envelope)",
    ],
    [
      "no JSON",
      ({ path }) => (path === "/v1/brands" ? { body: "<html>" } : {}),
      "lists brands",
      "differs (documented: 2. Response envelope; assumed A4)",
    ],
    [
      "a state that is none",
      (_, { body }) => ({ body: body.replace('"status":"processing"', '"status":"running"') }),
      "shows a job",
      "differs (documented: 3. States and transitions; assumed A3)",
    ],
    [
      "a submitted job that is not queued",
      (_, { body }) => ({ body: body.replace('"status":"queued"}', '"status":"processing"}') }),
      "writes ad copy",
      "differs (documented: 4. Endpoints, Jobs)",
    ],
  ])("%s", async (_, twist, step, verdict) => {
    const { outcomes } = await runAt(twist);
    expect(verdictOf(outcomes, step)).toBe(verdict);
    expect(summarize(outcomes).documented).toBeGreaterThan(0);
  });

  test("11 variations that are taken", async () => {
    const taken = { success: true, data: { job_id: "j", status: "queued" }, error: null };
    const { outcomes } = await runAt(({ body }) =>
      body?.includes('"variations":11') ? { status: 202, body: JSON.stringify(taken) } : {},
    );
    expect(verdictOf(outcomes, "refuses 11 variations")).toBe("differs (documented: 8. Limits)");
  });

  test("one account that sees another's things", async () => {
    const service = createScriptedService();
    const askService = askBy(service.fetch, "https://ads.test");
    const { outcomes } = await runScript(
      (question) =>
        askService({
          ...question,
          headers: JSON.parse(JSON.stringify(question.headers).replace(keys.second, keys.first)),
        }),
      scriptOptions,
    );
    expect(verdictOf(outcomes, "lists nobody another's brands")).toBe(
      "differs (documented: 4. Endpoints, Brands)",
    );
    expect(verdictOf(outcomes, "shows nobody another's job")).toBe("differs (assumed A16)");
  });
});

describe("the script reports another assumption than the mock's where a service", () => {
  test.each<[what: string, twist: Twist, verdict: string]>([
    [
      "has other words",
      (_, { body }) => ({ body: body.replace("Brand not found", "No such brand") }),
      "differs (assumed A15)",
    ],
    [
      "answers a PATCH with 202",
      ({ method }, { status }) => ({ status: method === "PATCH" && status < 300 ? 202 : status }),
      "differs (assumed A7)",
    ],
    [
      "names its results otherwise",
      (_, { body }) => ({ body: body.replace('"copy":[', '"texts":[') }),
      "differs (assumed A9)",
    ],
  ])("%s, and reports no breach of the document", async (_, twist, verdict) => {
    const { outcomes } = await runAt(twist);
    expect(verdicts(outcomes)).toEqual([verdict]);
    expect(summarize(outcomes)).toMatchObject({ documented: 0, skipped: 0 });
  });
});

describe("a script that may not spend", () => {
  test("submits no job that could cost credits, and lists the skipped steps", async () => {
    const { service, outcomes } = await runAt(straight, { spend: false });
    expect(verdicts(outcomes)).toEqual([
      "skipped (costs credits)",
      expect.stringMatching(/^skipped \(there is no /),
      expect.stringMatching(/^skipped \(there is no /),
    ]);
    for (const { charges } of service.accounts) expect(charges).toEqual([]);
    for (const { exchanges } of outcomes) {
      for (const { question } of exchanges) expect(couldCost(question)).toBe(false);
    }
    expect(service.journal.find({ operation: "jobs.submit" }).length).toBeGreaterThan(30);
  });

  test("asks for nothing that costs even when a step forgets to say that it does", async () => {
    const { outcomes } = await runAt(straight);
    const step = outcomes.find(({ step: { name } }) => name === "takes generate-ad")?.step;
    if (!step) throw new Error("There is no such step");
    const { costs: _, ...forgetful } = step;
    const steps = [forgetful];
    const { service } = await runAt(straight, { spend: false, steps });
    expect(service.journal.entries).toEqual([]);
  });

  test.each(actions.filter((action) => action !== "generate-ad-copy"))(
    "knows that %s costs",
    (action) => {
      const body = JSON.stringify({ action });
      for (const text of [body, body.toUpperCase(), `{"type":" ${action} "`]) {
        expect(couldCost({ method: "POST", path: "/v1/jobs", headers: {}, body: text })).toBe(true);
      }
      expect(couldCost({ method: "POST", path: "/v1/brands", headers: {}, body })).toBe(false);
    },
  );

  test("knows that text is free", () => {
    const body = '{"action":"generate-ad-copy"}';
    expect(couldCost({ method: "POST", path: "/v1/jobs", headers: {}, body })).toBe(false);
  });
});

describe("the script deletes its brands and ads", () => {
  const isEmpty = ({ accounts }: ReturnType<typeof createScriptedService>): boolean =>
    accounts.every(({ brands, savedAds }) => brands.length + savedAds.length === 0);

  const upTo = async (name: string) => {
    const { outcomes } = await runAt(straight);
    const steps = outcomes.map(({ step }) => step);
    return steps.slice(0, steps.findIndex((step) => step.name === name) + 1);
  };

  test.each(["creates a brand", "saves another", "deletes an ad"])(
    'when it ends after "%s"',
    async (name) => {
      const { service, left } = await runAt(straight, { steps: await upTo(name) });
      expect(
        service.journal.find({ operation: "brands.create", status: 201 }).length,
      ).toBeGreaterThan(0);
      expect(isEmpty(service)).toBe(true);
      expect(left).toEqual([]);
    },
  );

  test("when it is stopped in the middle", async () => {
    const stop = new AbortController();
    const { service, outcomes } = await runAt(straight, {
      signal: stop.signal,
      onOutcome: ({ step }) => {
        if (step.name === "saves an ad") stop.abort();
      },
    });
    expect(isEmpty(service)).toBe(true);
    expect(verdictOf(outcomes, "saves an ad")).toBe("ok");
    expect(verdictOf(outcomes, "saves another")).toBe("skipped (stopped)");
  });

  test("when the answer to its creation got lost", async () => {
    const { service, outcomes } = await runAt(({ method, path }) => {
      if (method === "POST" && path === "/v1/brands") throw new Error("reset");
      return {};
    });
    expect(verdictOf(outcomes, "creates a brand")).toBe(
      "differs (documented: 1. What the service does)",
    );
    expect(verdictOf(outcomes, "updates a brand")).toBe("skipped (no answer to three requests)");
    expect(service.journal.find({ operation: "brands.create", status: 201 })).toHaveLength(3);
    expect(isEmpty(service)).toBe(true);
  });

  test("when a service creates what the mock refuses", async () => {
    const service = createScriptedService();
    const askService = askBy(service.fetch, "https://ads.test");
    const { left, outcomes } = await runScript(async (question) => {
      if (question.method !== "POST" || question.path !== "/v1/brands") return askService(question);
      const body = JSON.stringify({ name: "Conformance, whatever was sent" });
      return askService({ ...question, body });
    }, scriptOptions);
    expect(verdictOf(outcomes, "creates no brand without a name")).toMatch(/^differs/);
    expect(isEmpty(service)).toBe(true);
    expect(left).toEqual([]);
  });

  test("and names those that it cannot delete", async () => {
    const { left } = await runAt(({ method }) => (method === "DELETE" ? { status: 500 } : {}), {
      steps: await upTo("creates a brand"),
    });
    expect(left).toEqual([expect.stringMatching(/^\/v1\/brands\/brand_/)]);
  });
});

describe("the script waits for a job", () => {
  const pending: Twist = ({ method, path }, { body }) =>
    method === "GET" && path.startsWith("/v1/jobs/")
      ? { body: body.replace('"status":"completed"', '"status":"processing"') }
      : {};

  test("no longer than it is told to", async () => {
    const { outcomes } = await runAt(pending, { pollTimeoutMs: 30, pollIntervalMs: 5 });
    expect(verdictOf(outcomes, "finishes a job")).toBe(
      "differs (documented: 3. States and transitions)",
    );
  });

  test("and gives up on a service that does not answer", async () => {
    let asked = 0;
    const { outcomes } = await runScript(async () => {
      asked += 1;
      throw new Error("no connection");
    }, scriptOptions);
    expect(asked).toBe(3);
    expect(verdictOf(outcomes, "deletes a brand")).toBe("skipped (no answer to three requests)");
  });
});
