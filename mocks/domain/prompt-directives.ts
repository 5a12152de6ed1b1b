import { isDeeperThan, maxDepth } from "./depth.ts";
import type { PlannedEnd } from "./job-timeline.ts";
import { assumedMessages } from "./messages.ts";
import { Fault } from "./refusal.ts";

/** A prompt, and what its directives say about the job. */
export interface ReadPrompt {
  /** Without the directives. */
  readonly prompt: string;
  readonly planned: PlannedEnd | undefined;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 };

const refuse = (directive: string, expected: string): Fault =>
  new Fault(
    400,
    assumedMessages.invalidParameter("prompt", `expected ${expected} in [[${directive}]]`),
  );

const readDuration = (text: string): number => {
  const [, number, unit = ""] = /^(\d{1,9}(?:\.\d{1,3})?) ?(ms|s|m)$/.exec(text) ?? [];
  const unitMs = units[unit];
  if (number === undefined || unitMs === undefined) {
    throw refuse("takes: …", "a duration such as 500ms, 20s or 2m");
  }
  return Number(number) * unitMs;
};

interface Found {
  readonly value: string;
  /** The place after the closing brackets. */
  readonly end: number;
}

/** Each costs reading all of the text before it. */
const maxTries = 100;

const parseJson = (text: string): { readonly json: unknown } | undefined => {
  try {
    return { json: JSON.parse(text) };
  } catch {
    return undefined;
  }
};

/** JSON has brackets of its own: the value ends at the first `]]` that makes it whole. */
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
  throw refuse("result: …", "JSON");
};

const findText = (text: string, start: number): Found | undefined => {
  const end = text.indexOf("]]", start);
  return end === -1 ? undefined : { value: text.slice(start, end).trim(), end: end + 2 };
};

const opening = /\[\[\s*(fail|takes|result)\s*:/gi;

/** Longer prompts are not searched: reading one must not take long. */
const searchedLength = 10_000;

/**
 * Reads what a prompt says about its own job, for those who cannot call `jobs.next`:
 * `[[fail: moderation]]`, `[[takes: 20s]]`, `[[result: {"images": []}]]`.
 */
export const readPrompt = (prompt: string): ReadPrompt => {
  if (!prompt.includes("[[")) return { prompt, planned: undefined };
  const text = prompt.slice(0, searchedLength);
  let planned: PlannedEnd | undefined;
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
