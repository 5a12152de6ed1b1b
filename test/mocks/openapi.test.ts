import { readFileSync } from "node:fs";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import { assumptions } from "../../tools/openapi/assumptions.ts";
import { generateOpenApi } from "../../tools/openapi/document.ts";
import { createAnswerValidator } from "../conformance/answer-validator.ts";

// biome-ignore lint/suspicious/noExplicitAny: the test walks the document as its readers do
type Node = any;

const document: Node = generateOpenApi("1.2.3");
const { findAnswerIssues, findBodyIssues, findIssues } = createAnswerValidator(document);

interface Place {
  readonly path: string;
  readonly node: Node;
}

/** Lists every object in the document, except those in examples. */
const walk = (node: Node, path = "#"): Place[] =>
  typeof node !== "object" || node === null
    ? []
    : [
        { path, node },
        ...Object.entries(node).flatMap(([key, inner]) =>
          key === "examples" ? [] : walk(inner, `${path}/${key}`),
        ),
      ];

const places = walk(document);
const operations: Node[] = Object.values(document.paths).flatMap((path: Node) =>
  Object.values(path),
);

describe("the OpenAPI document", () => {
  test("the OpenAPI document is valid OpenAPI 3.1 for an independent validator", async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(validator.version).toBe("3.1");
    expect(document.info.version).toBe("1.2.3");
  });

  test("the OpenAPI document has no dangling references and no unused components", () => {
    const references = new Set(places.flatMap(({ node }) => node.$ref ?? []));
    const named = Object.entries<Node>(document.components)
      .filter(([kind]) => kind !== "securitySchemes")
      .flatMap(([kind, all]) => Object.keys(all).map((name) => `#/components/${kind}/${name}`));
    expect([...references].sort()).toEqual(named.sort());
  });
});

describe("an assumption", () => {
  const marks = places.flatMap(({ node, path }) =>
    "x-assumed" in node ? [node["x-assumed"]].flat().map((mark: string) => ({ mark, path })) : [],
  );

  test("every assumption of the OpenAPI document is listed, and marked where it applies", () => {
    for (const { mark, path } of marks) expect(assumptions, path).toHaveProperty(mark);
    const listed = Object.entries(assumptions).map(([number, { assumed }]) => [number, assumed]);
    expect(Object.entries(document.info["x-assumptions"])).toEqual(listed);
    const marked = new Set(marks.map(({ mark }) => mark));
    const unmarked = Object.keys(assumptions).filter((mark) => !marked.has(mark));
    expect(unmarked).toEqual(["A18"]);
  });

  test("every schema and answer is marked as documented or as assumed", () => {
    const { schemas, responses, parameters } = document.components;
    const named = [schemas, responses, parameters].flatMap((entries) =>
      Object.entries<Node>(entries),
    );
    const untold = named
      .filter(([, node]) => !("x-assumed" in node) && !("x-documented" in node))
      .map(([name]) => name);
    expect(untold).toEqual(["Unexpected"]);
    for (const { operationId, responses: answers } of operations) {
      const [success] = Object.values<Node>(answers);
      const origins = ["x-assumed", "x-documented"].filter((key) => key in success);
      expect(origins, operationId).toHaveLength(1);
    }
  });
});

describe("the examples", () => {
  const media = places.filter(({ node }) => "schema" in node && "examples" in node);
  const all = media.flatMap(({ path, node }) =>
    Object.entries<Node>(node.examples).map(([name, { value }]) => [path, name, value] as const),
  );

  test("every body and every documented answer has an example", () => {
    const without = places
      .filter(({ node, path }) => "schema" in node && path.includes("application/json"))
      .filter(({ node }) => !("examples" in node))
      .map(({ path }) => path);
    expect(without).toEqual(["#/components/responses/Unexpected/content/application/json"]);
  });

  test.each(all)("the example at %s, %s, fits its schema", (path, _name, value) => {
    const [, kind, route = "", method = "", part, status] =
      /^#\/(paths|components)\/(\/[^ ]*?|\w+)\/(get|post|patch|delete|\w+)\/(responses|requestBody|content)\/?(\d+)?/.exec(
        path,
      ) ?? [];
    const operation = document.paths[route]?.[method]?.operationId;
    const findThem = () => {
      if (kind === "components") return findIssues("FailureEnvelope", value);
      if (part === "requestBody") return findBodyIssues(operation, value);
      return findAnswerIssues(operation, Number(status), value);
    };
    expect(findThem()).toEqual([]);
  });
});

describe("an answer that is wrong", () => {
  const [created_at, action] = ["2026-03-02T09:15:00Z", "copy-ad"];
  const job = { job_id: "j", status: "queued", action, created_at };
  const success = (data: unknown) => ({ success: true, data, error: null });

  test.each<[string, EndpointName, number, unknown]>([
    ["has a status that is not described", "jobs.get", 202, success(job)],
    ["is no envelope", "jobs.get", 200, job],
    ["has an error beside its data", "jobs.get", 200, { ...success(job), error: "x" }],
    ["says that it failed", "jobs.get", 200, { ...success(job), success: false }],
    ["has a status that no job has", "jobs.get", 200, success({ ...job, status: "paused" })],
    ["is not queued", "jobs.submit", 202, success({ job_id: "j", status: "processing" })],
    ["completed without a result", "jobs.get", 200, success({ ...job, status: "completed" })],
    ["failed without a reason", "jobs.get", 200, success({ ...job, status: "failed" })],
    ["has no time", "jobs.get", 200, success({ ...job, created_at: "today" })],
    ["is a bare list", "jobs.list", 200, success([job])],
    ["lists something else", "jobs.list", 200, success({ jobs: [{ id: "j" }] })],
    ["is a failure with data", "jobs.get", 404, { success: false, data: {}, error: "x" }],
    ["was not deleted", "brands.delete", 200, success({ id: "b", deleted: false })],
  ])("the validator finds an answer that %s", (_, operation, status, body) => {
    expect(findAnswerIssues(operation, status, body)).not.toEqual([]);
  });
});

describe("openapi.json", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  const served = JSON.parse(readFileSync("tools/openapi/openapi.json", "utf8"));

  test("openapi.json is up to date: npm run openapi writes it", () => {
    expect(served).toEqual(JSON.parse(JSON.stringify(generateOpenApi(version))));
  });
});

test("a discriminator names an object schema for each value, as generators for Java need it", () => {
  const schemas: Record<string, Node> = document.components.schemas;
  const unions = Object.values(schemas).filter(({ discriminator }) => discriminator);
  expect(unions).not.toEqual([]);
  for (const { discriminator } of unions) {
    const references = Object.values<string>(discriminator.mapping);
    expect(new Set(references).size).toBe(references.length);
    for (const reference of references) {
      const schema = schemas[reference.replace("#/components/schemas/", "")];
      expect(schema, reference).toMatchObject({ type: "object", properties: expect.anything() });
      expect(schema).not.toHaveProperty("oneOf");
    }
  }
});
