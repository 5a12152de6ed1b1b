import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { type EndpointName, endpoints } from "../../src/contract/endpoint.ts";

interface Described {
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

/** The part of an OpenAPI document that the validator reads. */
interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
}

/** Writes a place in the document as a reference. */
const pointerTo = (...names: readonly string[]): string =>
  [
    "#",
    ...names.map((name) => encodeURIComponent(name.replace(/~/g, "~0").replace(/\//g, "~1"))),
  ].join("/");

/** Creates functions that compare values with an OpenAPI 3.1 document, by an independent validator. */
export const createAnswerValidator = (document: object) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, "openapi");
  const { paths } = document as OpenApi;
  const compiled = new Map<string, ValidateFunction>();

  const findIssuesAt = (pointer: string, value: unknown): string[] => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi${pointer}` });
    compiled.set(pointer, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  };

  const placeOf = (operation: EndpointName): [path: string, method: string] => {
    const { path, method } = endpoints[operation];
    return [path.replace(/:(\w+)/g, "{$1}"), method.toLowerCase()];
  };

  return {
    /** Lists the differences between an answer and the document. */
    findAnswerIssues: (operation: EndpointName, status: number, body: unknown): string[] => {
      const [path, method] = placeOf(operation);
      const answered = paths[path]?.[method]?.responses[status];
      if (answered === undefined) return [`${operation} has no answer ${status}`];
      const place = answered.$ref ?? pointerTo("paths", path, method, "responses", String(status));
      return findIssuesAt(`${place}/content/application~1json/schema`, body);
    },
    /** Lists the differences between a request's body and the document. */
    findBodyIssues: (operation: EndpointName, body: unknown): string[] =>
      findIssuesAt(
        `${pointerTo("paths", ...placeOf(operation))}/requestBody/content/application~1json/schema`,
        body,
      ),
    /** Lists the differences between a value and a named schema of the document. */
    findIssues: (schema: string, value: unknown): string[] =>
      findIssuesAt(pointerTo("components", "schemas", schema), value),
  };
};
