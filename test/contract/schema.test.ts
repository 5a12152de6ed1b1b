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
import { findIssues } from "../../src/contract/schema.ts";

const issuesOf = (name: EndpointName, value: unknown) => {
  const { answer }: Endpoint = endpoints[name];
  return findIssues(answer, value);
};

describe("an answer's schema", () => {
  test.each<[EndpointName, object, string[]]>([
    ["jobs.submit", { job_id: "j", status: "queued" }, ["job_id", "status"]],
    ["jobs.get", { status: "queued" }, ["status"]],
    ["jobs.list", { job_id: "j", status: "queued" }, ["job_id", "status"]],
    ["brands.list", { id: "b" }, ["id"]],
    ["brands.create", { id: "b" }, ["id"]],
    ["brands.update", { id: "b" }, ["id"]],
    ["brands.delete", {}, []],
    ["brands.listAds", { id: "a" }, ["id"]],
    ["savedAds.create", { id: "a" }, ["id"]],
    ["savedAds.delete", {}, []],
  ])("asks for little, and names each thing that is missing (%s)", (name, least, needed) => {
    expect(issuesOf(name, least)).toEqual([]);
    const missing = needed.map((key) => ({
      path: [key],
      input: undefined,
      message: "expected string",
    }));
    expect(issuesOf(name, {})).toEqual(missing);
  });

  test("lets every other field be there", () => {
    expect(issuesOf("jobs.get", { status: "done", result: { a: [1] }, cost: null })).toEqual([]);
  });

  test.each([[null], ["text"], [7], [true], [[]], [undefined]])("refuses %j", (value) => {
    for (const name of Object.keys(endpoints) as EndpointName[]) {
      expect(issuesOf(name, value)).toEqual([
        { path: [], input: value, message: "expected object" },
      ]);
    }
  });

  test("never changes the value that it checks", () => {
    const job = Object.freeze({ status: "queued", extra: Object.freeze({}) });
    expect(issuesOf("jobs.get", job)).toEqual([]);
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
    expect(findIssues(successEnvelopeFields, successEnvelope(null))).toEqual([]);
    expect(findIssues(failureEnvelopeFields, failureEnvelope("no"))).toEqual([]);
  });

  test.each<[string, object]>([
    ["success", { success: "true", data: null, error: null }],
    ["success", { success: false, data: {}, error: null }],
    ["error", { success: true, data: {} }],
    ["error", { success: true, data: {}, error: "no" }],
  ])("of a success needs %s to be what the document says", (field, value) => {
    expect(findIssues(successEnvelopeFields, value)).toMatchObject([{ path: [field] }]);
  });

  test.each<[string, object]>([
    ["success", { success: "false", data: null, error: "no" }],
    ["success", { success: true, data: null, error: "no" }],
    ["success", { data: null, error: "no" }],
  ])("of a failure needs %s to be what the document says", (field, value) => {
    expect(findIssues(failureEnvelopeFields, value)).toMatchObject([{ path: [field] }]);
  });

  test("of a failure is one with any data and error", () => {
    for (const error of [{ message: "no" }, undefined, null, 7]) {
      expect(findIssues(failureEnvelopeFields, { success: false, data: {}, error })).toEqual([]);
    }
  });
});

describe("a body's schema", () => {
  test.each<[EndpointName, object]>([
    ["jobs.submit", { action: "generate-ad" }],
    ["jobs.submit", { action: "x", prompt: "", images: [""], variations: 1, style: {} }],
    ["brands.create", { name: "Acme", colors: [] }],
    ["brands.update", {}],
    ["savedAds.create", { brand_id: "b", url: 7 }],
  ])("takes what is enough (%s)", (name, body) => {
    expect(findIssues(bodies[name] as never, body)).toEqual([]);
  });

  test.each<[EndpointName, object, (string | number)[]]>([
    ["jobs.submit", {}, ["action"]],
    ["jobs.submit", { action: 7 }, ["action"]],
    ["jobs.submit", { action: "generate-ad", prompt: 7 }, ["prompt"]],
    ["jobs.submit", { action: "generate-ad", images: "x" }, ["images"]],
    ["jobs.submit", { action: "generate-ad", images: ["x", 7] }, ["images", 1]],
    ["jobs.submit", { action: "generate-ad", variations: "4" }, ["variations"]],
    ["jobs.submit", { action: "video-a-2", duration: "5" }, ["duration"]],
    ["brands.create", {}, ["name"]],
    ["brands.update", { name: 7 }, ["name"]],
    ["savedAds.create", {}, ["brand_id"]],
  ])("names what does not fit (%s, %j)", (name, body, path) => {
    expect(findIssues(bodies[name] as never, body)).toMatchObject([{ path }]);
  });

  test("is there for writes, and for nothing else", () => {
    const writes = Object.entries(endpoints).filter(([, { method }]) => /POST|PATCH/.test(method));
    expect(Object.keys(bodies).sort()).toEqual(writes.map(([name]) => name).sort());
  });
});
