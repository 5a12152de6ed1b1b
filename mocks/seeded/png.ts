import { zlibSync } from "fflate";
import { partsOf } from "./colors.ts";
import { type Drawing, type Line, rectangle, type Shape } from "./drawing.ts";
import { emsOf } from "./lines.ts";

/** Checksum of a chunk, by the polynomial of PNG. */
const checksumOf = (bytes: readonly number[]): number => {
  let sum = -1;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0);
  }
  return ~sum;
};

const fourBytes = (value: number): number[] =>
  [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);

const chunk = (name: string, content: Iterable<number>): number[] => {
  const body = [...content];
  const checked = [...new TextEncoder().encode(name), ...body];
  return [...fourBytes(body.length), ...checked, ...fourBytes(checksumOf(checked))];
};

/** Makes a bar in place of the letters of a line. */
const barOf = ({ text, x, y, width: room, size, color }: Line): Shape => {
  const width = Math.min(emsOf(text) * size * 0.9, room);
  const box = { x: x + (room - width) / 2, y: y - 0.6 * size, width, height: 0.44 * size };
  return rectangle(box, color, 0.22 * size);
};

/** Gives where a shape begins and ends at a height. */
const spanAt = (shape: Shape, at: number): readonly [left: number, right: number] => {
  const { x, y, width, height, round } = shape;
  const [across, down] = [Math.min(round, width / 2), Math.min(round, height / 2)];
  const intoCorner = Math.max(down - Math.min(at - y, y + height - at), 0);
  const gap = down === 0 ? 0 : across * (1 - Math.sqrt(Math.max(1 - (intoCorner / down) ** 2, 0)));
  return [x + gap, x + width - gap];
};

/** Number of the filter that writes a byte as its difference from the one above. */
const up = 2;

/** Writes a drawing as a PNG file, with bars for its text. */
export const writePng = ({ width, height, things }: Drawing): Uint8Array<ArrayBuffer> => {
  const unit = Math.min(width, height) / 100;
  const within = (most: number, length: number): number =>
    Math.min(Math.max(Math.round(length * unit), 0), most);
  const shapes = things.map((thing) => ("text" in thing ? barOf(thing) : thing));
  const colors = [...new Set(shapes.map(({ color }) => color))];
  /** Index of each pixel's colour. */
  const pixels = new Uint8Array(width * height);
  for (const shape of shapes) {
    const index = colors.indexOf(shape.color);
    const bottom = within(height, shape.y + shape.height);
    for (let row = within(height, shape.y); row < bottom; row += 1) {
      const [left, right] = spanAt(shape, (row + 0.5) / unit);
      pixels.fill(index, row * width + within(width, left), row * width + within(width, right));
    }
  }
  const step = width + 1;
  const rows = new Uint8Array(height * step);
  for (let row = 0; row < height; row += 1) {
    rows[row * step] = up;
    for (let at = row * width; at < (row + 1) * width; at += 1) {
      rows[at + row + 1] = (pixels[at] ?? 0) - (pixels[at - width] ?? 0);
    }
  }
  return Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    // 8 bits a pixel, as the index of a colour.
    ...chunk("IHDR", [...fourBytes(width), ...fourBytes(height), 8, 3, 0, 0, 0]),
    ...chunk("PLTE", colors.flatMap(partsOf)),
    ...chunk("IDAT", zlibSync(rows)),
    ...chunk("IEND", []),
  ]);
};
