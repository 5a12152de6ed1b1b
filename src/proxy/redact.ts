import { isObject } from "../options/rules.ts";

/** Cuts the keys out of a text. */
export type Redact = (text: string) => string;

/** The most keys that are remembered, where a function gives them. */
const mostKeys = 100;

/** A key that can be sent, and cut out: a few letters, as in tests, stand in any word. */
const isKey = (key: unknown): boolean => typeof key === "string" && /^[!-~]{4,}$/.test(key);

/** The shortest key that is looked for in base64, where a few letters stand in any picture. */
const shortestInBase64 = 8;

/** Letters that base64 makes of a key alone, whatever stands before and after it in the text. */
const inBase64 = (key: string): string[] =>
  [0, 1, 2].flatMap((before) => {
    const sure = Math.floor(((before + key.length) * 8) / 6);
    const letters = btoa(" ".repeat(before) + key).slice(Math.ceil((before * 8) / 6), sure);
    return [letters, letters.replaceAll("+", "-").replaceAll("/", "_")];
  });

/** A letter that is percent-encoded, also repeatedly. */
const encodedLetter = /%(?:25)*[0-9a-f]{2}/gi;
const anyLetter = new RegExp(`${encodedLetter.source}|[\\s\\S]`, "gi");

const decodeLetter = (code: string): string =>
  code.length === 1 ? code : String.fromCharCode(Number.parseInt(code.slice(-2), 16));

const decode = (text: string): string => text.replace(encodedLetter, decodeLetter);

/** Cuts a form out of a text, whose letters may be percent-encoded. */
const cutOut = (text: string, form: string): string => {
  const letters = text.replaceAll(form, "***").match(anyLetter) ?? [];
  const decoded = letters.map(decodeLetter).join("");
  let rest = "";
  let from = 0;
  for (let at = decoded.indexOf(form); at !== -1; at = decoded.indexOf(form, from)) {
    rest += `${letters.slice(from, at).join("")}***`;
    from = at + form.length;
  }
  return rest + letters.slice(from).join("");
};

/** Makes the memory of the keys that the service is sent, and may echo. */
export const createRedactor = () => {
  const formsOf = new Map<string, readonly string[]>();
  let forms: readonly string[] = [];
  const keep = (key: string): string => {
    if (!isKey(key) || formsOf.has(key)) return key;
    formsOf.set(key, [key, ...(key.length < shortestInBase64 ? [] : inBase64(key))]);
    // Of keys that change, some before the latest are still on their way.
    for (const oldest of formsOf.keys()) if (formsOf.size > mostKeys) formsOf.delete(oldest);
    forms = [...new Set([...formsOf.values()].flat())];
    return key;
  };
  const redact: Redact = (text) => {
    let rest = text;
    let decoded = decode(text);
    for (const form of forms) {
      if (!rest.includes(form) && !decoded.includes(form)) continue;
      rest = cutOut(rest, form);
      decoded = decode(rest);
    }
    return rest;
  };
  return { keep, redact };
};

/** Fields by which a thing is known: a key of a few letters may stand in any id. */
const idFields: readonly string[] = ["job_id", "id"];

/** Cuts the keys out of all texts of parsed JSON, names of fields included, in place. */
const redactIn = (root: object, redact: Redact): void => {
  // A list instead of recursion: an answer may be nested deeper than the stack.
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (!isObject(value) && !Array.isArray(value)) continue;
    const fields = value as Record<string, unknown>;
    for (const [name, item] of Object.entries(fields)) {
      const shown = typeof item === "string" ? redact(item) : item;
      const shownName = redact(name);
      if (shownName !== name) delete fields[name];
      if (shownName !== name || shown !== item) fields[shownName] = shown;
      open.push(shown);
    }
  }
};

/** Cuts the keys out of a thing, or of each thing of a list. Their ids stay as they are. */
export const redactThings = (data: unknown, redact: Redact): void => {
  for (const thing of [data].flat()) {
    if (!isObject(thing)) continue;
    const ids = Object.entries(thing).filter(([name]) => idFields.includes(name));
    redactIn(thing, redact);
    Object.assign(thing, Object.fromEntries(ids));
  }
};
