import { type Envelope, successEnvelope } from "../../src/contract/envelope.ts";

/** JSON of frozen things, which never change: finished jobs. */
const keptTexts = new WeakMap<object, string>();

const isObject = (thing: unknown): thing is object => typeof thing === "object" && thing !== null;

const writeThing = (thing: unknown): string => {
  if (!isObject(thing) || !Object.isFrozen(thing)) return JSON.stringify(thing);
  const kept = keptTexts.get(thing);
  if (kept !== undefined) return kept;
  const text = JSON.stringify(thing);
  keptTexts.set(thing, text);
  return text;
};

const writeList = (items: readonly unknown[]): string => {
  let text = "";
  for (const item of items) text += (text === "" ? "" : ",") + writeThing(item);
  return `[${text}]`;
};

/** Finds the list that is all that some data has. */
const listIn = (data: object): readonly unknown[] | undefined => {
  const [list, ...others]: unknown[] = Object.values(data);
  return others.length === 0 && Array.isArray(list) ? list : undefined;
};

const hasKeptText = (thing: unknown): boolean => isObject(thing) && Object.isFrozen(thing);

const writeData = (data: unknown): string => {
  if (!isObject(data) || Object.isFrozen(data)) return writeThing(data);
  const list = listIn(data);
  return list?.some(hasKeptText)
    ? `{${JSON.stringify(Object.keys(data)[0])}:${writeList(list)}}`
    : JSON.stringify(data);
};

/** Text around the data of a success, in the order of its fields. */
const [beforeData = "", afterData = ""] = JSON.stringify(successEnvelope("data?")).split('"data?"');

/** Writes an envelope as `JSON.stringify` does, but a thing that never changes only once. */
export const writeEnvelope = (envelope: Envelope): string =>
  envelope.success ? beforeData + writeData(envelope.data) + afterData : JSON.stringify(envelope);
