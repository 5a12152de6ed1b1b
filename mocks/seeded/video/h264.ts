import { type BitWriter, createBitWriter } from "./bits.ts";
import { type Drawing, quantiser, type Yuv } from "./drawing.ts";
import { drawMacroblock } from "./macroblocks.ts";

/** Pixels of a cell's side, and cells of a macroblock's side. */
const [cellPixels, side] = [4, 4];

/** Frames of a video in the format of an MP4 file: each a unit of H.264 behind its length. */
export interface Stream {
  /** Description of the stream, for the decoder. */
  readonly parameters: readonly [sequence: Uint8Array, picture: Uint8Array];
  readonly frames: readonly Uint8Array[];
}

/** A rectangle of cells that gets another colour with the next frame. */
export interface Change {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly color: number;
}

/** Picture of cells that a video begins with. */
export interface FirstFrame {
  /** Pixels that are shown, both even; the last cells may be cut off. */
  readonly width: number;
  readonly height: number;
  /** Cells in a row and in a column. */
  readonly columns: number;
  readonly rows: number;
  /** Index of each cell's colour. */
  readonly cells: Uint8Array;
  readonly colors: readonly (readonly [red: number, green: number, blue: number])[];
}

/** Converts a colour as televisions do (ITU-R BT.601). */
const toYuv = ([red, green, blue]: FirstFrame["colors"][number]): Yuv => [
  Math.round(16 + 0.257 * red + 0.504 * green + 0.098 * blue),
  Math.round(128 - 0.148 * red - 0.291 * green + 0.439 * blue),
  Math.round(128 + 0.439 * red - 0.368 * green - 0.071 * blue),
];

/** Makes a unit of its type and bits. Three bytes of small numbers in a row would look like a start. */
const unitOf = (header: number, { end }: BitWriter): Uint8Array => {
  const escaped = [header];
  let zeros = 0;
  for (const byte of end()) {
    if (zeros === 2 && byte <= 3) {
      escaped.push(3);
      zeros = 0;
    }
    escaped.push(byte);
    zeros = byte === 0 ? zeros + 1 : 0;
  }
  return Uint8Array.from(escaped);
};

/** The profile "constrained baseline", which plays almost everywhere. */
const profile = [66, 0xc0] as const;

/** Gives the lowest level that allows so many macroblocks in a frame: 3.1, 4 or 5.1. */
const levelOf = (macroblocks: number): number => {
  if (macroblocks <= 3_600) return 31;
  return macroblocks <= 8_192 ? 40 : 51;
};

const describeSequence = (
  wide: number,
  high: number,
  { width, height }: FirstFrame,
): Uint8Array => {
  const writer = createBitWriter();
  const { bits, count } = writer;
  for (const byte of [...profile, levelOf((wide * high) / side ** 2)]) bits(byte, 8);
  count(0); // the number of this description
  count(0); // frame numbers have 4 bits
  count(2); // frames are shown in the order of decoding
  count(1); // frames that others refer to
  bits(0, 1); // no frame numbers are left out
  count(wide / side - 1);
  count(high / side - 1);
  bits(0b11, 2); // whole frames; exact motion of small blocks
  bits(1, 1); // cut off what fills the last macroblocks, in steps of 2 pixels
  const [right, bottom] = [wide * cellPixels - width, high * cellPixels - height];
  for (const cut of [0, right / 2, 0, bottom / 2]) count(cut);
  bits(1, 1); // hints follow
  bits(0b00_1, 3); // no aspect ratio, no overscan, but colours:
  bits(0b101_0_1, 5); // of any source, in the range of television, described as
  for (const standard of [6, 6, 6]) bits(standard, 8); // BT.601
  bits(0b0_0_0_0_0_0, 6); // nothing about chroma's place, time, buffers and limits
  return unitOf(0x67, writer);
};

const describePictures = (): Uint8Array => {
  const writer = createBitWriter();
  const { bits, count, signed } = writer;
  count(0); // the number of this description
  count(0); // the number of the sequence's description
  bits(0b00, 2); // variable-length codes; no more about the order of fields
  count(0); // one group of slices
  count(0); // one frame to refer to
  count(0);
  bits(0b0_00, 3); // no weights
  signed(quantiser - 26);
  signed(0);
  signed(0);
  bits(0b1_0_0, 3); // frames say how edges are smoothed; predictions from anywhere; nothing twice
  return unitOf(0x68, writer);
};

const beginFrame = (number: number): BitWriter => {
  const writer = createBitWriter();
  const { bits, count, signed } = writer;
  const isFirst = number === 0;
  count(0); // the first macroblock
  count(isFirst ? 7 : 5); // it refers to none; or to the one before
  count(0); // the number of the pictures' description
  bits(number % 16, 4);
  if (isFirst) {
    count(0); // the number of this first frame
    bits(0b00, 2); // show the frames before it; keep it for a short time
  } else bits(0b0_0_0, 3); // one frame to refer to, in the usual order, forgotten as usual
  signed(0);
  count(1); // smooth no edges
  return writer;
};

/** Fills rows and columns up to whole macroblocks, by repeating the last ones. */
const fillUp = ({ columns, rows, cells }: FirstFrame) => {
  const wide = Math.ceil(columns / side) * side;
  const high = Math.ceil(rows / side) * side;
  const filled = new Uint8Array(wide * high);
  for (let y = 0; y < high; y += 1) {
    const start = Math.min(y, rows - 1) * columns;
    filled.set(cells.subarray(start, start + columns), y * wide);
    filled.fill(cells[start + columns - 1] ?? 0, y * wide + columns, (y + 1) * wide);
  }
  return { wide, high, filled };
};

/** Draws the cells of a change. Gives the corners of the macroblocks that they are in, in order. */
const apply = ({ cells, columns }: Drawing, { x, y, width, height, color }: Change) => {
  for (let row = y; row < y + height; row += 1) {
    cells.fill(color, row * columns + x, row * columns + x + width);
  }
  const corners: { x: number; y: number }[] = [];
  for (let top = y - (y % side); top < y + height; top += side) {
    for (let left = x - (x % side); left < x + width; left += side)
      corners.push({ x: left, y: top });
  }
  return corners;
};

/**
 * Encodes a picture and its changes as H.264, one frame for the picture and one for each change.
 * Only the changed macroblocks are written again, so that a frame takes a few bytes.
 */
export const encodeVideo = (first: FirstFrame, changes: readonly Change[]): Stream => {
  const { wide, high, filled } = fillUp(first);
  const drawing: Drawing = {
    columns: wide,
    cells: filled,
    colors: first.colors.map(toYuv),
    luma: new Uint8Array(wide * high),
    chroma: [0, 1].map(() => new Uint8Array((wide * high) / 4)),
    modes: new Uint8Array(wide * high),
  };
  const start = beginFrame(0);
  drawing.modes.fill(2);
  for (let y = 0; y < high; y += side) {
    for (let x = 0; x < wide; x += side) drawMacroblock(start, drawing, x, y, 0);
  }
  const frames = [unitOf(0x65, start)];

  for (const [index, change] of changes.entries()) {
    const writer = beginFrame(index + 1);
    drawing.modes.fill(2);
    let next = 0;
    for (const { x, y } of apply(drawing, change)) {
      const macroblock = (y / side) * (wide / side) + x / side;
      writer.count(macroblock - next);
      drawMacroblock(writer, drawing, x, y, 5);
      next = macroblock + 1;
    }
    const rest = (wide * high) / side ** 2 - next;
    if (rest > 0) writer.count(rest);
    frames.push(unitOf(0x61, writer));
  }
  return { parameters: [describeSequence(wide, high, first), describePictures()], frames };
};
