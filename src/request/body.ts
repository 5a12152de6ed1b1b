import { showCaller } from "../errors/adgen-error.ts";
import { isAdGenError } from "../errors/errors.ts";
import { describeValue } from "../errors/text.ts";
import { callRules } from "../options/call-options.ts";
import { isIdempotencyKey } from "../options/headers.ts";
import { object, refuseWrite } from "../options/rules.ts";

/** Deeper bodies overflow the stack of some runtime. */
const maxDepth = 500;

/** Name of an object's kind: "Object" for plain objects, "Map", "Blob". */
const kindOf = (value: unknown): string =>
  Object.prototype.toString.call(value).slice("[object ".length, -1);

const binaryKinds = ["ArrayBuffer", "SharedArrayBuffer", "Blob", "File"];

/** Whether JSON says a value as it is. */
const isPlain = (value: unknown): boolean =>
  value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);

/** Copies a value that JSON says faithfully; refuses, by its path, what JSON would drop or change. */
const copy = (given: unknown, path: string, above: readonly unknown[]): unknown => {
  if (isPlain(given)) return given;
  const refuse = (what: string): never => refuseWrite(`${path} cannot be sent: it ${what}`);
  if (ArrayBuffer.isView(given) || binaryKinds.includes(kindOf(given))) {
    return refuse("is binary; send a URL or a data URL as text");
  }
  const hasJsonForm = typeof (given as { toJSON?: unknown } | undefined)?.toJSON === "function";
  const value: unknown = hasJsonForm ? (given as Date).toJSON() : given;
  if (hasJsonForm && value === null) return refuse("is an invalid date");
  if (isPlain(value)) return value;
  if (typeof value !== "object" || value === null) return refuse(`is ${describeValue(value)}`);
  if (above.includes(value)) return refuse("contains itself");
  if (above.length > maxDepth) return refuse(`is nested more than ${maxDepth} levels deep`);
  const inside = [...above, value];
  if (Array.isArray(value)) {
    return Array.from(value, (item, index) => copy(item, `${path}[${index}]`, inside));
  }
  if (kindOf(value) !== "Object") {
    return kindOf(value) === "AbortSignal"
      ? refuse("is an option of the call: it belongs in the second argument")
      : refuse(`is of the kind ${kindOf(value)}; send plain objects, lists and texts`);
  }
  const fields: Record<string, unknown> = Object.create(null);
  for (const [name, item] of Object.entries(value)) {
    if (item !== undefined) fields[name] = copy(item, `${path}.${name}`, inside);
  }
  return fields;
};

/**
 * Copies a request body, reading every value once. Properties that are `undefined` are left
 * out, as in JSON; NaN, Infinity, functions, BigInt, symbols, cycles and binary data are refused.
 */
export const copyBody = (body: unknown, name: string): Readonly<Record<string, unknown>> => {
  try {
    return copy(object(body, name, refuseWrite), name, []) as Record<string, unknown>;
  } catch (cause) {
    if (isAdGenError(cause)) throw showCaller(cause);
    return refuseWrite(
      `${name} cannot be read: a getter of it throws, or it is nested too deeply`,
      cause,
    );
  }
};

/** A request body, ready to be sent. */
export interface JsonBody {
  /** Copy of what the caller gave. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** The same as JSON. */
  readonly text: string;
}

/** Writes a request body as JSON; refuses what {@link copyBody} refuses. */
export const writeBody = (body: unknown, name: string): JsonBody => {
  const fields = copyBody(body, name);
  return { fields, text: JSON.stringify(fields) };
};

/** Names of the options of a call, once a request was checked against them. */
let optionNames: ReadonlySet<string> | undefined;

/**
 * Refuses a request that holds an option of its call. The service would ignore it: an id that
 * stands there keeps nothing from being paid twice.
 *
 * @param name - Names the request in the refusal
 */
export const refuseCallOptions = (fields: JsonBody["fields"], name: string): void => {
  optionNames ??= new Set(["once", ...Object.keys(callRules())]);
  for (const field of Object.keys(fields)) {
    if (optionNames.has(field)) {
      refuseWrite(
        `${name} holds "${field}", an option of the call: it belongs in the second argument`,
      );
    }
    if (isIdempotencyKey(field)) {
      refuseWrite(
        `${name} holds "${field}", but the service knows no idempotency keys: pass once, ` +
          "in the second argument",
      );
    }
  }
};
