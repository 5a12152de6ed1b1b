import type { BitWriter } from "./bits.ts";

/**
 * Codes for the number of coefficients, then for the number of them that are a trailing 1 or -1
 * (ITU-T H.264, table 9-5). Blocks of luma have one coefficient here at most.
 */
const tokens = {
  luma: [["1"], ["000101", "01"]],
  chroma: [
    ["01"],
    ["000111", "1"],
    ["000100", "000110", "001"],
    ["000011", "0000011", "0000010", "000101"],
    ["000010", "00000011", "00000010", "0000000"],
  ],
} as const satisfies Readonly<Record<string, readonly (readonly string[])[]>>;

/** Codes for the zeros before the last coefficient, by the number of coefficients (table 9-9a). */
const totalZeros = [[], ["1", "01", "001", "000"], ["1", "01", "00"], ["1", "0"]];

/** Codes for the zeros before one coefficient, by the number of zeros left (table 9-10). */
const runs = [[], ["1", "0"], ["1", "01", "00"], ["11", "10", "01", "00"]];

/** Writes one coefficient, and gives the number of bits that the next suffix has. */
const writeLevel = (
  { bits }: BitWriter,
  level: number,
  suffixLength: number,
  isFirst: boolean,
): number => {
  // The first one is no 1 or -1 when fewer than three trailing ones were told.
  const code = 2 * Math.abs(level) - (level > 0 ? 2 : 1) - (isFirst ? 2 : 0);
  if (suffixLength === 0 && code < 14) bits(1, code + 1);
  else if (suffixLength === 0 && code < 30) {
    bits(1, 15);
    bits(code - 14, 4);
  } else if (suffixLength > 0 && code < 15 << suffixLength) {
    bits(1, (code >> suffixLength) + 1);
    bits(code, suffixLength);
  } else {
    bits(1, 16);
    bits(code - (suffixLength === 0 ? 30 : 15 << suffixLength), 12);
  }
  const length = Math.max(suffixLength, 1);
  return Math.abs(level) > 3 << (length - 1) ? length + 1 : length;
};

/**
 * Writes the coefficients of a block by CAVLC: of luma only the first one may differ from zero, of
 * chroma all four.
 */
export const writeCoefficients = (
  writer: BitWriter,
  kind: keyof typeof tokens,
  levels: readonly number[],
): void => {
  if (levels.every((level) => level === 0)) return void writer.code(tokens[kind][0][0]);
  const places = [...levels.keys()].filter((place) => levels[place] !== 0).reverse();
  const notOne = places.findIndex((place) => Math.abs(levels[place] ?? 0) !== 1);
  const ones = Math.min(notOne === -1 ? places.length : notOne, 3);
  writer.code(tokens[kind][places.length]?.[ones] ?? "");

  let suffixLength = 0;
  for (const [index, place] of places.entries()) {
    const level = levels[place] ?? 0;
    if (index < ones) writer.bits(level < 0 ? 1 : 0, 1);
    else suffixLength = writeLevel(writer, level, suffixLength, index === ones && ones < 3);
  }

  if (kind === "luma") return void writer.code("1");
  let left = (places[0] ?? 0) + 1 - places.length;
  writer.code(totalZeros[places.length]?.[left] ?? "");
  for (const [index, place] of places.slice(0, -1).entries()) {
    if (left === 0) return;
    const run = place - (places[index + 1] ?? 0) - 1;
    writer.code(runs[left]?.[run] ?? "");
    left -= run;
  }
};
