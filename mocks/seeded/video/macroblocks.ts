/**
 * Macroblocks of H.264, each 4 × 4 cells of one colour. A cell is a block of luma, and 2 × 2 of
 * them are a block of chroma. So no block needs a frequency but the lowest one.
 */
import type { BitWriter } from "./bits.ts";
import { drawChroma, hasLevels, writeChroma } from "./chroma.ts";
import { writeCoefficients } from "./coefficients.ts";
import { above, beside, type Drawing, gray, mean } from "./drawing.ts";

/** The cells of a macroblock in the order of H.264. */
const places = Array.from({ length: 16 }, (_, cell) => ({
  x: (cell & 1) + ((cell >> 1) & 2),
  y: ((cell >> 1) & 1) + ((cell >> 2) & 2),
}));

/** Gives the luma of four cells in a row or a column, when it is the same; -1 when it is not. */
const plainLuma = (luma: Uint8Array, first: number, step: number): number => {
  const value = luma[first] ?? -1;
  const isPlain =
    luma[first + step] === value &&
    luma[first + 2 * step] === value &&
    luma[first + 3 * step] === value;
  return isPlain ? value : -1;
};

/** Finds the side whose cells all have one luma, the nearest to the wanted one. */
const findPlainSide = ({ luma, columns }: Drawing, x: number, y: number, wanted: number) => {
  const corner = y * columns + x;
  if (corner === 0) return { mode: mean, predicted: gray };
  const top = y > 0 ? plainLuma(luma, corner - columns, 1) : -1;
  const left = x > 0 ? plainLuma(luma, corner - 1, columns) : -1;
  if (top === -1 && left === -1) return undefined;
  const isLeftNearer =
    top === -1 || (left !== -1 && Math.abs(wanted - left) < Math.abs(wanted - top));
  return isLeftNearer ? { mode: beside, predicted: left } : { mode: above, predicted: top };
};

/** Draws a macroblock of one colour; `false` when no side of it can predict that. */
const drawPlain = (
  writer: BitWriter,
  drawing: Drawing,
  x: number,
  y: number,
  firstType: number,
): boolean => {
  const { columns, cells, colors, luma } = drawing;
  const [wanted = gray] = colors[cells[y * columns + x] ?? 0] ?? [];
  const side = findPlainSide(drawing, x, y, wanted);
  if (side === undefined) return false;
  const chroma = drawChroma(drawing, x, y, side.mode);
  const isColored = hasLevels(chroma);
  writer.count(firstType + 1 + side.mode + (isColored ? 4 : 0));
  writer.count(2 - side.mode);
  writer.signed(0);
  writeCoefficients(writer, "luma", [2 * (wanted - side.predicted)]);
  if (isColored) writeChroma(writer, chroma);
  for (let row = 0; row < 4; row += 1) {
    const start = (y + row) * columns + x;
    luma.fill(wanted, start, start + 4);
  }
  return true;
};

/** Draws the luma of one cell. Gives its prediction as H.264 writes it, and its coefficient. */
const drawCell = (drawing: Drawing, x: number, y: number) => {
  const { columns, cells, colors, luma, modes } = drawing;
  const place = y * columns + x;
  const [wanted = gray] = colors[cells[place] ?? 0] ?? [];
  const top = y > 0 ? luma[place - columns] : undefined;
  const left = x > 0 ? luma[place - 1] : undefined;
  const predictions = [
    top,
    left,
    top === undefined || left === undefined ? (top ?? left ?? gray) : (top + left + 1) >> 1,
  ];
  const guess =
    x > 0 && y > 0 ? Math.min(modes[place - 1] ?? mean, modes[place - columns] ?? mean) : mean;
  let mode = guess;
  const missing = (of: number): number =>
    Math.abs(wanted - (predictions[of] ?? Number.POSITIVE_INFINITY));
  for (const other of [above, beside, mean]) if (missing(other) < missing(mode)) mode = other;
  const predicted = predictions[mode] ?? gray;
  const level = Math.trunc((wanted - predicted) / 2);
  luma[place] = predicted + 2 * level;
  modes[place] = mode;
  return { guess, mode, level };
};

/** Draws a macroblock cell by cell. */
const drawDetailed = (
  writer: BitWriter,
  drawing: Drawing,
  x: number,
  y: number,
  firstType: number,
): void => {
  writer.count(firstType);
  const drawn = places.map((place) => drawCell(drawing, x + place.x, y + place.y));
  for (const { guess, mode } of drawn) {
    if (mode === guess) writer.bits(1, 1);
    else writer.bits(mode < guess ? mode : mode - 1, 4);
  }
  const side = y > 0 ? above : x > 0 ? beside : mean;
  const chroma = drawChroma(drawing, x, y, side);
  const isColored = hasLevels(chroma);
  const isDifferent = drawn.some(({ level }) => level !== 0);
  writer.count(2 - side);
  // Numbers of the patterns: what is coded, of luma and of chroma.
  writer.count(isDifferent ? (isColored ? 1 : 2) : isColored ? 16 : 3);
  if (isDifferent || isColored) writer.signed(0);
  if (isDifferent) for (const { level } of drawn) writeCoefficients(writer, "luma", [level]);
  if (isColored) writeChroma(writer, chroma);
};

/**
 * Draws a macroblock, by what a decoder has drawn above it and on its left.
 *
 * @param firstType - Number of the first type that needs no other frame: 0, or 5 where others may
 */
export const drawMacroblock = (
  writer: BitWriter,
  drawing: Drawing,
  x: number,
  y: number,
  firstType: number,
): void => {
  const { columns, cells } = drawing;
  const corner = y * columns + x;
  let isPlain = true;
  for (let row = 0; row < 4 && isPlain; row += 1) {
    isPlain = plainLuma(cells, corner + row * columns, 1) === cells[corner];
  }
  if (isPlain && drawPlain(writer, drawing, x, y, firstType)) return;
  drawDetailed(writer, drawing, x, y, firstType);
};
