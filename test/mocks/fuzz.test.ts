import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { matchEndpoint } from "../../mocks/http/match-endpoint.ts";
import type { MockService } from "../../mocks/index.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { endpoints } from "../../src/contract/endpoint.ts";
import { generateOpenApi } from "../../tools/openapi/document.ts";
import { createAnswerValidator } from "../conformance/answer-validator.ts";
import { accountOf, bodiesOf, type Question, requestsOf } from "../conformance/conversation.ts";
import { createAsk } from "./ask.ts";
import { setUp } from "./set-up.ts";

/** `FUZZ_RUNS=50000` makes a long run, and `FUZZ_SEED=…` repeats the seed that a failure printed. */
const numRuns = Number(process.env["FUZZ_RUNS"] ?? 400);
const seed = process.env["FUZZ_SEED"];
const parameters = (share: number) => ({
  numRuns: Math.ceil(numRuns * share),
  ...(seed !== undefined && { seed: Number(seed) }),
});

vi.setConfig({ testTimeout: 180_000 + numRuns * 20 });

const document = generateOpenApi("1.0.0");
const { findAnswerIssues, findBodyIssues, findIssues } = createAnswerValidator(document);

const keys = ["test-key", "test-poor", "test-other"];
/** Half of the requests come from an account that can pay for some of them. */
const callers = ["test-key", ...keys];
const origin = "https://ads.test";

/** Creates three accounts with jobs, brands and ads: one with few credits, one with none. */
const prepare = async () => {
  const { service } = setUp({
    seed: "fuzz",
    baseUrl: origin,
    accounts: {
      "test-key": { credits: { image: { monthly: 3, purchased: 3 }, video: { purchased: 8 } } },
      "test-poor": { credits: { image: {}, video: {} } },
      "test-other": {},
    },
  });
  for (const key of keys) {
    const post = (path: string, body: object) => createAsk(service, key)("POST", path, body);
    const brand_id = (await post("/v1/brands", { name: "Acme", colors: ["#f00"] })).data.id;
    await post("/v1/brands", { name: "Without ads" });
    await post("/v1/saved-ads", { brand_id, headline: "Ice-cold" });
    await post("/v1/saved-ads", { brand_id });
    await post("/v1/jobs", { action: "generate-ad-copy", brand_id });
    await post("/v1/jobs", { action: "generate-ad" });
  }
  return service;
};

const prepared = await prepare();

const existing = prepared.accounts.flatMap(({ brands, savedAds, jobs }) => [
  ...brands.map(({ id }) => id),
  ...savedAds.map(({ id }) => id),
  ...jobs.all.map(({ job_id }) => job_id),
]);

const brandOf = (key: string): string => prepared.account(key).brands.at(-1)?.id ?? "";

const id = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...callers, "test-key").map(brandOf) },
  { weight: 5, arbitrary: fc.constantFrom(...existing) },
  fc.constantFrom("unknown", "__proto__", "a/b", "é", "%", "\0", " ", "x".repeat(3_000)),
  fc.string({ minLength: 1 }),
);

const requests = requestsOf(document, id, callers);
const bodies = bodiesOf(document, id);

/** Returns each account as text. */
const accountsOf = ({ accounts }: MockService): Map<string, string> =>
  new Map(accounts.map((account) => [account.key, accountOf(account)]));

const before = accountsOf(prepared);

const asking = (method: string, path: string, body?: object, key = "test-key"): [Question] => {
  const question = { method, path, headers: { authorization: `Bearer ${key}` } };
  return [body === undefined ? question : { ...question, body: JSON.stringify(body) }];
};

/** Requests that reach each status, whatever chance brings. */
const examples: [Question][] = [
  asking("GET", "/v1/jobs"),
  asking("POST", "/v1/brands", { name: "Acme" }),
  asking("POST", "/v1/jobs", { action: "generate-ad", variations: 5 }),
  asking("POST", "/v1/jobs", { action: "generate-ad", variations: 11 }),
  asking("GET", "/v1/jobs", undefined, "test-nobody"),
  asking("POST", "/v1/jobs", { action: "generate-ad", variations: 6 }),
  asking("GET", "/v1/jobs/unknown"),
  asking("PUT", "/v1/jobs"),
];

test("every answer has the envelope, and a request changes only its own account, if it succeeds", async () => {
  const statuses = new Set<number>();
  await fc.assert(
    fc.asyncProperty(requests, async ({ method, path, headers, body }) => {
      const service = await prepare();
      expect([...accountsOf(service)]).toEqual([...before]);
      const init = { method, headers, ...(body !== undefined && { body }) };
      const request = new Request(origin + path, init);
      const response = await service.fetch(request);
      const { status } = response;
      const answered = await response.text();
      statuses.add(status);

      expect([200, 201, 202, 400, 401, 402, 404, 405]).toContain(status);
      expect(response.headers.get("content-type")).toBe("application/json");
      expect(response.headers.get("x-request-id")).toMatch(/^req_[0-9a-z]{14}$/);
      expect(response.headers.get("retry-after") ?? "0").toMatch(/^\d+$/);

      if (request.method === "HEAD") expect(answered).toBe("");
      else {
        const body = JSON.parse(answered);
        const found = matchEndpoint(request.method, new URL(request.url), origin);
        const operation = "name" in found ? found.name : undefined;
        expect(Object.keys(body)).toEqual(["success", "data", "error"]);
        expect(body.success).toBe(status < 400);
        if (body.success) expect(operation).toBeDefined();
        else expect(body.error).toMatch(/^[A-Z].*[^.]$/);
        const issues = operation
          ? findAnswerIssues(operation, status, body)
          : findIssues("FailureEnvelope", body);
        expect(issues).toEqual([]);
      }

      const authorization = new Headers(headers).get("authorization") ?? "";
      const caller = /^Bearer\s+(.+?)\s*$/i.exec(authorization)?.[1];
      for (const [key, account] of accountsOf(service)) {
        const mayChange = status < 400 && key === caller;
        if (!mayChange) expect(account, key).toBe(before.get(key));
      }
    }),
    { ...parameters(1), examples },
  );
  // The property proves something only if every status was reached.
  expect([...statuses].sort()).toEqual([200, 201, 202, 400, 401, 402, 404, 405]);
});

test("the OpenAPI document and the mock accept and refuse the same bodies", async () => {
  const verdicts = { right: 0, wrong: 0 };
  const call = fc
    .constantFrom(...bodies)
    .chain(([name, { any, allowed }]) =>
      fc.tuple(fc.constant(name), fc.oneof({ weight: 3, arbitrary: any }, allowed)),
    );

  await fc.assert(
    fc.asyncProperty(call, async ([name, body]: [EndpointName, unknown]) => {
      const text = JSON.stringify(body);
      const { method, path } = endpoints[name];
      const headers = { authorization: "Bearer test-key" };
      const address = origin + path.replace(":id", brandOf("test-key"));
      const response = await (await prepare()).fetch(address, { method, headers, body: text });
      const isRight = findBodyIssues(name, JSON.parse(text)).length === 0;
      expect(response.status !== 400).toBe(isRight);
      verdicts[isRight ? "right" : "wrong"] += 1;
    }),
    parameters(0.7),
  );
  expect(Math.min(verdicts.right, verdicts.wrong)).toBeGreaterThan(numRuns / 80);
});
