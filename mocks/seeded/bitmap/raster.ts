import { type Rgba, readColor } from "./rgb.ts";

type Rgb = readonly [red: number, green: number, blue: number];

/** Corners of an outline, x and y in turn. */
export type Outline = readonly number[];

/** A picture of cells, each of which has one colour of a list. */
export interface Raster {
  /** Cells in a row and in a column. */
  readonly columns: number;
  readonly rows: number;
  /** Index of each cell's colour. */
  readonly cells: Uint8Array;
  readonly colors: readonly Rgb[];
}

/** A raster that can be painted on. Lengths are cells, colours those of CSS. */
export interface Canvas extends Raster {
  /** Paints the insides of outlines. Where two of them overlap, nothing is painted. */
  readonly fill: (outlines: readonly Outline[], color: string, opacity: number) => void;
  /** Paints a rectangle of whole cells, all of it. */
  readonly fillBox: (x: number, y: number, width: number, height: number, color: string) => void;
}

/** Most colours of a raster: their indices are bytes. */
const maxColors = 256;

/** Lists the places at which a row passes an outline, in order. */
const crossingsOf = (outlines: readonly Outline[], y: number): number[] => {
  const crossings: number[] = [];
  for (const outline of outlines) {
    let x1 = outline.at(-2) ?? 0;
    let y1 = outline.at(-1) ?? 0;
    for (let corner = 0; corner < outline.length; corner += 2) {
      const x2 = outline[corner] ?? 0;
      const y2 = outline[corner + 1] ?? 0;
      if (y1 <= y !== y2 <= y) crossings.push(x1 + ((y - y1) / (y2 - y1)) * (x2 - x1));
      x1 = x2;
      y1 = y2;
    }
  }
  return crossings.sort((a, b) => a - b);
};

/** Makes a raster of one colour, white. */
export const createCanvas = (columns: number, rows: number): Canvas => {
  const cells = new Uint8Array(columns * rows);
  const colors: Rgb[] = [];
  const indices = new Map<number, number>();

  const indexOf = ([red, green, blue]: Rgb): number => {
    const name = (red << 16) | (green << 8) | blue;
    const known = indices.get(name);
    if (known !== undefined) return known;
    if (colors.length === maxColors) return 0;
    indices.set(name, colors.length);
    return colors.push([red, green, blue]) - 1;
  };
  indexOf([255, 255, 255]);

  const read = new Map<string, Rgba>();
  const colorOf = (color: string): Rgba => {
    const known = read.get(color) ?? readColor(color);
    read.set(color, known);
    return known;
  };

  /** Gives, for each colour of the ground, the one that it becomes below a colour. */
  const mixer = ([red, green, blue, cover]: Rgba): ((ground: number) => number) => {
    const mixed: number[] = [];
    return (ground) => {
      const known = mixed[ground];
      if (known !== undefined) return known;
      const [r = 0, g = 0, b = 0] = colors[ground] ?? [];
      const mix = (top: number, below: number): number =>
        Math.round(cover * top + (1 - cover) * below);
      const index = indexOf([mix(red, r), mix(green, g), mix(blue, b)]);
      mixed[ground] = index;
      return index;
    };
  };

  return {
    columns,
    rows,
    cells,
    colors,
    fill: (outlines, color, opacity) => {
      const [red, green, blue, cover] = colorOf(color);
      const mix = mixer([red, green, blue, cover * opacity]);
      const isSolid = cover * opacity === 1;
      let [top, bottom] = [rows, 0];
      for (const outline of outlines) {
        for (let corner = 1; corner < outline.length; corner += 2) {
          top = Math.min(top, outline[corner] ?? 0);
          bottom = Math.max(bottom, outline[corner] ?? 0);
        }
      }
      const first = Math.max(Math.floor(top), 0);
      const last = Math.min(Math.ceil(bottom), rows);
      const clamp = (x: number): number => Math.min(Math.max(Math.ceil(x - 0.5), 0), columns);
      for (let row = first; row < last; row += 1) {
        const crossings = crossingsOf(outlines, row + 0.5);
        for (let at = 0; at + 1 < crossings.length; at += 2) {
          const from = row * columns + clamp(crossings[at] ?? 0);
          const to = row * columns + clamp(crossings[at + 1] ?? 0);
          if (isSolid) cells.fill(mix(0), from, to);
          else for (let cell = from; cell < to; cell += 1) cells[cell] = mix(cells[cell] ?? 0);
        }
      }
    },
    fillBox: (x, y, width, height, color) => {
      const [red, green, blue] = colorOf(color);
      const index = indexOf([red, green, blue]);
      const [from, to] = [Math.max(x, 0), Math.min(x + width, columns)];
      if (from >= to) return;
      for (let row = Math.max(y, 0); row < Math.min(y + height, rows); row += 1) {
        cells.fill(index, row * columns + from, row * columns + to);
      }
    },
  };
};
