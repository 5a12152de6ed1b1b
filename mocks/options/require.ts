import type * as z from "zod/mini";

/** Makes the error for an option that makes no sense; `option` is its name, as the caller wrote it. */
export const optionError = (option: string, expected: string): TypeError =>
  new TypeError(`The mock's ${option} must be ${expected}`);

/** Lists the names of a table, in the table's order. */
export const keysOf = <Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(table) as Name[];

/** Lists the first of some texts, and counts the others: a longer message says no more. */
export const listSome = (texts: readonly string[], most: number, separator = ", "): string => {
  const shown = texts.slice(0, most);
  const left = texts.length - shown.length;
  return [...shown, ...(left > 0 ? [`and ${left} more`] : [])].join(separator);
};

/** Counts texts that are the same, in the order in which each was first seen. */
export const countAlike = (texts: readonly string[]): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts];
};

/** Adds methods and getters to an object. A spread would read the getters, and only once. */
export const addMembers = <Base extends object, More extends object>(base: Base, more: More) =>
  Object.defineProperties(base, Object.getOwnPropertyDescriptors(more)) as Base & More;

/** Refuses an object that has other fields than these. @throws TypeError that lists them */
export const requireKnown = (whole: string, names: readonly string[], value: object): void => {
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown === undefined) return;
  const message = `The mock's ${whole} have no field "${unknown}"; they have ${names.join(", ")}`;
  throw new TypeError(message);
};

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Lists the fields that an issue is about because the schema does not know them. */
const unknownFields = (issue: Issue): readonly string[] => {
  if (issue.code === "unrecognized_keys") return issue.keys;
  return issue.code === "invalid_key" ? issue.path.slice(-1).map(String) : [];
};

const unknownFieldsIn = (issues: readonly Issue[]): number => issues.flatMap(unknownFields).length;

/** Tells whether a value has the type, but perhaps not the fields, that a branch of a union needs. */
const isOfKind = (issues: readonly Issue[]): boolean =>
  issues.every(({ code, path }) => path.length > 0 || code === "unrecognized_keys");

/** Finds the mistake that explains most. A misspelt field comes first, because others follow from it. */
const findMistake = (issues: readonly Issue[], above: Path = []): Issue | undefined => {
  const issue = issues.find((found) => unknownFields(found).length > 0) ?? issues[0];
  if (issue === undefined) return undefined;
  const path = [...above, ...issue.path];
  if (issue.code === "invalid_union") {
    // The caller meant the branch that recognises most of the fields.
    const [meant] = issue.errors
      .filter(isOfKind)
      .toSorted(
        (one, other) => unknownFieldsIn(one) - unknownFieldsIn(other) || one.length - other.length,
      );
    const inner = meant && findMistake(meant, path);
    if (inner !== undefined) return inner;
  }
  return { ...issue, path };
};

const placeOf = (whole: string, start: string, path: Path): string => {
  if (path.length === 0) return whole;
  return path.reduce<string>((place, part) => {
    if (typeof part === "number") return `${place}[${part}]`;
    const name = String(part);
    if (!/^[a-z_$][\w$]*$/i.test(name)) return `${place}[${JSON.stringify(name)}]`;
    return place === "" ? name : `${place}.${name}`;
  }, start);
};

const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>(
    (inner, part) =>
      typeof inner === "object" && inner !== null ? Reflect.get(inner, part) : undefined,
    value,
  );

const shownCharacters = 120;

/** Cuts a text that is long for a message. */
export const shorten = (text: string): string =>
  text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text;

/** Shows a value in a message, a long one by its beginning. */
export const showValue = (value: unknown): string => {
  if (value === undefined) return "missing";
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
 * Describes requests by a choice of them: `jobs.submit of edit-ad (status 402)`.
 *
 * @param fallback - Words for the requests of any operation
 */
export const describeChoice = (choice: object, fallback: string): string => {
  const { operation = fallback, action, ...others } = choice as Record<string, string | string[]>;
  const list = (names: string | string[]): string => [names].flat().join(" or ");
  const parts = Object.entries(others).filter(([, value]) => value !== undefined);
  const more = parts.map(([name, value]) => `${name} ${showValue(value)}`).join(", ");
  const name = action === undefined ? list(operation) : `${list(operation)} of ${list(action)}`;
  return more === "" ? name : `${name} (${more})`;
};

/**
 * Describes the first thing in a value that does not fit a schema: the field's path, the value and
 * the expected. The schema's own messages are the words for the expected.
 *
 * @param whole - Name of the value
 * @param start - Start of every path in it. @default whole
 * @returns `undefined` when the value fits
 */
export const describeMisfit = (
  whole: string,
  schema: z.ZodMiniType,
  value: unknown,
  start: string = whole,
): string | undefined => {
  const mistake = findMistake(schema.safeParse(value).error?.issues ?? []);
  if (mistake === undefined) return undefined;
  const { path, message } = mistake;
  const [unknownField] = unknownFields(mistake);
  const isNamed = mistake.code === "invalid_key";
  const place = placeOf(whole, start, isNamed ? path.slice(0, -1) : path);
  if (unknownField !== undefined) {
    return /(?<!M)s$/.test(place)
      ? `${place} have no field "${unknownField}"; they have ${message}`
      : `${place} has no field "${unknownField}"; it has ${message}`;
  }
  return `${place} must be ${message}; it is ${showValue(valueAt(value, path))}`;
};

/**
 * Checks a value by its schema, and gives the schema's copy of it.
 *
 * @param whole - Name of the value in the error
 * @param start - Start of every path in the error. @default whole
 * @throws TypeError when the value does not fit; it names the field, the value and the expected
 */
export const requireFit = <Schema extends z.ZodMiniType>(
  whole: string,
  schema: Schema,
  value: unknown,
  start?: string,
): z.output<Schema> => {
  const { success, data } = schema.safeParse(value);
  if (success) return data;
  throw new TypeError(`The mock's ${describeMisfit(whole, schema, value, start)}`);
};
