import type * as z from "zod/mini";
import { toDotPath } from "zod/v4/core";
import { findNear } from "./near-name.ts";

/** Creates the error of an invalid option. `option` is its name, as the caller wrote it. */
export const optionError = (option: string, expected: string): TypeError =>
  new TypeError(`The mock's ${option} must be ${expected}`);

/** Lists the names of a table, in the table's order. */
export const keysOf = <Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(table) as Name[];

/** Joins the first texts of a list, and counts the others, so that messages stay short. */
export const listSome = (texts: readonly string[], max: number, separator = ", "): string => {
  const shown = texts.slice(0, max);
  const left = texts.length - shown.length;
  return [...shown, ...(left > 0 ? [`and ${left} more`] : [])].join(separator);
};

/** Counts equal texts, in the order of their first appearance. */
export const countAlike = (texts: readonly string[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts];
};

/** Adds methods and getters to an object. Spreading would call the getters now, and only once. */
export const addMembers = <Base extends object, More extends object>(base: Base, more: More) =>
  Object.defineProperties(base, Object.getOwnPropertyDescriptors(more)) as Base & More;

/** Says that something has no field of this name, and which field may be meant, or all that it has. */
const describeUnknownField = (owner: string, name: string, names: readonly string[]): string => {
  const [have, they] = /(?<!M)s$/.test(owner) ? ["have", "they have"] : ["has", "it has"];
  const near = findNear(name, names);
  const hint = near === undefined ? `${they} ${names.join(", ")}` : `did you mean ${near}?`;
  return `The mock's ${owner} ${have} no field "${name}"; ${hint}`;
};

/** Checks that an object has no fields other than these. @throws TypeError that names the wrong one */
export const requireKnown = (whole: string, names: readonly string[], value: object): void => {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) throw new TypeError(describeUnknownField(whole, unknown, names));
};

const placeOf = (whole: string, start: string, path: PropertyKey[]): string => {
  if (path.length === 0) return whole;
  const inside = toDotPath(path);
  return start === "" || inside.startsWith("[") ? start + inside : `${start}.${inside}`;
};

const shownCharacters = 120;

/** Cuts a text that is too long for a message. */
const shorten = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;

/** Describes a value in a message. A long value is cut. */
export const showValue = (value: unknown): string => {
  if (value === undefined) return "undefined";
  if (typeof value === "function") return "a function";
  if (typeof value === "bigint") return `${value}n`;
  if (value instanceof RegExp) return shorten(String(value));
  if (typeof value !== "string" && typeof value !== "object") return String(value);
  try {
    return shorten(JSON.stringify(value) ?? "no JSON");
  } catch {
    return "an object that is no JSON";
  }
};

/**
 * Checks a value by a schema, and returns the schema's copy.
 *
 * @param whole - Name of the value in the error
 * @param start - Prefix of the paths of its fields. @default whole
 * @throws TypeError when the value doesn't fit; it names the field, what was expected, and the value
 */
export const requireFit = <Schema extends z.ZodMiniType>(
  whole: string,
  schema: Schema,
  value: unknown,
  start: string = whole,
): z.output<Schema> => {
  const { success, data, error } = schema.safeParse(value, { reportInput: true });
  if (success) return data;
  // A misspelt field comes first, because other issues follow from it.
  const misspelt = error.issues.find((found) => found.code === "unrecognized_keys");
  const { path, message, input } = misspelt ?? (error.issues[0] as z.core.$ZodIssue);
  const place = placeOf(whole, start, path);
  throw new TypeError(
    misspelt
      ? describeUnknownField(place, misspelt.keys[0] ?? "", message.split(", "))
      : `The mock's ${place} must be ${message}, got ${showValue(input)}`,
  );
};
