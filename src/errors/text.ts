import { createRedact } from "./redactor.ts";

/** The longest piece of foreign text that stands in an error. */
const maxLength = 500;

/** Cuts foreign text to a bounded line: without line breaks and control characters. */
export const oneLine = (text: string, length: number = maxLength): string => {
  // Cut first: a service's error page may have megabytes.
  const line = text.slice(0, 10 * length).replace(/[\s\p{Cc}]+/gu, " ");
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
};

/** Cuts foreign text to what may stand in an error: a bounded line, without the keys of its call. */
export type Clean = (text: string) => string;

/** Makes the {@link Clean} for a call whose attempts were sent with these keys. */
export const cleanerFor = (keys: ReadonlySet<string>): Clean => {
  const redact = createRedact(keys);
  return (text) => oneLine(redact(text));
};

const kindOf = (value: unknown): string => {
  if (value === null) return "null";
  if (Array.isArray(value)) return "an array";
  if (value instanceof Promise) return "a Promise (await it)";
  const type = typeof value;
  if (type === "undefined") return "undefined";
  if (type === "object") return "an object";
  return `a ${type}`;
};

/** Describes a value in a message: a number as it is, a short text in quotes, else its kind. */
export const describeValue = (value: unknown): string => {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(oneLine(value, 50));
  return kindOf(value);
};

/** Describes a value that may be a secret: its kind alone. */
export const describeKind = (value: unknown): string =>
  value === "" ? "an empty text" : kindOf(value);
