/** First line of a journal, which other files do not have. */
export const header = "adgen-sdk journal 1\n";

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xed_b8_83_20 ^ (value >>> 1) : value >>> 1;
  return value;
});

/** Gives the CRC-32 of a text's bytes, as eight hexadecimal digits. Node 22.0 has no `zlib.crc32`. */
export const checksum = (text: string): string => {
  let value = 0xff_ff_ff_ff;
  for (const byte of Buffer.from(text)) value = (table[(value ^ byte) & 255] ?? 0) ^ (value >>> 8);
  return ((value ^ 0xff_ff_ff_ff) >>> 0).toString(16).padStart(8, "0");
};

/** Writes a record as a line: its checksum, its text. */
export const formatLine = (text: string): string => `${checksum(text)} ${text}\n`;

/** Reads a line; gives it as it is where its checksum is wrong, and no journal takes it for a record. */
export const parseLine = (line: string): string => {
  const text = line.slice(9);
  return line.slice(0, 9) === `${checksum(text)} ` ? text : line;
};

/** Number of bytes of a file's whole lines: a process may have been killed while it wrote another. */
export const wholeBytes = (bytes: Uint8Array): number => bytes.lastIndexOf(10) + 1;

/** Reads the lines of a journal behind its header. */
export const linesOf = (bytes: Uint8Array): string[] => {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, wholeBytes(bytes));
  return whole.toString().split("\n").slice(1, -1);
};

/** Tells whether bytes are the start of a journal, or less than its header. */
export const mayBeJournal = (bytes: Uint8Array): boolean => {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, header.length));
  return header.startsWith(start.toString());
};
