import type { BitWriter } from "./bits.ts";
import { writeCoefficients } from "./coefficients.ts";
import { above, type Drawing, gray, mean } from "./drawing.ts";

type Four = readonly [number, number, number, number];

/** Sums and differences of 2 × 2 blocks: the transform of H.264, which undoes itself four times. */
const transform = ([a, b, c, d]: Four): Four => [
  a + b + c + d,
  a - b + c - d,
  a + b - c - d,
  a - b - c + d,
];

const quarter = ([a, b, c, d]: Four): Four => [
  Math.round(a / 4),
  Math.round(b / 4),
  Math.round(c / 4),
  Math.round(d / 4),
];

/** Colour difference of 2 × 2 cells. */
const wantedChroma = ({ columns, cells, colors }: Drawing, cell: number, plane: 1 | 2): number => {
  const first = cells[cell] ?? 0;
  const second = cells[cell + 1] ?? 0;
  const third = cells[cell + columns] ?? 0;
  const fourth = cells[cell + columns + 1] ?? 0;
  const chroma = (color: number): number => colors[color]?.[plane] ?? gray;
  if (first === second && first === third && first === fourth) return chroma(first);
  return Math.round((chroma(first) + chroma(second) + chroma(third) + chroma(fourth)) / 4);
};

const nothing: Four = [0, 0, 0, 0];

/** Draws a colour difference, predicted by one side. Gives the coefficients that this takes. */
const drawPlane = (drawing: Drawing, x: number, y: number, mode: number, plane: 1 | 2): Four => {
  const { columns } = drawing;
  const chroma = drawing.chroma[plane - 1] ?? new Uint8Array();
  const [width, cell] = [columns / 2, y * columns + x];
  const corner = (y / 2) * width + x / 2;
  const at = (place: number): number => chroma[place] ?? gray;
  // The sources of two blocks are the same when the prediction comes from one side.
  const source = mode === above ? corner - width : corner - 1;
  const near = mode === mean ? gray : at(source);
  const far = mode === mean ? gray : at(mode === above ? source + 1 : source + width);
  const [upperRight, lowerLeft] = mode === above ? [far, near] : [near, far];

  const a = wantedChroma(drawing, cell, plane) - near;
  const b = wantedChroma(drawing, cell + 2, plane) - upperRight;
  const c = wantedChroma(drawing, cell + 2 * columns, plane) - lowerLeft;
  const d = wantedChroma(drawing, cell + 2 * columns + 2, plane) - far;
  const isThere = a === 0 && b === 0 && c === 0 && d === 0;
  const levels = isThere ? nothing : quarter(transform([a, b, c, d]));
  const added = isThere ? nothing : transform(levels);
  chroma[corner] = near + added[0];
  chroma[corner + 1] = upperRight + added[1];
  chroma[corner + width] = lowerLeft + added[2];
  chroma[corner + width + 1] = far + added[3];
  return levels;
};

/** Draws both colour differences. */
export const drawChroma = (
  drawing: Drawing,
  x: number,
  y: number,
  mode: number,
): readonly Four[] => [drawPlane(drawing, x, y, mode, 1), drawPlane(drawing, x, y, mode, 2)];

export const writeChroma = (writer: BitWriter, planes: readonly Four[]): void => {
  for (const levels of planes) writeCoefficients(writer, "chroma", levels);
};

export const hasLevels = (planes: readonly Four[]): boolean =>
  planes.some((levels) => levels !== nothing && levels.some((level) => level !== 0));
