import * as z from "zod";
import type { Assumption } from "../../mocks/conformance/assumptions.ts";
import { bodies } from "../../src/contract/bodies.ts";
import type { EndpointName } from "../../src/contract/endpoint.ts";
import type { Fields } from "../../src/contract/schema.ts";

declare module "zod" {
  interface GlobalMeta {
    /** Section of the API's document that says so. */
    "x-documented"?: string;
    /** Assumptions that the place rests on where the API's document is silent. */
    "x-assumed"?: Assumption | readonly Assumption[];
  }
}

/** Fields that narrow those of the contract; the compiler refuses one that contradicts it. */
type Narrowing<Base> = {
  readonly [Name in keyof Base]?: Base[Name] extends z.core.$ZodType<infer Value>
    ? z.core.$ZodType<Value>
    : never;
};

/**
 * Makes an open object of fields of the contract and of what the mock knows besides. The
 * detail narrows the contract's fields and adds others; it takes none away.
 */
export const fromContract = <Base extends Fields>(
  fields: Base,
  detail: Narrowing<Base> & z.ZodRawShape,
) =>
  // Named twice, so that the fields stand in the order of the answers.
  z.looseObject({ ...detail, ...fields, ...detail });

/** Makes the body of an endpoint in the same way. */
export const bodyFromContract = (name: EndpointName, detail: z.ZodRawShape) => {
  const fields = bodies[name];
  if (fields === undefined) throw new Error(`${name}: the contract has no body for it`);
  return fromContract(fields, detail);
};

/** Makes a text that is a moment in time. */
export const moment = (description: string, meta: z.GlobalMeta = {}) =>
  z.string().meta({ format: "date-time", description, ...meta });
