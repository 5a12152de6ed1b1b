import { toJSONSchema } from "zod/v4/core";
import { type SchemaSource, schemaOf } from "../../src/contract/schema.ts";
import type { Assumption } from "./assumptions.ts";

/** What is documented and what is assumed, at the place that says it. */
export interface Origin {
  /** The section of the API's document. */
  readonly "x-documented"?: string;
  /** What the place rests on where the API's document is silent. */
  readonly "x-assumed"?: Assumption | readonly Assumption[];
}

/** The part of OpenAPI's schema object (JSON Schema 2020-12) that is looked into here. */
export interface SchemaObject extends Origin {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, SchemaObject>>;
  readonly required?: readonly string[];
  readonly [keyword: string]: unknown;
}

export const reference = (name: string, more: SchemaObject = {}): SchemaObject => ({
  $ref: `#/components/schemas/${name}`,
  ...more,
});

/** An open object; every property named is required, unless `required` names fewer. */
export const openObject = (
  properties: Readonly<Record<string, SchemaObject>>,
  more: SchemaObject = {},
): SchemaObject => ({
  type: "object",
  properties,
  required: Object.keys(properties),
  additionalProperties: true,
  ...more,
});

type Types = string | readonly string[];

const narrows = (type: Types, base: Types): boolean =>
  [type].flat().every((one) => [base].flat().includes(one === "integer" ? "number" : one));

const refine = (name: string, base: SchemaObject, detail: SchemaObject): SchemaObject => {
  // A reference says its type elsewhere, and what the contract leaves open is said here alone.
  if (detail.$ref !== undefined || base.type === undefined) return detail;
  const { type = base.type } = detail;
  if (!narrows(type, base.type)) {
    throw new Error(`"${name}" is of type ${base.type} in the contract, and ${type} here`);
  }
  return { ...base, ...detail };
};

/**
 * A schema of the contract with what the mock knows besides: detail narrows the contract's
 * fields and adds others, it takes none away.
 *
 * @throws Error where the detail contradicts the contract
 */
export const fromContract = (source: SchemaSource, detail: SchemaObject): SchemaObject => {
  const { $schema: _, ...base } = toJSONSchema(schemaOf(source), { io: "input" }) as SchemaObject;
  // In the order of the detail, which is the order of the answers.
  const properties: Record<string, SchemaObject> = { ...detail.properties };
  for (const [name, property] of Object.entries(base.properties ?? {})) {
    properties[name] = refine(name, property, properties[name] ?? {});
  }
  return {
    ...refine("body", base, detail),
    properties,
    required: [...new Set([...(base.required ?? []), ...(detail.required ?? [])])],
    additionalProperties: true,
  };
};
