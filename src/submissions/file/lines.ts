import { checksum } from "../../lock/checksum.ts";
import type { Owner } from "../../lock/owner.ts";
import type { TableRecord } from "../record-table.ts";

/** First line of a store's file, which other files do not have. */
export const header = "adgen-sdk submissions 1";

/** Number of bytes from which a line without an end is none: a text holds no more than 512 MiB. */
const longestLine = 268_435_456;

/**
 * A line of the file: the begin of a session, a record that was written, or one that was removed.
 * `at` and `until` count the milliseconds for which the file was open.
 */
export type Line = { readonly at: number } & (
  | { readonly session: Owner | null }
  | ({ readonly id: string } & TableRecord)
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

/** Yields the lines behind the first one, each of which ends with a line feed. */
export function* linesIn(bytes: Buffer): Generator<string> {
  let at = bytes.indexOf(10) + 1;
  for (let end = bytes.indexOf(10, at); end >= 0; end = bytes.indexOf(10, at)) {
    yield bytes.toString("utf8", at, end);
    at = end + 1;
  }
}

/** Reads what stands behind the last line feed, where that is a line which lacks nothing else. */
export const lastLineIn = (bytes: Buffer): string | undefined => {
  const rest = bytes.subarray(bytes.lastIndexOf(10) + 1);
  const line = rest.length < longestLine ? rest.toString() : "";
  return readChecked(line) === undefined ? undefined : line;
};

/** Says why a file is not taken for a store. */
export const describeFile = (path: string, bytes: Buffer): string => {
  const [first = ""] = bytes.toString("utf8", 0, 100).split("\n");
  const isOurs = [...linesIn(bytes.subarray(0, 1_048_576))].some(
    (line) => readChecked(line) !== undefined,
  );
  if (isOurs && !/^adgen-sdk \w+ \d+$/.test(first)) {
    return (
      `The first line of ${path} is damaged, and its records are there: ` +
      `make that line ${JSON.stringify(header)} again, and keep the others`
    );
  }
  return `The file ${path} holds no submissions, or those of a newer version: give another path`;
};
