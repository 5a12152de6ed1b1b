import { type Answer, isRecord, parseJson, type Reply, readAnswer } from "../exchange.ts";
import type { Rule, Step } from "./step.ts";

/** Something that is not as expected, and by which rule. */
export interface Difference {
  readonly rule: Rule;
  /** "status 200". */
  readonly expected: string;
  /** What was there instead, as JSON: "204". */
  readonly saw: string;
}

/** An answer, held against what is expected of it. */
export interface Judgement {
  readonly differences: readonly Difference[];
  /** Rules of the expectations that it fulfils. */
  readonly held: readonly Rule[];
}

const longestValue = 100;

const cut = (text: string): string =>
  text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;

/** Describes the flaw of the envelope, by the document's rules for every answer. */
const envelopeFlaw = ({ status, body }: Reply): string | undefined => {
  const envelope = parseJson(body);
  if (envelope === undefined) return "valid JSON";
  if (!isRecord(envelope)) return "JSON with success, data and error";
  const { success, data, error } = envelope;
  if (success !== status < 400) return "success to say what the status says";
  const isWhole = success
    ? isRecord(data) && error === null
    : data === null && typeof error === "string";
  if (isWhole) return undefined;
  return success ? "data, and null for the error" : "null for the data, and an error in words";
};

/**
 * Holds an answer against its step's expectations.
 *
 * @param hide - Hides the keys in what the differences quote
 */
export const judge = (
  { expects }: Step,
  reply: Reply,
  memory: Answer["memory"],
  hide: (text: string) => string,
): Judgement => {
  // Keys are hidden before the cut: a part of one would not be found any more.
  const brief = (text: string): string => cut(hide(text));
  const flaw = envelopeFlaw(reply);
  const differences: Difference[] = [];
  if (flaw !== undefined) {
    const saw = `${reply.status} ${brief(reply.body)}`;
    differences.push({ rule: "2. Response envelope", expected: flaw, saw });
  }
  const held: Rule[] = [];
  const answer = readAnswer(reply, memory);
  for (const { rule, says, about, holds, shows } of expects) {
    if (about?.(answer) === false) continue;
    let isHeld = false;
    try {
      isHeld = holds(answer);
    } catch {
      // An answer of an unforeseen shape: the expectation does not hold.
    }
    if (isHeld) held.push(rule);
    else differences.push({ rule, expected: says, saw: brief(shows(answer)) });
  }
  return { differences, held };
};
