import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { config } from "zod/v4/core";
import { bodies } from "../../src/contract/bodies.ts";
import { type Endpoint, type EndpointName, endpoints } from "../../src/contract/endpoint.ts";
import {
  failureEnvelope,
  failureEnvelopeFields,
  successEnvelope,
  successEnvelopeFields,
} from "../../src/contract/envelope.ts";
import { readPage } from "../../src/contract/page.ts";
import { findIssues } from "../../src/contract/schema.ts";
import { exchanges, failures, successes } from "./exchanges.ts";

const names = Object.keys(endpoints) as EndpointName[];

const issuesOf = (name: EndpointName, value: unknown) => {
  const { answer }: Endpoint = endpoints[name];
  return findIssues(answer, value);
};

describe("an answer's schema", () => {
  test.each<[EndpointName, string[]]>([
    ["jobs.submit", ["job_id", "status"]],
    ["jobs.get", ["status"]],
    ["jobs.list", ["job_id", "status"]],
    ["brands.list", ["id"]],
    ["brands.create", ["id"]],
    ["brands.update", ["id"]],
    ["brands.delete", []],
    ["brands.listAds", ["id"]],
    ["savedAds.create", ["id"]],
    ["savedAds.delete", []],
  ])("asks for little, names what is missing, and lets all else be there (%s)", (name, needed) => {
    const least = Object.fromEntries(needed.map((key) => [key, "any text"]));
    const issues = needed.map((key) => ({
      ...{ path: [key], input: undefined, message: "expected string" },
    }));
    expect(issuesOf(name, Object.freeze({ ...least, result: { a: [1] }, cost: null }))).toEqual([]);
    expect(issuesOf(name, {})).toEqual(issues);
    for (const value of [null, "text", 7, true, [], undefined]) {
      const issue = { path: [], input: value, message: "expected object" };
      expect(issuesOf(name, value)).toEqual([issue]);
    }
  });

  test("calls no function that the application has given its own zod", () => {
    const { customError } = config();
    const refuse = () => {
      throw new Error("called");
    };
    config({ customError: refuse });
    try {
      const issue = { path: ["status"], input: undefined, message: "expected string" };
      expect(issuesOf("jobs.get", {})).toEqual([issue]);
    } finally {
      config({ customError });
    }
  });
});

describe("the envelope", () => {
  test("is built in both its forms", () => {
    expect(successEnvelope({ id: "b" })).toEqual({ success: true, data: { id: "b" }, error: null });
    expect(failureEnvelope("no")).toEqual({ success: false, data: null, error: "no" });
  });

  const of = { "a success": successEnvelopeFields, "a failure": failureEnvelopeFields };

  test.each<[keyof typeof of, string[], object]>([
    ["a success", [], successEnvelope(null)],
    ["a success", ["success"], { success: "true", data: null, error: null }],
    ["a success", ["success"], { success: false, data: {}, error: null }],
    ["a success", ["error"], { success: true, data: {} }],
    ["a success", ["error"], { success: true, data: {}, error: "no" }],
    ["a failure", [], failureEnvelope("no")],
    ["a failure", [], { success: false, data: {}, error: { message: "no" } }],
    ["a failure", [], { success: false, data: {} }],
    ["a failure", ["success"], { success: "false", data: null, error: "no" }],
    ["a failure", ["success"], { success: true, data: null, error: "no" }],
    ["a failure", ["success"], { data: null, error: "no" }],
  ])("of %s has wrong fields: %j of %j", (kind, fields, value) => {
    expect(findIssues(of[kind], value).map(({ path }) => path[0])).toEqual(fields);
  });
});

describe("a body's schema", () => {
  test.each<[EndpointName, object, path?: (string | number)[]]>([
    ["jobs.submit", { action: "generate-ad" }],
    ["jobs.submit", { action: "x", prompt: "", images: [""], variations: 1, style: {} }],
    ["jobs.submit", {}, ["action"]],
    ["jobs.submit", { action: 7 }, ["action"]],
    ["jobs.submit", { action: "generate-ad", prompt: 7 }, ["prompt"]],
    ["jobs.submit", { action: "generate-ad", images: "x" }, ["images"]],
    ["jobs.submit", { action: "generate-ad", images: ["x", 7] }, ["images", 1]],
    ["jobs.submit", { action: "generate-ad", variations: "4" }, ["variations"]],
    ["jobs.submit", { action: "video-a-2", duration: "5" }, ["duration"]],
    ["brands.create", { name: "Acme", colors: [] }],
    ["brands.create", {}, ["name"]],
    ["brands.update", {}],
    ["brands.update", { name: 7 }, ["name"]],
    ["savedAds.create", { brand_id: "b", url: 7 }],
    ["savedAds.create", {}, ["brand_id"]],
  ])("takes what is enough, and names what does not fit (%s, %j)", (name, body, path) => {
    const issues = path === undefined ? [] : [expect.objectContaining({ path })];
    expect(findIssues(bodies[name] as never, body)).toEqual(issues);
  });

  test("is there for writes, and for nothing else", () => {
    const writes = names.filter((name) => /POST|PATCH/.test(endpoints[name].method));
    expect(Object.keys(bodies).sort()).toEqual(writes.sort());
  });
});

test("a page of any data keeps every field unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 2 }), (data) => {
      const before = JSON.stringify(data);
      const page = readPage(data, "jobs");
      expect(JSON.stringify(data)).toBe(before);
      if (!page) return;
      const rest = Object.keys(page.meta).length;
      const all = Array.isArray(data) ? 1 : Object.keys(data as object).length;
      expect(rest).toBe(all - 1);
      if (!Array.isArray(data)) expect(Object.values(data as object)).toContain(page.items);
    }),
  );
});

describe("the recorded exchanges", () => {
  test("have a success of every endpoint, and every documented failure", () => {
    const recorded = new Set(successes.map(({ endpoint }) => endpoint));
    expect([...recorded].sort()).toEqual(names.sort());
    expect(failures.map(({ response }) => response.status).sort()).toEqual([400, 401, 402, 404]);
  });

  test.each(exchanges.map((exchange) => [exchange.name, exchange] as const))(
    "%s: asks and is answered as its endpoint says, in the envelope",
    (_, { endpoint: name, request, response }) => {
      const endpoint: Endpoint = endpoints[name];
      expect(request.method).toBe(endpoint.method);
      expect(request.path.replace(/(?<=brands|jobs|ads)\/\w+_\w+/, "/:id")).toBe(endpoint.path);
      const schema = bodies[name];
      expect(request.body !== undefined).toBe(schema !== undefined);
      if (schema) expect(findIssues(schema, request.body)).toEqual([]);

      const { success, data, error } = response.body;
      const fields = success ? successEnvelopeFields : failureEnvelopeFields;
      expect(findIssues(fields, response.body)).toEqual([]);
      expect(Object.keys(response.body).sort()).toEqual(["data", "error", "success"]);
      expect([error === null, data !== null, response.status < 300]).toEqual(
        Array(3).fill(success),
      );
      if (!success) return;
      expect(response.status).toBe(endpoint.status);
      const page = endpoint.list ? readPage(data, endpoint.list) : { items: [data], meta: {} };
      expect(page).toMatchObject({ items: [expect.anything()], meta: {} });
      expect(page?.items.flatMap((item) => findIssues(endpoint.answer, item))).toEqual([]);
    },
  );
});
