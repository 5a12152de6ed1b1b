import { describe, expect, test } from "vitest";
import { bodies } from "../../src/contract/bodies.ts";
import { type Endpoint, endpoints } from "../../src/contract/endpoint.ts";
import { failureEnvelopeFields, successEnvelopeFields } from "../../src/contract/envelope.ts";
import { readPage } from "../../src/contract/page.ts";
import { findIssues } from "../../src/contract/schema.ts";
import { exchanges, failures, successes } from "./exchanges.ts";

test("every endpoint has a recorded success", () => {
  const recorded = new Set(successes.map(({ endpoint }) => endpoint));
  expect([...recorded].sort()).toEqual(Object.keys(endpoints).sort());
});

test("every documented failure is recorded", () => {
  expect(failures.map(({ response }) => response.status).sort()).toEqual([400, 401, 402, 404]);
});

describe.each(exchanges.map((exchange) => [exchange.name, exchange] as const))(
  "%s",
  (_, { endpoint: name, request, response }) => {
    const endpoint: Endpoint = endpoints[name];

    test("asks as its endpoint says", () => {
      expect(request.method).toBe(endpoint.method);
      expect(request.path.replace(/(?<=brands|jobs|ads)\/\w+_\w+/, "/:id")).toBe(endpoint.path);
      const schema = bodies[name];
      expect(request.body !== undefined).toBe(schema !== undefined);
      if (schema) expect(findIssues(schema, request.body)).toEqual([]);
    });

    test("is answered in the envelope", () => {
      const { success, data, error } = response.body;
      const schema = success ? successEnvelopeFields : failureEnvelopeFields;
      expect(findIssues(schema, response.body)).toEqual([]);
      expect(Object.keys(response.body).sort()).toEqual(["data", "error", "success"]);
      expect(error === null).toBe(success);
      expect(data === null).toBe(!success);
      expect(response.status < 300).toBe(success);
    });
  },
);

describe.each(successes.map((exchange) => [exchange.name, exchange] as const))(
  "%s",
  (_, { endpoint: name, response }) => {
    const endpoint: Endpoint = endpoints[name];
    const { data } = response.body;

    test("is answered with the status and the data of its endpoint", () => {
      expect(response.status).toBe(endpoint.status);
      const page = endpoint.list ? readPage(data, endpoint.list) : { items: [data], meta: {} };
      expect(page).toMatchObject({ items: [expect.anything()], meta: {} });
      expect(page?.items.flatMap((item) => findIssues(endpoint.answer, item))).toEqual([]);
    });
  },
);
