import { checksum } from "../../lock/checksum.ts";

/** First line of a store's file, which other files do not have. */
export const header = "adgen-sdk submissions 1\n";

/** Writes a text without line breaks as a line: its checksum, the text. */
export const formatLine = (text: string): string => `${checksum(text)} ${text}`;

/** Reads a line without its line feed; `undefined` where its checksum is wrong. */
export const parseLine = (line: string): string | undefined => {
  const text = line.slice(9);
  return line.slice(0, 9) === `${checksum(text)} ` ? text : undefined;
};

/** Says why a file is not taken for a store, by its first bytes. */
export const describeStart = (path: string, start: string): string => {
  const [first = "", ...lines] = start.split("\n");
  const isOurs = lines.some((line) => parseLine(line) !== undefined);
  if (isOurs && !/^adgen-sdk \w+ \d+$/.test(first)) {
    return (
      `The first line of ${path} is damaged, and its records are there: ` +
      `make that line ${JSON.stringify(header.trimEnd())} again, and keep the others`
    );
  }
  return `The file ${path} holds no submissions, or those of a newer version: give another path`;
};
