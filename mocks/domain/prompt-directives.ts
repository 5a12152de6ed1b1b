import { isDeeperThan, maxDepth } from "./depth.ts";
import type { JobEnd } from "./job-timeline.ts";
import { assumedMessages, Refusal } from "./messages.ts";

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

const invalidDirective = (directive: string, expected: string): Refusal =>
  new Refusal(
    "invalid",
    assumedMessages.invalidParameter("prompt", `expected ${expected} in [[${directive}]]`),
  );

const readDuration = (text: string): number => {
  const [, number, unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?) ?(ms|s|m)$/.exec(text) ?? [];
  const unitMs = units[unit];
  if (number === undefined || unitMs === undefined) {
    throw invalidDirective("takes: …", "a duration such as 500ms, 20s or 2m");
  }
  return Number(number) * unitMs;
};

/** Reader of each directive. */
const readers = {
  fail: (text: string): JobEnd => ({ fail: text || assumedMessages.jobFailed }),
  takes: (text: string): JobEnd => ({ takesMs: readDuration(text) }),
  result: (text: string): JobEnd => ({ result: JSON.parse(text) }),
} as const;

const opening = /\[\[\s*(fail|takes|result)\s*:/gi;

const isShallowJson = (text: string): boolean => {
  try {
    return !isDeeperThan(maxDepth, JSON.parse(text));
  } catch {
    return false;
  }
};

/** Limit of tries, because each one parses all of the text before it. */
const maxTries = 100;

/** Finds the end of a JSON value. JSON has brackets of its own: the first `]]` that makes it whole. */
const findEndOfJson = (text: string, start: number): number => {
  let end = text.indexOf("]]", start);
  for (let tries = 0; tries < maxTries && end !== -1; tries += 1) {
    if (isShallowJson(text.slice(start, end))) return end;
    end = text.indexOf("]]", end + 1);
  }
  throw invalidDirective("result: …", "JSON");
};

/** Characters that are searched for directives, so that no prompt takes long. */
const searchedLength = 10_000;

/**
 * Reads the directives of a prompt about its own job, for tests that cannot call `jobs.next`:
 * `[[fail: moderation]]`, `[[takes: 20s]]`, `[[result: {"images": []}]]`. Gives the prompt without
 * them, and the end that they ask for.
 */
export const readPrompt = (prompt: string) => {
  if (!prompt.includes("[[")) return { prompt, planned: undefined };
  const text = prompt.slice(0, searchedLength);
  let planned: JobEnd | undefined;
  let rest = "";
  let place = 0;
  for (const opened of text.matchAll(opening)) {
    const start = opened.index + opened[0].length;
    const name = opened[1]?.toLowerCase() as keyof typeof readers;
    // The brackets of a directive inside another one belong to that one's value.
    if (opened.index < place) continue;
    const end = name === "result" ? findEndOfJson(text, start) : text.indexOf("]]", start);
    if (end === -1) continue;
    planned = { ...planned, ...readers[name](text.slice(start, end).trim()) };
    rest += text.slice(place, opened.index);
    place = end + 2;
  }
  rest += prompt.slice(place);
  return { prompt: planned === undefined ? prompt : rest.replace(/\s+/g, " ").trim(), planned };
};
