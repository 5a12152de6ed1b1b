import { refuseArgument } from "./refuse.ts";

interface WithToJson {
  toJSON?: (key: string) => unknown;
}

/** A copy that JSON says faithfully; refuses, by its path, what JSON would drop or change. */
const copy = (given: unknown, path: string, key: string, above: readonly unknown[]): unknown => {
  const refuse = (what: unknown) => refuseArgument(`${path} cannot be sent: it is ${what}`);
  let value = given;
  if (typeof (given as WithToJson | null)?.toJSON === "function") {
    value = (given as Required<WithToJson>).toJSON(key);
    if (value === null) refuse("no date"); // what else has no JSON
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : refuse(value);
  if (typeof value !== "object") return refuse(typeof value);
  if (above.includes(value)) refuse("circular");
  const inside = [...above, value];
  if (Array.isArray(value)) {
    return Array.from(value, (item, index) => copy(item, `${path}[${index}]`, `${index}`, inside));
  }
  const tag = Object.prototype.toString.call(value);
  if (tag !== "[object Object]") refuse(tag);
  const out: Record<string, unknown> = Object.create(null);
  for (const [name, item] of Object.entries(value)) {
    if (item !== undefined) out[name] = copy(item, `${path}.${name}`, name, inside);
  }
  return out;
};

/**
 * Copies a request body, reading every value once. Properties that are `undefined` are left
 * out, as in JSON; NaN, Infinity, functions, BigInt, symbols, cycles and binary data are refused.
 */
export const copyBody = (body: unknown, name: string): Readonly<Record<string, unknown>> => {
  if (typeof body !== "object" || body === null || Array.isArray(body)) {
    return refuseArgument(`${name} must be an object`);
  }
  return copy(body, name, "", []) as Record<string, unknown>;
};

/** A request body as JSON; refuses what {@link copyBody} refuses. */
export const serializeBody = (body: unknown, name: string): string =>
  JSON.stringify(copyBody(body, name));
