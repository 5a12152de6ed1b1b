import { describe, expect, test } from "vitest";
import { summarize } from "../../mocks/conformance/check/report.ts";
import { runScript } from "../../mocks/conformance/check/script.ts";
import { askBy } from "../../mocks/conformance/exchange.ts";
import { createScriptedService, keys, scriptOptions } from "./mock-world.ts";
import { runAt, type Twist, verdictOf, verdicts } from "./twisted-script.ts";

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
