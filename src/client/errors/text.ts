/** The longest piece of foreign text that stands in an error. */
const maxLength = 500;

/** Cuts foreign text to a bounded line: without line breaks and control characters. */
export const oneLine = (text: string, length: number = maxLength): string => {
  // Cut first: a service's error page may have megabytes.
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

/** Describes a value in a message: a number as it is, a short text in quotes, else its kind. */
export const describeValue = (value: unknown): string => {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return JSON.stringify(oneLine(value, 50));
  return kindOf(value);
};

/** Describes a value that may be a secret: its kind alone. */
export const describeKind = (value: unknown): string =>
  value === "" ? "an empty text" : kindOf(value);

/** Cuts the keys out of a text. */
export type Redact = (text: string) => string;

/** A shorter key, as in tests, is a part of words: it is left. */
const minKeyLength = 8;

/** A key as it is, and as JSON and URLs write it. */
const formsOf = (key: string): string[] => [
  ...new Set([key, JSON.stringify(key).slice(1, -1), encodeURIComponent(key)]),
];

/**
 * Creates the function that cuts keys out of texts.
 *
 * @param keys - More may be added later
 * @param markOf - Returns what is shown in the place of a key, by its place among the keys
 */
export const createRedact =
  (keys: ReadonlySet<string>, markOf: (place: number) => string = () => "***"): Redact =>
  (text) => {
    const marks = Array.from(keys, (key, place) => [key, markOf(place)] as const)
      .filter(([key]) => key.length >= minKeyLength)
      // A key that begins with another one goes first.
      .sort(([one], [other]) => other.length - one.length);
    return marks.reduce(
      (left, [key, mark]) => formsOf(key).reduce((cut, form) => cut.replaceAll(form, mark), left),
      text,
    );
  };

/** Cuts foreign text to what may stand in an error: a bounded line, without the keys of its call. */
export type RedactLine = (text: string) => string;

/** The {@link RedactLine} of a call whose attempts were sent with these keys. */
export const createRedactLine = (keys: ReadonlySet<string>): RedactLine => {
  const redact = createRedact(keys);
  return (text) => oneLine(redact(text));
};
