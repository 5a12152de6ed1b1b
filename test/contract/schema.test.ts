import { describe, expect, test } from "vitest";
import { type EndpointName, endpoints } from "../../src/contract/endpoint.ts";
import { createCheck, type FieldIssue } from "../../src/contract/schema.ts";
import { failures, successes } from "./exchanges.ts";

const names = Object.keys(endpoints) as EndpointName[];

const issuesOf = (name: EndpointName, value: unknown): readonly FieldIssue[] =>
  createCheck(endpoints[name].answer)(value);

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
});

describe("the recorded exchanges", () => {
  test("have a success of every endpoint, and every documented failure", () => {
    const recorded = new Set(successes.map(({ endpoint }) => endpoint));
    expect([...recorded].sort()).toEqual(names.sort());
    expect(failures.map(({ response }) => response.status).sort()).toEqual([400, 401, 402, 404]);
  });
});
