import { describe, expect, test } from "vitest";
import { causesOf, summarize } from "../../mocks/conformance/check/report.ts";
import { couldCost, runScript } from "../../mocks/conformance/check/script.ts";
import { type AskService, askBy, type Question } from "../../mocks/conformance/exchange.ts";
import { actions } from "../../src/contract/actions.ts";
import {
  createScriptedService,
  keys,
  restate,
  reword,
  runAt,
  scriptOptions,
  straight,
  succeed,
  type Twist,
  verdictOf,
  verdicts,
  when,
} from "./mock-world.ts";

/** Runs the script at a service that gets other requests than the script sends. */
const runChanged = (change: (question: Question) => Question) => {
  const service = createScriptedService();
  const askService = askBy(service.fetch, "https://ads.test");
  const ask: AskService = (question) => askService(change(question));
  return runScript(ask, scriptOptions).then((report) => ({ service, ...report }));
};

describe("the script reports a service that breaks a documented rule:", () => {
  const processing = reword('"status":"queued"}', '"status":"processing"}');
  const taken = succeed(202, { job_id: "j", status: "queued" });
  const otherOrder = reword("copy-ad, generate-ad, ", "generate-ad, copy-ad, ");
  const noJson = when(
    ({ path }) => path === "/v1/brands",
    () => ({ body: "<html>" }),
  );
  const takes11 = when(({ body }) => body?.includes('"variations":11'), taken);
  const running = reword('"status":"processing"', '"status":"running"');
  const unsupported = "refuses an action that is not supported";
  const wrongKey = "refuses a wrong key: savedAds.delete";
  const unknown = "knows no job of an unknown id";

  test.each<[what: string, twist: Twist, step: string, rules: string]>([
    ["200 for a job", restate(202, 200), "writes ad copy", "4. Endpoints, Jobs)"],
    ["another order of actions in its message", otherOrder, unsupported, "7. Errors)"],
    ["a full stop", reword('video-b-3-0"', 'video-b-3-0."'), unsupported, "7. Errors)"],
    ["403 for a wrong key", restate(401, 403), wrongKey, "5. Authentication)"],
    ["no error in it", reword(',"error":null', ""), "lists jobs", "2. Response envelope)"],
    ["data beside an error", reword('"data":null', '"data":{}'), unknown, "2. Response envelope)"],
    ["success in a failure", reword(":false", ":true"), unknown, "2. Response envelope)"],
    ["no JSON", noJson, "lists brands", "2. Response envelope); differs from A4"],
    ["no state", running, "shows a job", "3. States and transitions)"],
    ["a new job that is not queued", processing, "writes ad copy", "4. Endpoints, Jobs)"],
    ["11 variations that are taken", takes11, "refuses 11 variations", "8. Limits)"],
  ])("%s", async (_, twist, step, rules) => {
    const { outcomes } = await runAt(twist);
    expect(verdictOf(outcomes, step)).toBe(`breaks the document (${rules}`);
    expect(summarize(outcomes).breaks).toBeGreaterThan(0);
  });

  test("one account that sees another's things", async () => {
    const { outcomes } = await runChanged((question) => ({
      ...question,
      headers: JSON.parse(JSON.stringify(question.headers).replace(keys.second, keys.first)),
    }));
    const brands = verdictOf(outcomes, "lists nobody another's brands");
    expect(brands).toBe("breaks the document (4. Endpoints, Brands)");
    expect(verdictOf(outcomes, "shows nobody another's job")).toBe("differs from A16");
  });
});

test.each<[what: string, twist: Twist, assumption: string]>([
  ["has other words", reword("Brand not found", "No such brand"), "A15"],
  ["answers a PATCH with 202", when(({ method }) => method === "PATCH", restate(200, 202)), "A7"],
  ["names its results otherwise", reword('"copy":[', '"texts":['), "A9"],
])("the script reports an assumption alone where a service %s", async (_, twist, assumption) => {
  const { outcomes } = await runAt(twist);
  expect(verdicts(outcomes)).toEqual([`differs from ${assumption}`]);
  expect(summarize(outcomes)).toMatchObject({ breaks: 0, skipped: 0 });
});

describe("the script waits", () => {
  const pending = when(
    ({ method, path }) => method === "GET" && path.startsWith("/v1/jobs/"),
    reword('"status":"completed"', '"status":"processing"'),
  );

  test("for a job no longer than it is told to", async () => {
    const { outcomes } = await runAt(pending, { pollTimeoutMs: 30, pollIntervalMs: 5 });
    const verdict = "breaks the document (3. States and transitions)";
    expect(verdictOf(outcomes, "finishes a job")).toBe(verdict);
  });

  test("for a job in a state that the document does not name no longer than for that", async () => {
    const states = { queued: "pending", processing: "running", completed: "succeeded" };
    const renamed: Twist = (_, { body }) => ({
      body: body.replaceAll(/(?<="status":")\w+/g, (state) => states[state as "queued"] ?? state),
    });
    const { outcomes } = await runAt(renamed, { strangeStateMs: 20, pollIntervalMs: 5 });
    const causes = causesOf(outcomes);
    expect(causes).toHaveLength(1);
    expect(causes).toMatchObject([
      {
        rule: { documented: "3. States and transitions" },
        what: expect.stringMatching(/^a status of/),
      },
    ]);
    expect(causes[0]?.seen.toSorted()).toEqual(['"pending"', '"running"', '"succeeded"']);
    const waited = outcomes.find(({ step }) => step.name === "finishes a job");
    expect(waited?.exchanges.length).toBeLessThan(10);
  });

  test("for nothing once it is stopped, and does not blame the service for that", async () => {
    const stop = new AbortController();
    let polls = 0;
    const stopping: Twist = (question, reply) => {
      const twisted = pending(question, reply);
      polls = "body" in twisted && reply.status === 200 ? polls + 1 : 0;
      if (polls === 3) stop.abort();
      return twisted;
    };
    const { outcomes } = await runAt(stopping, { signal: stop.signal });
    expect(verdictOf(outcomes, "finishes a job")).toBe("skipped (stopped)");
    const waited = outcomes.find(({ exchanges }) => exchanges.length > 1);
    expect(waited?.step.name).toBe("finishes a job");
    expect(summarize(outcomes).breaks).toBe(0);
  });

  test("for three answers that do not come", async () => {
    let asked = 0;
    const ask = async () => {
      asked += 1;
      throw new Error("no connection");
    };
    const { outcomes } = await runScript(ask, scriptOptions);
    expect(asked).toBe(3);
    expect(verdictOf(outcomes, "deletes a brand")).toBe("skipped (no answer to three requests)");
  });
});

describe("a script that may not spend", () => {
  test("submits nothing that could cost, though a step forgets to say so", async () => {
    const { outcomes } = await runAt(straight);
    const step = outcomes.find(({ step: { name } }) => name === "takes generate-ad")?.step;
    if (!step) throw new Error("There is no such step");
    const { costs: _, ...forgetful } = step;
    const careful = await runAt(straight, { spend: false, steps: [step, forgetful] });
    expect(verdicts(careful.outcomes)).toEqual(["skipped (costs credits)"]);
    expect(careful.service.journal.entries).toEqual([]);
  });

  test.each(actions)("knows whether %s costs", (action) => {
    const body = JSON.stringify({ action });
    for (const text of [body, body.toUpperCase(), `{"type":" ${action} "`]) {
      const submission = { method: "POST", path: "/v1/jobs", headers: {}, body: text };
      expect(couldCost(submission)).toBe(action !== "generate-ad-copy");
      expect(couldCost({ ...submission, path: "/v1/brands" })).toBe(false);
    }
  });
});

describe("the script deletes its brands and ads", () => {
  const isEmpty = ({ accounts }: ReturnType<typeof createScriptedService>): boolean =>
    accounts.every(({ brands, savedAds }) => brands.length + savedAds.length === 0);

  const upTo = async (name: string) => {
    const steps = (await runAt(straight)).outcomes.map(({ step }) => step);
    return steps.slice(0, steps.findIndex((step) => step.name === name) + 1);
  };

  const ends = ["creates a brand", "saves another", "deletes an ad"];
  test.each(ends)('when it ends after "%s"', async (name) => {
    const { service, left } = await runAt(straight, { steps: await upTo(name) });
    const created = service.journal.find({ operation: "brands.create", status: 201 });
    expect(created.length).toBeGreaterThan(0);
    expect([isEmpty(service), left]).toEqual([true, []]);
  });

  test("when the answer to its creation got lost", async () => {
    const lose: Twist = () => {
      throw new Error("reset");
    };
    const { service, outcomes } = await runAt(
      when(({ method, path }) => method === "POST" && path === "/v1/brands", lose),
    );
    expect(verdictOf(outcomes, "creates a brand")).toBe("unanswered (no answer: reset)");
    expect(verdictOf(outcomes, "updates a brand")).toBe("skipped (no answer to three requests)");
    expect(service.journal.find({ operation: "brands.create", status: 201 })).toHaveLength(3);
    expect(isEmpty(service)).toBe(true);
  });

  test("when a service creates what the mock refuses", async () => {
    const body = JSON.stringify({ name: "Conformance, whatever was sent" });
    const isCreation = ({ method, path }: Question) => method === "POST" && path === "/v1/brands";
    const { service, left, outcomes } = await runChanged((question) => ({
      ...question,
      ...(isCreation(question) && { body }),
    }));
    expect(verdictOf(outcomes, "creates no brand without a name")).toMatch(/^differs/);
    expect([isEmpty(service), left]).toEqual([true, []]);
  });

  test("and names those that it cannot delete", async () => {
    const failing = when(({ method }) => method === "DELETE", restate(200, 500));
    const { left } = await runAt(failing, { steps: await upTo("creates a brand") });
    expect(left).toEqual([expect.stringMatching(/^\/v1\/brands\/brand_/)]);
  });
});
