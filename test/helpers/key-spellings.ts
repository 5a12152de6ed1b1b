import { inspect } from "node:util";
import { expect } from "vitest";

const quoted = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Ways in which a service, or a proxy before it, may write the key that it has received. */
export const spellings: Readonly<Record<string, (key: string) => string>> = {
  "as it is": (key) => `Bearer ${key}`,
  "percent-encoded": (key) => `https://cdn.test/a?key=${encodeURIComponent(key)}&b=1`,
  "in JSON inside the text": (key) => JSON.stringify({ key }),
};

/** The spellings as they stand between the quotation marks of an answer's JSON. */
export const rawSpellings: Readonly<Record<string, (key: string) => string>> = Object.fromEntries(
  Object.entries(spellings).map(([how, spell]) => [how, (key: string) => quoted(spell(key))]),
);

/** Expects that a text holds no key. */
export const expectNoKey = (text: string, key: string): void => {
  for (const form of [key, quoted(key), encodeURIComponent(key)]) expect(text).not.toContain(form);
};

/** Keys that a header can hold: plain, with characters that URLs escape, and that JSON escapes. */
export const spelledKeys = ["sk-live-4711AbcXyz", "sk/live+4711~abc=/Zz9?", 'sk"live\\4711&<Zz9>'];

/** Gives all texts of a value that may get into a log. */
export const printed = (value: unknown): string => {
  const texts = [inspect(value, { showHidden: true, depth: 10 }), JSON.stringify(value)];
  for (let error = value; error instanceof Error; error = error.cause) {
    const facts = Object.values(error).map(String);
    texts.push(String(error), error.message, error.stack ?? "", ...facts);
  }
  return texts.join("\n");
};
