import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { createManualClock } from "../../mocks/index.ts";
import { generateAdminOpenApi } from "../../tools/openapi/admin.ts";
import { createAdministered, origin } from "./admin-ask.ts";
import { createAsk } from "./ask.ts";

// biome-ignore lint/suspicious/noExplicitAny: the document is walked as its readers would
type Node = any;

const document: Node = generateAdminOpenApi("1.2.3");

/** Closes every object of the answers, so that a field that is not described is found. */
const closed: Node = JSON.parse(JSON.stringify(document), (_, node) =>
  node?.properties && node.additionalProperties === undefined
    ? { ...node, additionalProperties: false }
    : node,
);
const ajv = new Ajv2020({ strict: false, allErrors: true });
ajv.addSchema(document, "document");
ajv.addSchema(closed, "closed");

const operations = Object.entries<Node>(document.paths).flatMap(([path, item]) =>
  Object.entries<Node>(item).map(([method, operation]) => ({ path, method, ...operation })),
);

/** Lists the issues that the document has with a value at a place in it. */
const issuesAt = (copy: "document" | "closed", place: readonly string[], value: unknown) => {
  const pointer = place.map((name) => name.replaceAll("/", "~1")).map(encodeURIComponent);
  const validate = ajv.compile({ $ref: `${copy}#/${pointer.join("/")}` });
  return validate(value) ? [] : validate.errors;
};

/** An hour of mock life: jobs in every state, faults, a refused key, a brand and an ad. */
const createBusyMock = async () => {
  const administered = createAdministered({
    clock: createManualClock(),
    accounts: { "test-key": {}, "test-other": { credits: { image: { purchased: 7 } } } },
    refundFailedJobs: true,
    artwork: "served",
    timeline: { queuedMs: 1_000, processingMs: 1_000 },
  });
  const { ask, service } = administered;
  const submit = async (action: string) => (await ask("POST", "/v1/jobs", { action })).data.job_id;
  service.jobs.next({ fail: "moderation" });
  await submit("generate-ad");
  const picture = await submit("edit-ad");
  await submit("video-a-2");
  await submit("generate-ad-copy");
  service.clock.advance(5_000);
  const [toComplete, toFail, toExpire] = [
    await submit("copy-ad"),
    await submit("copy-ad"),
    await submit("copy-ad"),
  ];
  const { data: brand } = await ask("POST", "/v1/brands", { name: "Acme", colors: ["#123456"] });
  await ask("POST", "/v1/saved-ads", { brand_id: brand.id, headline: "Buy" });
  service.faults.play({ kind: "status", status: 503, body: { why: "maintenance" } });
  await ask("GET", "/v1/jobs");
  service.faults.play({ kind: "stall" }, { account: "test-other", probability: 0.5 });
  service.faults.play(
    { kind: "latency", ms: { min: 1, max: 2 } },
    { times: Number.POSITIVE_INFINITY, operation: ["jobs.get", "jobs.list"] },
  );
  await createAsk(service, "test-unknown")("GET", "/v1/nothing");
  const snapshot = service.snapshot();
  return { ...administered, known: { picture, toComplete, toFail, toExpire, snapshot } };
};

type Known = Awaited<ReturnType<typeof createBusyMock>>["known"];

/** At least one request of each route: its name, and what to send. */
const requests: readonly [
  id: string,
  path: (known: Known) => string,
  body?: (known: Known) => unknown,
][] = [
  ["listAccounts", () => "/accounts"],
  ["openAccount", () => "/accounts", () => ({ key: "test-new", credits: { video: {} } })],
  ["showAccount", () => "/accounts/test-key"],
  ["showAccount", () => "/accounts/test-nobody"],
  ["grantCredits", () => "/accounts/test-key/credits", () => ({ credit: "image", monthly: 1 })],
  ["setCredits", () => "/accounts/test-key/credits", () => ({ credit: "video", purchased: 1 })],
  ["setCredits", () => "/accounts/test-key/credits", () => ({ credit: "video" })],
  ["readAccountClock", () => "/accounts/test-other/clock"],
  ["moveAccountClock", () => "/accounts/test-other/clock", () => ({ advanceMs: 5 })],
  ["resetAccount", () => "/accounts/test-other/reset", () => ({})],
  ["openAccount", () => "/accounts", () => ({ key: "test-new" })],
  ["removeAccount", () => "/accounts/test-new"],
  ["removeAccount", () => "/accounts/test-new"],
  ["readClock", () => "/clock"],
  ["listJobs", () => "/jobs?limit=20"],
  ["listJobs", () => "/jobs?status=failed&account=test-key"],
  ["listJobs", () => "/jobs?limit=many"],
  ["listJobs", () => "/jobs?action=copy-ad&text=JOB&each=2&status=queued,failed&results=false"],
  ["showJob", ({ picture }) => `/jobs/${picture}`],
  ["showJob", ({ toFail }) => `/jobs/${toFail}`],
  ["showJob", () => "/jobs/job_nobody"],
  ["planJobs", () => "/jobs/next", () => ({ result: null, takesMs: null, times: "Infinity" })],
  ["planJobs", () => "/jobs/next", () => ({ fail: "moderation", action: "copy-ad" })],
  ["listOutcomes", () => "/jobs/next"],
  ["listOutcomes", () => "/jobs/next?account=test-nobody"],
  ["assertOutcomes", () => "/jobs/next/assert", () => ({})],
  ["assertOutcomes", () => "/jobs/next/assert", () => ({ account: "test-other" })],
  ["removeOutcome", () => "/jobs/next/outcome_2"],
  ["removeOutcome", () => "/jobs/next/outcome_99"],
  ["clearOutcomes", () => "/jobs/next"],
  ["completeJob", ({ toComplete }) => `/jobs/${toComplete}/complete`, () => ({ result: [1] })],
  ["completeJob", ({ toComplete }) => `/jobs/${toComplete}/complete`],
  ["failJob", ({ toFail }) => `/jobs/${toFail}/fail`, () => ({ reason: "moderation" })],
  ["expireJob", ({ toExpire }) => `/jobs/${toExpire}/expire`],
  ["listFaults", () => "/faults"],
  [
    "playFault",
    () => "/faults",
    () => ({ fault: { kind: "drip-body" }, times: null, operation: "jobs.list" }),
  ],
  ["playFault", () => "/faults", () => ({ fault: { kind: "explode" } })],
  ["assertFaults", () => "/faults/assert", () => ({ account: "test-key" })],
  ["assertFaults", () => "/faults/assert"],
  ["removeFault", () => "/faults/fault_3"],
  ["clearFaults", () => "/faults"],
  ["listRequests", () => "/journal?limit=1000"],
  ["listRequests", () => "/journal?fault=status&status=503"],
  ["showRequest", () => "/journal/1"],
  ["showRequest", () => "/journal/first"],
  [
    "assertRequests",
    () => "/journal/assert",
    () => ({ count: 1, filter: { operation: ["brands.create"], body: { name: "Acme" } } }),
  ],
  ["assertRequests", () => "/journal/assert", () => ({ count: 0 })],
  [
    "findRequests",
    () => "/journal/find",
    () => ({ account: "test-key", filter: { body: { name: "Acme" } }, limit: 3 }),
  ],
  ["showOverview", () => "/state"],
  ["takeSnapshot", () => "/snapshot"],
  ["help", () => "/help"],
  ["showOpenApi", () => "/openapi.json"],
  ["showAdminOpenApi", () => "/admin-openapi.json"],
  ["showPicture", ({ picture }) => `/artwork/${picture}/1.svg?still`],
  ["showPicture", ({ picture }) => `/artwork/${picture}/9.svg`],
  ["clearJournal", () => "/journal"],
  ["restoreSnapshot", () => "/snapshot", () => ({ version: 7 })],
  ["restoreSnapshot", () => "/snapshot", ({ snapshot }) => snapshot],
  ["moveClock", () => "/clock", () => ({ time: "2026-01-01T01:00:00Z" })],
  ["setRealTime", () => "/clock/real", () => ({})],
  ["reset", () => "/reset"],
];

describe("the admin's OpenAPI document", () => {
  test("is valid OpenAPI 3.1, by a validator that is not ours", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe("3.1");
    expect(document.info.version).toBe("1.2.3");
  });

  test("gives each route a name of its own that can be a function's", () => {
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z][a-zA-Z]+$/.test(id))).toEqual([]);
  });

  test("lists the routes that the help lists, with the parts of their paths", async () => {
    const { order } = createAdministered();
    const { data } = await order("GET", "/help");
    expect(operations.map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual(
      data.routes
        .map(({ method, path }: Node) => `${method} ${path.replace(/:(\w+)/g, "{$1}")}`)
        .sort(),
    );
    for (const { path, parameters } of operations) {
      const parts = parameters.filter((parameter: Node) => parameter.in === "path");
      expect(parts.map(({ name }: Node) => `{${name}}`)).toEqual(path.match(/\{\w+\}/g) ?? []);
    }
  });

  test.each(operations.filter(({ requestBody }) => requestBody))(
    "says of $method $path whether the service refuses an absent body",
    async ({ path, method, requestBody }) => {
      const { order } = createAdministered();
      const place = path.replace("/__mock", "").replace("{key}", "test-key");
      const { status } = await order(method.toUpperCase(), place);
      expect(status === 400).toBe(requestBody.required);
    },
  );

  test("describes every answer of every route", async () => {
    const { admin, known } = await createBusyMock();
    const answered = new Set<string>();
    for (const [id, path, body] of requests) {
      const operation = operations.find(({ operationId }) => operationId === id);
      expect(operation, id).toBeDefined();
      const { path: template, method, responses } = operation;
      const sent = body && JSON.stringify(body(known));
      const response = await admin.fetch(
        new Request(`${origin}/__mock${path(known)}`, {
          method,
          ...(sent !== undefined && {
            body: sent,
            headers: { "content-type": "application/json" },
          }),
        }),
      );
      const place = ["paths", template, method];
      expect(Object.keys(responses), `${id}: ${response.status}`).toContain(
        String(response.status),
      );
      const type = response.headers.get("content-type") ?? "";
      const answer = type.endsWith("json") ? await response.json() : await response.text();
      const schema = [...place, "responses", String(response.status), "content", type, "schema"];
      for (const copy of ["document", "closed"] as const) {
        expect(issuesAt(copy, schema, answer), `${id}: ${JSON.stringify(answer)}`).toEqual([]);
      }
      if (response.status !== 200) continue;
      answered.add(id);
      if (sent !== undefined) {
        const bodySchema = [...place, "requestBody", "content", "application/json", "schema"];
        expect(issuesAt("document", bodySchema, JSON.parse(sent)), id).toEqual([]);
      }
    }
    expect([...answered].sort()).toEqual(operations.map(({ operationId }) => operationId).sort());
  });
});
