import { checksum } from "../../lock/checksum.ts";
import type { Owner } from "../../lock/owner.ts";
import type { NextRecord } from "../record-store.ts";

/** First line of a store's file, which other files do not have. */
export const header = "adgen-sdk submissions 1\n";

/**
 * A line of the file: the begin of a session, a record that was written, or one that was removed.
 * `at` and `until` count the milliseconds for which the file was open.
 */
export type Line = { readonly at: number } & (
  | { readonly session: Owner | null }
  | ({ readonly id: string; readonly until?: number | undefined } & NextRecord)
  | { readonly id: string; readonly rev?: undefined }
);

/** Writes a line without its line feed: a checksum, and JSON. */
export const formatLine = (line: Line): string => {
  const text = JSON.stringify(line);
  return `${checksum(text)} ${text}`;
};

/** Reads the text behind a checksum; `undefined` where that is wrong. */
export const readChecked = (line: string): string | undefined => {
  const text = line.slice(9);
  return line.slice(0, 9) === `${checksum(text)} ` ? text : undefined;
};

/** Reads a line; `undefined` where it is damaged, or none of a store. */
export const parseLine = (line: string): Line | undefined => {
  try {
    const found = JSON.parse(readChecked(line) ?? "");
    const isOurs = typeof found.at === "number" && ("session" in found || "id" in found);
    return isOurs ? found : undefined;
  } catch {
    return undefined;
  }
};

/** Says why a file is not taken for a store, by its first bytes. */
export const describeStart = (path: string, start: string): string => {
  const [first = "", ...lines] = start.split("\n");
  const isOurs = lines.some((line) => readChecked(line) !== undefined);
  if (isOurs && !/^adgen-sdk \w+ \d+$/.test(first)) {
    return (
      `The first line of ${path} is damaged, and its records are there: ` +
      `make that line ${JSON.stringify(header.trimEnd())} again, and keep the others`
    );
  }
  return `The file ${path} holds no submissions, or those of a newer version: give another path`;
};
