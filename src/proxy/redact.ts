import { isObject } from "../options/rules.ts";

/** Cuts the keys out of a text. */
export type Redact = (text: string) => string;

/** A part of a text: where it begins, and where it ends. */
type Range = readonly [start: number, end: number];

/** The most keys that are remembered, where a function gives them. */
const mostKeys = 100;

/** A key that can be sent, and cut out: fewer letters, as in tests, stand in any word. */
const isKey = (key: unknown): boolean => typeof key === "string" && /^[!-~]{4,}$/.test(key);

/** The shortest key that is searched for in base64, where a few letters stand in any picture. */
const shortestInBase64 = 8;

/** Letters that base64 makes of a key alone, whatever stands before and after it in the text. */
const inBase64 = (key: string): string[] =>
  [0, 1, 2].flatMap((before) => {
    const sure = Math.floor(((before + key.length) * 8) / 6);
    const letters = btoa(" ".repeat(before) + key).slice(Math.ceil((before * 8) / 6), sure);
    return [letters, letters.replaceAll("+", "-").replaceAll("/", "_")];
  });

/** One letter as URLs, HTML, and JSON inside a text write it, also repeatedly. */
const escapedLetter =
  /%(?:25)*([0-9a-f]{2})|\\+u([0-9a-f]{4})|&(?:amp;)*#x([0-9a-f]{2,4});|&(?:amp;)*#(\d{2,5});|&(?:amp;)*(amp|lt|gt|quot|apos);|\\+(["/\\])/gi;

const lettersByName: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" },
};

const codeOf = ([, url, json, hex, decimal, name, itself]: RegExpExecArray): number => {
  if (decimal !== undefined) return Number(decimal);
  const letter = itself ?? lettersByName[name?.toLowerCase() ?? ""];
  return letter?.charCodeAt(0) ?? Number.parseInt(url ?? json ?? hex ?? "", 16);
};

/** Reads the escaped letters of a text, and gives where each letter begins in it. */
const decode = (text: string): { letters: string; places: Uint32Array } => {
  const codes = new Uint16Array(text.length);
  const places = new Uint32Array(text.length + 1);
  let count = 0;
  let at = 0;
  const add = (code: number, length: number): void => {
    places[count] = at;
    codes[count++] = code;
    at += length;
  };
  for (const match of text.matchAll(escapedLetter)) {
    while (at < match.index) add(text.charCodeAt(at), 1);
    add(codeOf(match), match[0].length);
  }
  while (at < text.length) add(text.charCodeAt(at), 1);
  places[count] = at;
  const parts: string[] = [];
  for (let from = 0; from < count; from += 8_192) {
    parts.push(String.fromCharCode(...codes.subarray(from, Math.min(from + 8_192, count))));
  }
  return { letters: parts.join(""), places };
};

/** Makes the function that finds forms in one pass, however many they are. */
const createFinder = (forms: Iterable<string>) => {
  // By their last four letters: keys of one service begin alike, and end at random.
  const byEnd = new Map<string, string[]>();
  for (const form of forms) {
    const end = form.slice(-4);
    byEnd.set(end, [...(byEnd.get(end) ?? []), form]);
  }
  const ends = Array.from(byEnd.keys(), (end) => end.replace(/\W/g, "\\$&"));
  // Without any form, it finds nothing.
  const anyEnd = new RegExp(ends.join("|") || "(?!)", "g");
  return (text: string): Range[] => {
    const found: Range[] = [];
    for (let match = anyEnd.exec(text); match !== null; match = anyEnd.exec(text)) {
      const { index, 0: letters } = match;
      // Ends may overlap.
      anyEnd.lastIndex = index + 1;
      const end = index + letters.length;
      for (const form of byEnd.get(letters) ?? []) {
        if (text.endsWith(form, end)) found.push([end - form.length, end]);
      }
    }
    return found;
  };
};

/** Puts stars in the place of ranges, which may overlap. */
const cutOut = (text: string, ranges: readonly Range[]): string => {
  const parts: string[] = [];
  let from = 0;
  for (const [start, end] of [...ranges].sort(([one], [other]) => one - other)) {
    if (start >= from) parts.push(text.slice(from, start), "***");
    from = Math.max(from, end);
  }
  return parts.join("") + text.slice(from);
};

/** Makes the memory of the keys that the service is sent, and may echo. */
export const createRedactor = () => {
  const formsOf = new Map<string, readonly string[]>();
  let find = createFinder([]);
  const keep = (key: string): string => {
    if (!isKey(key) || formsOf.has(key)) return key;
    formsOf.set(key, [key, ...(key.length < shortestInBase64 ? [] : inBase64(key))]);
    // Of keys that change, some before the latest are still on their way.
    for (const oldest of formsOf.keys()) if (formsOf.size > mostKeys) formsOf.delete(oldest);
    find = createFinder(new Set([...formsOf.values()].flat()));
    return key;
  };
  const redact: Redact = (text) => {
    const ranges = find(text);
    if (/[%&\\]/.test(text)) {
      const { letters, places } = decode(text);
      for (const [start, end] of find(letters)) ranges.push([places[start] ?? 0, places[end] ?? 0]);
    }
    return ranges.length === 0 ? text : cutOut(text, ranges);
  };
  return { keep, redact };
};

/** Tells texts by which things are known: a key of a few letters may stand in any id. */
const isId = (name: string, item: unknown): boolean =>
  typeof item === "string" && /^((job|brand|(saved_)?ad)_)?id$/.test(name);

/** Cuts the keys out of all texts of a thing, or of each thing of a list, in place. */
export const redactThings = (data: unknown, redact: Redact): void => {
  const things = new Set<unknown>([data].flat());
  // A list instead of recursion: an answer may be nested deeper than the stack.
  const open = [...things];
  while (open.length > 0) {
    const value = open.pop();
    if (!isObject(value) && !Array.isArray(value)) continue;
    const fields = value as Record<string, unknown>;
    for (const [name, item] of Object.entries(fields)) {
      if (things.has(value) && isId(name, item)) continue;
      const shown = typeof item === "string" ? redact(item) : item;
      const shownName = redact(name);
      if (shownName !== name) delete fields[name];
      if (shownName !== name || shown !== item) fields[shownName] = shown;
      open.push(shown);
    }
  }
};
