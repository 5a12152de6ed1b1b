import { checksum } from "../../lock/checksum.ts";

/** First line of a journal, which other files do not have. */
export const header = "adgen-sdk journal 1\n";

/** Writes a record as a line: its checksum, its text. */
export const formatLine = (text: string): string => `${checksum(text)} ${text}\n`;

/** Reads a line; gives it as it is where its checksum is wrong, and no journal takes it for a record. */
export const parseLine = (line: string): string => {
  const text = line.slice(9);
  return line.slice(0, 9) === `${checksum(text)} ` ? text : line;
};

/** Tells whether a line is one that was written to its end. */
export const isWhole = (line: string): boolean => parseLine(line) !== line;

/** Tells whether bytes are the start of a journal, or less than its header. */
export const mayBeJournal = (bytes: Uint8Array): boolean => {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, header.length));
  return header.startsWith(start.toString());
};

/** Says why a file is not taken for a journal, by its first bytes. */
export const describeStart = (path: string, start: string): string => {
  const [first = "", ...lines] = start.split("\n");
  if (lines.some(isWhole) && !/^adgen-sdk journal \d+$/.test(first)) {
    return (
      `The first line of the journal ${path} is damaged, and its records are there: ` +
      `make that line ${JSON.stringify(header.trimEnd())} again, and keep the others`
    );
  }
  return `The file ${path} is no journal, or of a newer version: give another path`;
};
