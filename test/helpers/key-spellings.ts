import { expect } from "vitest";

const url = encodeURIComponent;
const encode = (text: string): string => Buffer.from(text).toString("base64");
const hexOf = (text: string): string => Buffer.from(text).toString("hex");
const forUrls = (text: string): string => text.replaceAll("+", "-").replaceAll("/", "_");
const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);
const slashes = (text: string): string => text.replaceAll("/", "\\/");

/** Writes each letter by its code. */
const byCode = (text: string, before: string, base: number, digits: number, after = ""): string =>
  Array.from(text, (letter) => {
    const code = letter.charCodeAt(0).toString(base);
    return before + code.padStart(digits, "0") + after;
  }).join("");

const names: Readonly<Record<string, string>> = {
  ...{ "&": "amp", "<": "lt", ">": "gt", '"': "quot", "/": "sol", "+": "plus", "=": "equals" },
};
const inHtml = (text: string): string =>
  text.replace(/[&<>"/+=]/g, (letter) => `&${names[letter]};`);

/** Ways in which a service, or what stands before it, may write a key that it has been sent. */
export const spellings: Readonly<Record<string, (key: string) => string>> = {
  "as it is": (key) => `Bearer ${key}`,
  "percent-encoded": (key) => `https://cdn.test/a?key=${url(key)}&b=1`,
  "percent-encoded in small letters": (key) => url(key).replace(/%../g, (c) => c.toLowerCase()),
  "percent-encoded twice": (key) => url(url(key)),
  "percent-encoded letter by letter": (key) => byCode(key, "%", 16, 2),
  "percent-encoded at its first letter alone": (key) =>
    byCode(key[0] ?? "", "%", 16, 2) + key.slice(1),
  "percent-encoded in parts": (key) => key.replaceAll("+", "%2B"),
  "in base64": encode,
  "in base64 with its scheme": (key) => `Authorization: ${encode(`Bearer ${key}`)}`,
  "in base64 among other letters": (key) => encode(`user:${key}; more`),
  "in base64 among others yet": (key) => encode(`name:${key} more`),
  "in base64 for URLs": (key) => forUrls(encode(`a ${key}`)),
  "in base64, percent-encoded": (key) => url(encode(key)),
  "in hex": hexOf,
  "in hex with its scheme, in capitals": (key) => hexOf(`Bearer ${key}`).toUpperCase(),
  "in JSON inside the text": (key) => slashes(JSON.stringify({ key })),
  "in JSON inside JSON inside the text": (key) => JSON.stringify(slashes(JSON.stringify({ key }))),
  "in JSON whose letters are escaped": (key) => byCode(key, "\\u", 16, 4),
  "in JSON inside JSON, escaped": (key) => quoted(byCode(key, "\\u", 16, 4)),
  "in HTML": inHtml,
  "in HTML by codes": (key) => byCode(key, "&#", 10, 2, ";"),
  "in HTML inside HTML": (key) => byCode(key, "&amp;#x", 16, 2, ";"),
  "in HTML inside a URL": (key) => url(inHtml(key)),
};

/** The same, as the letters between the quotation marks of the answer's own JSON. */
export const rawSpellings: Readonly<Record<string, (key: string) => string>> = {
  ...Object.fromEntries(
    Object.entries(spellings).map(([how, spell]) => [how, (key: string) => quoted(spell(key))]),
  ),
  "in JSON as PHP writes it": (key) => slashes(quoted(`bad ${key}`)),
  "in JSON as .NET writes it": (key) => quoted(key).replaceAll("+", "\\u002B"),
  "in JSON by codes": (key) => byCode(`bad ${key}`, "\\u", 16, 4),
};

const letterOf = (code: string, base: number): string =>
  String.fromCharCode(Number.parseInt(code, base));

/** Takes away one layer of escapes. */
const decodeOnce = (text: string): string =>
  text
    .replace(/%([0-9a-f]{2})/gi, (_, code) => letterOf(code, 16))
    .replace(/\\u([0-9a-f]{4})/gi, (_, code) => letterOf(code, 16))
    .replace(/\\(["/\\])/g, "$1")
    .replace(/&#x([0-9a-f]+);/gi, (_, code) => letterOf(code, 16))
    .replace(/&#(\d+);/g, (_, code) => letterOf(code, 10))
    .replace(/&(\w+);/g, (whole, name) => {
      return Object.keys(names).find((letter) => names[letter] === name) ?? whole;
    });

/** Everything that one can read in a text. */
const readingsOf = (text: string): string[] => {
  const layers = [text];
  for (let layer = 0; layer < 6; layer++) layers.push(decodeOnce(layers.at(-1) ?? ""));
  return layers.flatMap((letters) => [
    letters,
    ...(letters.match(/[\w+/-]{8,}/g) ?? []).flatMap((run) =>
      [0, 1, 2, 3].map((at) => Buffer.from(run.slice(at), "base64").toString("latin1")),
    ),
    ...(letters.match(/[0-9a-f]{8,}/gi) ?? []).flatMap((run) =>
      [0, 1].map((at) => Buffer.from(run.slice(at), "hex").toString("latin1")),
    ),
  ]);
};

/** Expects no part of a key in a text, in whichever spelling. */
export const expectNoKey = (text: string, key: string): void => {
  const parts = Array.from({ length: key.length - 5 }, (_, at) => key.slice(at, at + 6));
  const readings = readingsOf(text);
  const left = parts.filter((part) => readings.some((reading) => reading.includes(part)));
  expect(left, text).toEqual([]);
};

/** Keys that can be sent: of words, with letters that are escaped, and with those of JSON and HTML. */
export const spelledKeys = ["sk-live-4711AbcXyz", "sk/live+4711~abc=/Zz9?", 'sk"live\\4711&<Zz9>'];
