import { isDeeperThan, maxDepth } from "./depth.ts";
import type { JobEnd } from "./job-timeline.ts";
import { assumedMessages } from "./messages.ts";
import { Refusal } from "./refusal.ts";

/** A prompt, and the end of the job that its directives ask for. */
export interface ReadPrompt {
  /** Without the directives. */
  readonly prompt: string;
  readonly planned: JobEnd | undefined;
}

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

interface Found {
  readonly value: string;
  /** Place after the closing brackets. */
  readonly end: number;
}

/** Limit of tries, because each one parses all of the text before it. */
const maxTries = 100;

const parseJson = (text: string): { readonly json: unknown } | undefined => {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

/** Finds a JSON value. JSON has brackets of its own: it ends at the first `]]` that makes it whole. */
const findJson = (text: string, start: number): Found & { readonly json: unknown } => {
  let end = start - 1;
  for (let tries = 0; tries < maxTries; tries += 1) {
    end = text.indexOf("]]", end + 1);
    if (end === -1) break;
    const value = text.slice(start, end);
    const parsed = parseJson(value);
    if (parsed !== undefined && !isDeeperThan(maxDepth, parsed.json)) {
      return { value, end: end + 2, ...parsed };
    }
  }
  throw invalidDirective("result: …", "JSON");
};

const findText = (text: string, start: number): Found | undefined => {
  const end = text.indexOf("]]", start);
  return end === -1 ? undefined : { value: text.slice(start, end).trim(), end: end + 2 };
};

const opening = /\[\[\s*(fail|takes|result)\s*:/gi;

/** Characters that are searched for directives, so that no prompt takes long. */
const searchedLength = 10_000;

/**
 * Reads the directives of a prompt about its own job, for tests that cannot call `jobs.next`:
 * `[[fail: moderation]]`, `[[takes: 20s]]`, `[[result: {"images": []}]]`.
 */
export const readPrompt = (prompt: string): ReadPrompt => {
  if (!prompt.includes("[[")) return { prompt, planned: undefined };
  const text = prompt.slice(0, searchedLength);
  let planned: JobEnd | undefined;
  let rest = "";
  let place = 0;
  for (const opened of text.matchAll(opening)) {
    if (opened.index < place) continue;
    const start = opened.index + opened[0].length;
    const directive = opened[1]?.toLowerCase();
    const found = directive === "result" ? findJson(text, start) : findText(text, start);
    if (found === undefined) continue;
    if ("json" in found) planned = { ...planned, result: found.json };
    else if (directive === "takes") planned = { ...planned, takesMs: readDuration(found.value) };
    else planned = { ...planned, fail: found.value || assumedMessages.jobFailed };
    rest += text.slice(place, opened.index);
    place = found.end;
  }
  rest += prompt.slice(place);
  return { prompt: planned === undefined ? prompt : rest.replace(/\s+/g, " ").trim(), planned };
};
