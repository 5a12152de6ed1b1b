import { isAdGenError } from "./errors.ts";
import { refuseArgument } from "./refuse.ts";

interface WithToJson {
  toJSON?: () => unknown;
}

/** A copy that JSON says faithfully; refuses, by its path, what JSON would drop or change. */
const copy = (given: unknown, path: string, above: readonly unknown[]): unknown => {
  const refuse = (what: unknown) => refuseArgument(`${path} cannot be sent: it is ${what}`);
  let value = given;
  // A Buffer has a JSON form too: a list of its bytes.
  if (typeof (given as WithToJson | null)?.toJSON === "function" && !ArrayBuffer.isView(given)) {
    value = (given as Required<WithToJson>).toJSON();
    if (value === null) refuse("no date"); // what else has no JSON
  }
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : refuse(value);
  if (typeof value !== "object") return refuse(typeof value);
  if (above.includes(value)) refuse("circular");
  const inside = [...above, value];
  if (Array.isArray(value)) {
    return Array.from(value, (item, index) => copy(item, `${path}[${index}]`, inside));
  }
  const tag = Object.prototype.toString.call(value);
  if (tag !== "[object Object]") refuse(tag);
  const out: Record<string, unknown> = Object.create(null);
  for (const [name, item] of Object.entries(value)) {
    if (item !== undefined) out[name] = copy(item, `${path}.${name}`, inside);
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
  try {
    return copy(body, name, []) as Record<string, unknown>;
  } catch (cause) {
    if (isAdGenError(cause)) throw cause;
    return refuseArgument(`${name} cannot be read`, cause); // a getter throws, or it has no bottom
  }
};

/** A request body as JSON; refuses what {@link copyBody} refuses. */
export const serializeBody = (body: unknown, name: string): string =>
  JSON.stringify(copyBody(body, name));
