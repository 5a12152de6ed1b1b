import { actionOf, type CutText, isCut, type JournalRecord } from "./entry.ts";

/** Characters that a cut leaves of each text. */
export const shortLengths: Readonly<Record<CutText, number>> = {
  path: 500,
  request: 1_000,
  response: 500,
};

let segmenter: Intl.Segmenter | undefined;

/** Code units on each side of a place that show whether a grapheme ends there. */
const lookAround = 64;

/** Two neighbours of this kind are always two graphemes. */
const isPlain = (text: string, place: number): boolean => /^[!-~]$/.test(text.charAt(place));

/** Finds the end of the last grapheme that ends at a place of a text, or before it. */
const graphemeEnd = (text: string, place: number): number => {
  if (isPlain(text, place - 1) && isPlain(text, place)) return place;
  // The first segmenter costs 10 ms or more.
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  const start = Math.max(0, place - lookAround);
  const around = segmenter.segment(text.slice(start, place + lookAround));
  return start + (around.containing(place - start)?.index ?? place - start);
};

/** Copies a text: a part of a text would keep the whole of it in memory. */
const copyOf = (text: string): string => ` ${text}`.slice(1);

const texts = ["path", "request", "response"] as const;

/** Cuts those texts of a record that are longer than `most`, and than their short length. */
export const cutRecord = (record: JournalRecord, most = 0): void => {
  for (const name of texts) {
    const text = record[name];
    const short = shortLengths[name];
    if (text.length <= Math.max(short, most) || isCut(record, name)) continue;
    if (name === "request") {
      const action = actionOf(record);
      if (action !== undefined) record.action = action;
    }
    record[name] = `${copyOf(text.slice(0, graphemeEnd(text, short)))}…`;
    record.cut = [...(record.cut ?? []), name];
  }
};
