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

/** The shortest key that is cut wherever it stands. A shorter one, as in tests, is a part of words. */
const shortestInWords = 8;

/** Times that escapes are decoded: those of JSON may stand inside those of HTML inside a URL. */
const mostDecodings = 3;

/** Letters that base64 makes of a key alone, whatever stands before and after it in the text. */
const inBase64 = (key: string): string[] =>
  [0, 1, 2].flatMap((before) => {
    const sure = Math.floor(((before + key.length) * 8) / 6);
    const letters = btoa(" ".repeat(before) + key).slice(Math.ceil((before * 8) / 6), sure);
    return [letters, letters.replaceAll("+", "-").replaceAll("/", "_")];
  });

/** One letter as URLs, JSON and HTML write it, also repeatedly. */
const escapedLetter =
  /%(?:25)*([0-9a-f]{2})|\\+(?:u00|x)([0-9a-f]{2})|&(?:amp;)*#x0*([0-9a-f]{2});|&(?:amp;)*#0*(\d{2,3});|&(?:amp;)*(amp|lt|gt|quot|apos|plus|sol|equals|lowbar|period);|\\+(["/\\])/gi;

const lettersByName: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  plus: "+",
  sol: "/",
  equals: "=",
  lowbar: "_",
  period: ".",
};

const letterOf = (_: string, url = "", json = "", hex = "", decimal = "", name = "", own = "") =>
  own ||
  lettersByName[name.toLowerCase()] ||
  String.fromCharCode(Number(decimal || `0x${url}${json}${hex}`));

const decode = (text: string): string => {
  let letters = text;
  for (let times = 0; times < mostDecodings && /[%&\\]/.test(letters); times++) {
    letters = letters.replace(escapedLetter, letterOf);
  }
  return letters;
};

/** Forms in which a key is searched for in a text, and in the text without escapes. */
const formsOf = (key: string): readonly (string | RegExp)[] => {
  if (key.length < shortestInWords) {
    return [new RegExp(`(?<![\\w-])${key.replace(/[^\w-]/g, "\\$&")}(?![\\w-])`, "g")];
  }
  const inJson = JSON.stringify(key).slice(1, -1);
  // A key may hold what looks like an escape.
  const plain = [key, inJson, decode(key)];
  if (!/^[ -~]+$/.test(key)) return plain;
  const hex = Array.from(key, (letter) => letter.charCodeAt(0).toString(16)).join("");
  return [...plain, hex, hex.toUpperCase(), ...inBase64(key)];
};

/**
 * Creates the function that cuts keys out of texts, in every form in which a service may echo them.
 * A word in which escapes hide a key is shown without them.
 *
 * @param keys - More may be added later
 * @param markOf - Returns what is shown in the place of a key, by its place among the keys
 */
export const createRedact = (
  keys: ReadonlySet<string>,
  markOf: (place: number) => string = () => "***",
): Redact => {
  let known = 0;
  let forms: readonly (readonly [form: string | RegExp, mark: string])[] = [];
  const cut: Redact = (text) =>
    forms.reduce((left, [form, mark]) => left.replaceAll(form, mark), text);
  const cutDecoded: Redact = (text) => {
    const letters = decode(text);
    const left = cut(letters);
    return left === letters ? text : left;
  };
  return (text) => {
    // Only now: most calls clean no text.
    if (keys.size !== known) {
      known = keys.size;
      const marks = Array.from(keys, (key, place) => [key, markOf(place)] as const);
      // A key that begins with another one goes first.
      marks.sort(([one], [other]) => other.length - one.length);
      forms = marks.flatMap(([key, mark]) => formsOf(key).map((form) => [form, mark] as const));
    }
    const plain = cut(text);
    if (!/[%&\\]/.test(plain) || cutDecoded(plain) === plain) return plain;
    // Word by word, so that the others stay as they are. A key may hold the end of a word.
    return cutDecoded(plain.replace(/[^\s"]+/g, cutDecoded));
  };
};

/** Cuts foreign text to what may stand in an error: a bounded line, without the keys of its call. */
export type Clean = (text: string) => string;

/** The {@link Clean} of a call whose attempts were sent with these keys. */
export const cleanerFor = (keys: ReadonlySet<string>): Clean => {
  const redact = createRedact(keys);
  return (text) => oneLine(redact(text));
};
