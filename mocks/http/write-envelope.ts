import { type Envelope, successEnvelope } from "../../src/contract/envelope.ts";

/** JSON of frozen things, which never change: finished jobs. */
const keptTexts = new WeakMap<object, string>();

const writeThing = (thing: unknown): string => {
  if (typeof thing !== "object" || thing === null || !Object.isFrozen(thing)) {
    return JSON.stringify(thing);
  }
  const kept = keptTexts.get(thing);
  if (kept !== undefined) return kept;
  const text = JSON.stringify(thing);
  keptTexts.set(thing, text);
  return text;
};

/** Finds the list in an answer that holds nothing else. */
const onlyList = (
  data: unknown,
): readonly [name: string, items: readonly unknown[]] | undefined => {
  if (typeof data !== "object" || data === null) return undefined;
  const [entry, ...others] = Object.entries(data);
  if (entry === undefined || others.length > 0 || !Array.isArray(entry[1])) return undefined;
  return entry;
};

const writeData = (data: unknown): string => {
  const list = onlyList(data);
  if (list === undefined) return writeThing(data);
  const [name, items] = list;
  // No `join`: the engine keeps a sum of texts as a tree that shares the kept texts.
  let text = "";
  for (const item of items) text += (text === "" ? "" : ",") + writeThing(item);
  return `{${JSON.stringify(name)}:[${text}]}`;
};

/** Text around the data of a success, in the order of its fields. */
const [beforeData = "", afterData = ""] = JSON.stringify(successEnvelope("data?")).split('"data?"');

/** Writes an envelope as `JSON.stringify` does, and the things that never change only once. */
export const writeEnvelope = (envelope: Envelope): string =>
  envelope.success ? beforeData + writeData(envelope.data) + afterData : JSON.stringify(envelope);
