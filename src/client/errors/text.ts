/** Most characters of foreign text in an error. */
const maxLength = 500;

/** Cuts foreign text to one short line, without control characters. */
export const oneLine = (text: string, length: number = maxLength): string => {
  // Cut before the replacement, because an error page may have megabytes.
  const line = text.slice(0, 10 * length).replace(/[\s\p{Cc}]+/gu, " ");
  return line.length > length ? `${line.slice(0, length - 1)}…` : line;
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

/**
 * Describes a value for a message: numbers as they are, short texts in quotes, anything else by its
 * kind.
 */
export const describeValue = (value: unknown): string => {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(oneLine(value, 50));
  return kindOf(value);
};

/** Describes a value that may be a secret, by its kind only. */
export const describeKind = (value: unknown): string =>
  value === "" ? "an empty text" : kindOf(value);

/** Replaces the API keys in a text. */
export type Redact = (text: string) => string;

/** A shorter key, as some tests have, could be a part of common words, so it isn't replaced. */
const minKeyLength = 8;

/** A key as it is, as JSON writes it, and as URLs write it. */
const formsOf = (key: string): string[] => [
  ...new Set([key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]),
];

/** Creates the function that replaces keys in texts. More keys may be added later. */
export const createRedact =
  (keys: ReadonlySet<string>): Redact =>
  (text) =>
    [...keys]
      .filter((key) => key.length >= minKeyLength)
      // Replace longer keys first, because one key may begin with another.
      .sort((one, other) => other.length - one.length)
      .flatMap(formsOf)
      .reduce((left, form) => left.replaceAll(form, "***"), text);

/** Cuts foreign text to one short line, without the API keys of its call. */
export type RedactLine = (text: string) => string;

/** Creates the {@link RedactLine} for the keys of a call's attempts. */
export const createRedactLine = (keys: ReadonlySet<string>): RedactLine => {
  const redact = createRedact(keys);
  return (text) => oneLine(redact(text));
};
