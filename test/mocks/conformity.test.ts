import { describe, expect, test } from "vitest";
import { createMockService } from "../../mocks/index.ts";
import { type Endpoint, type EndpointName, endpoints } from "../../src/contract/endpoint.ts";
import { jobStatuses } from "../../src/contract/jobs.ts";
import { findIssues } from "../../src/contract/schema.ts";
import { createAsk } from "./ask.ts";

/** Every documented call, in an order in which each succeeds. */
const script: readonly [EndpointName, (ids: Record<string, string>) => string, object?][] = [
  ["brands.create", () => "/v1/brands", { name: "Acme", colors: ["#f00"] }],
  ["brands.update", ({ brand }) => `/v1/brands/${brand}`, { name: "Acme & Co" }],
  ["brands.list", () => "/v1/brands"],
  ["savedAds.create", () => "/v1/saved-ads", { url: "data:," }],
  ["brands.listAds", ({ brand }) => `/v1/brands/${brand}/ads`],
  ["jobs.submit", () => "/v1/jobs", { action: "generate-ad", prompt: "Sale", variations: 2 }],
  ["jobs.list", () => "/v1/jobs"],
  ["jobs.get", ({ job }) => `/v1/jobs/${job}`],
  ["jobs.get", ({ job }) => `/v1/jobs/${job}`],
  ["jobs.list", () => "/v1/jobs"],
  ["savedAds.delete", ({ ad }) => `/v1/saved-ads/${ad}`],
  ["brands.delete", ({ brand }) => `/v1/brands/${brand}`],
];

describe("every endpoint", () => {
  test("answers with its status, and with data that its schema accepts", async () => {
    const ask = createAsk(createMockService());
    const ids: Record<string, string> = {};
    const asked = new Set<string>();
    for (const [name, path, body] of script) {
      const endpoint: Endpoint = endpoints[name];
      asked.add(name);
      const fields = name === "savedAds.create" ? { ...body, brand_id: ids["brand"] } : body;
      const { status, data, text } = await ask(endpoint.method, path(ids), fields);
      expect(status, name).toBe(endpoint.status);
      const answers = endpoint.list ? data[endpoint.list] : [data];
      expect(answers).toHaveLength(1);
      expect(findIssues(endpoint.answer, answers[0]), name).toEqual([]);
      expect(JSON.parse(text)).toEqual({ success: true, data, error: null });
      if (name === "jobs.get") expect(jobStatuses).toContain(data.status);
      if (name === "brands.create") ids["brand"] = data.id;
      if (name === "savedAds.create") ids["ad"] = data.id;
      if (name === "jobs.submit") ids["job"] = data.job_id;
    }
    expect([...asked].sort()).toEqual(Object.keys(endpoints).sort());
  });
});
