import { describe, expect, onTestFinished, test, vi } from "vitest";
import { causesOf, renderReport, summarize } from "../../mocks/conformance/check/report.ts";
import { couldCost, runScript } from "../../mocks/conformance/check/script.ts";
import { type AskService, askBy, type Question } from "../../mocks/conformance/exchange.ts";
import { actions } from "../../src/contract/actions.ts";
import {
  createScriptedService,
  keys,
  refuse,
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
  const unknown = "knows no job of the id unknown";

  test.each<[what: string, twist: Twist, step: string, rules: string]>([
    ["200 for a job", restate(202, 200), "writes ad copy", "4. Endpoints, Jobs)"],
    ["another order of actions in its message", otherOrder, unsupported, "7. Errors)"],
    ["a full stop", reword('video-b-3-0"', 'video-b-3-0."'), unsupported, "7. Errors)"],
    ["403 for a wrong key", restate(401, 403), wrongKey, "5. Authentication)"],
    ["no error in it", reword(',"error":null', ""), "lists jobs", "2. Response envelope)"],
    ["data beside an error", reword('"data":null', '"data":{}'), unknown, "2. Response envelope)"],
    ["success in a failure", reword(":false", ":true"), unknown, "2. Response envelope)"],
    ["no JSON", noJson, "lists brands", "2. Response envelope)"],
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
    expect(verdictOf(outcomes, "lets nobody ask of another account: GET /v1/jobs/{copyJob}")).toBe(
      "differs from A16",
    );
  });
});

const isJob = ({ path }: Question): boolean => path.startsWith("/v1/jobs/");
const at = (path: string) => (question: Question) => question.path === path;
const isByOther = ({ headers }: Question) => headers["authorization"] === `Bearer ${keys.second}`;
const whenStatus = (from: number, twist: Twist): Twist =>
  when((_, { status }) => status === from, twist);

const isText = ({ headers }: Question) => headers["content-type"] === "text/plain";
const noJob: Twist = when((asked) => isByOther(asked) && isJob(asked), refuse(403, "No"));
const gone: Twist = when(
  (asked, { status }) => /brand_.*ads$/.test(asked.path) && status === 404 && !isByOther(asked),
  succeed(200, { ads: [] }),
);
const byDate: Twist = (_, { headers }) => ({
  headers: { ...headers, ...(headers["retry-after"] && { "retry-after": "Mon" }) },
});
const takes = (text: string): Twist =>
  when(({ body = "" }) => body.includes(text), succeed(202, {}));
const pages: Twist = when(at("/v1/brands"), () => ({ body: "<html>" }));
const A7 = "differs from A7: expected";
const A9 = "differs from A9: expected";
const read = `${A9} what adgen-sdk/assumed reads; seen:`;
const all = "headline, primary_text, description, call_to_action in each entry of copy";
const broken = "breaks the document (2. Response envelope): expected";

describe("the script says in a line for each cause, with what was seen, that a service", () => {
  test.each<[what: string, twist: Twist, ...lines: string[]]>([
    ["takes 1.5", takes(":1.5"), "differs from A2: expected status 400; seen: 202 (1 step: "],
    [
      "has no time",
      when(isJob, reword("created_at", "at")),
      "differs from A3: expected a time in created_at; seen: ",
    ],
    [
      "lists items",
      when(at("/v1/jobs"), reword('"jobs":', '"items":')),
      'differs from A4: expected the list in jobs; seen: ["items"] (1',
    ],
    [
      "has no updated_at",
      when(at("/v1/brands"), reword("updated_at", "at")),
      "differs from A5: expected a time in created_at and updated_at; ",
    ],
    [
      "numbers brands",
      when(at("/v1/brands"), reword(/"id":"\w+"/, '"id":7')),
      "differs from A5: expected what adgen-sdk/assumed reads; seen: id: expected string, got a number",
    ],
    [
      "has no time of saving",
      when(at("/v1/saved-ads"), reword("created_at", "at")),
      "differs from A6: expected a time in created_at; seen: ",
    ],
    [
      "says gone",
      reword('"deleted":true', '"gone":true'),
      `${A7} its id and that it is deleted; seen: {"id":"ad_`,
    ],
    [
      "answers a PATCH with 202",
      when(({ method }) => method === "PATCH", restate(200, 202)),
      `${A7} status 200; seen: 202 (3 steps: updates a brand, …)`,
    ],
    [
      "has texts",
      reword('"copy":[', '"texts":['),
      `${read} copy: expected array, got undefined (assumed A9); there: texts (2 steps: finishes a job, …)`,
    ],
    [
      "writes numbers in quotes",
      reword(/"width":(\d+)/g, '"width":"$1"'),
      `${read} images.0.width: not "1080"; there: images (1 `,
    ],
    [
      "has no description",
      reword(/"description":/g, '"text":'),
      `${A9} ${all}; seen: ["headline","primary_text","text",`,
    ],
    [
      "writes one text for two",
      reword(/("copy":\[\{[^}]*\}),\{[^}]*\}/, "$1"),
      `${A9} one entry in the result for each variation; seen: 1 (1 `,
    ],
    [
      "takes 61 s",
      takes(":61"),
      "differs from A11: expected status 400; seen: 202 (1 step: refuses a video of 61 ",
    ],
    [
      "reads a body before the key",
      when(({ body }) => body === "{", restate(401, 400)),
      "differs from A14: expected status 401; seen: 400 (1 ",
    ],
    [
      "has other words",
      reword("Brand not found", "No such brand"),
      'differs from A15: expected the error "Brand not found"; seen: "No such brand" (15 ',
    ],
    ["forbids another's job", noJob, "differs from A16: expected status 404; seen: 403 (1 "],
    [
      "lists ads of no brand",
      gone,
      "differs from A17: expected status 404; seen: 200 (1 step: lists no ads of a deleted ",
    ],
    [
      "does not challenge",
      whenStatus(401, () => ({ headers: {} })),
      "differs from A20: expected the header www-authenticate: Bearer; seen: nothing (19 ",
    ],
    [
      "has no 405",
      whenStatus(405, refuse(404, "Endpoint not found")),
      "differs from A21: expected status 405; seen: 404 (8 ",
    ],
    [
      "wants a content type",
      when(isText, refuse(400, "No")),
      "differs from A22: expected status 202; seen: 400 (1 ",
    ],
    [
      "says when by a date",
      byDate,
      'differs from A23: expected the header retry-after: whole seconds; seen: "Mon" (',
    ],
    ["answers in HTML", pages, `${broken} valid JSON; seen: 401 <html>, `],
    [
      "has objects for errors",
      reword(/"error":"[^"]*"/, '"error":{}'),
      `${broken} null for the data, and an error in words; seen: 401 {"success"`,
    ],
    [
      "has no error in a success",
      reword(',"error":null', ""),
      `${broken} data, and null for the error; seen: 202 {"success"`,
    ],
    [
      "forbids a wrong key",
      restate(401, 403),
      "breaks the document (5. Authentication): expected status 401; seen: 403 (19 steps: refuses a request without a key, …)",
      "differs from A14: expected status 401; seen: 403 (2 steps: ",
    ],
    [
      "answers 201",
      restate(202, 201),
      "breaks the document (4. Endpoints, Jobs; 8. Limits): expected status 202; seen: 201 (16 ",
    ],
  ])("%s", async (_, twist, ...expected) => {
    const lines = renderReport(await runAt(twist)).filter((text) => /^[✗~] /.test(text));
    expect(lines).toEqual(expected.map((line) => expect.stringContaining(line)));
  });
});

describe("the script waits", () => {
  const renamed = { queued: "pending", processing: "running", completed: "succeeded" };
  const pending = when(
    ({ method, path }) => method === "GET" && path.startsWith("/v1/jobs/"),
    reword('"status":"completed"', '"status":"processing"'),
  );

  test("for a job no longer than it is told to", async () => {
    const { outcomes } = await runAt(pending, { pollTimeoutMs: 30, pollIntervalMs: 5 });
    const verdict = "breaks the document (3. States and transitions)";
    expect(verdictOf(outcomes, "finishes a job")).toBe(verdict);
  });

  test.each<[what: string, twist: Twist, seconds: number, cause: object]>([
    ["120 s", pending, 240, { what: "an end within the time", seen: ['"processing"'] }],
    [
      "30 s, once, where its states are none of the document's",
      (_, { body }) => ({
        body: body.replaceAll(
          /(?<="status":")\w+/g,
          (state) => renamed[state as "queued"] ?? state,
        ),
      }),
      30,
      {
        what: "a status of queued, processing, completed, failed",
        seen: ['"pending"', '"running"', '"succeeded"'],
      },
    ],
  ])("for a job %s", async (_, twist, seconds, cause) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const startedAt = performance.now();
    const run = runAt(twist, { spend: false, pollIntervalMs: 2_000 });
    await vi.runAllTimersAsync();
    const { outcomes } = await run;
    const waited = (performance.now() - startedAt) / 1_000;
    expect(waited).toBeLessThanOrEqual(seconds);
    expect(waited).toBeGreaterThan(seconds - 5);
    expect(causesOf(outcomes)[0]).toMatchObject({ rules: ["3. States and transitions"], ...cause });
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
    expect(verdictOf(outcomes, "updates a brand")).toBe("skipped (there is no brand)");
    expect(service.journal.find({ operation: "brands.create", status: 201 })).toHaveLength(2);
    expect(isEmpty(service)).toBe(true);
  });

  test("when a service creates what the mock refuses", async () => {
    const body = JSON.stringify({ name: "Conformance, whatever was sent" });
    const isCreation = ({ method, path }: Question) => method === "POST" && path === "/v1/brands";
    const { service, left, outcomes } = await runChanged((question) => ({
      ...question,
      ...(isCreation(question) && { body }),
    }));
    expect(verdictOf(outcomes, 'refuses POST /v1/brands with {"colors":[]}')).toMatch(/^differs/);
    expect([isEmpty(service), left]).toEqual([true, []]);
  });

  test("and names those that it cannot delete", async () => {
    const failing = when(({ method }) => method === "DELETE", restate(200, 500));
    const { left } = await runAt(failing, { steps: await upTo("creates a brand") });
    expect(left).toEqual([expect.stringMatching(/^\/v1\/brands\/brand_/)]);
  });
});
