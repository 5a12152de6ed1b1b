import { createRunWriter } from "./deflate.ts";
import type { Raster } from "./raster.ts";

/** Checksums of each byte, by the polynomial of PNG. */
const checksums = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum;
});

const checksumOf = (bytes: readonly number[]): number => {
  let sum = -1;
  for (const byte of bytes) sum = (checksums[(sum ^ byte) & 255] ?? 0) ^ (sum >>> 8);
  return ~sum;
};

const fourBytes = (value: number): number[] =>
  [24, 16, 8, 0].map((shift) => (value >>> shift) & 255);

const chunk = (name: string, content: readonly number[]): number[] => {
  const checked = [...Array.from(name, (letter) => letter.charCodeAt(0)), ...content];
  return [...fourBytes(content.length), ...checked, ...fourBytes(checksumOf(checked))];
};

/** Number of the filter that writes a byte as its difference from the one above. */
const up = 2;

/** Writes the rows of cells as rows of pixels. Most differ in nothing from the row above. */
const compressRows = (raster: Raster, cell: number, width: number, height: number) => {
  const { columns, rows, cells } = raster;
  const writer = createRunWriter();
  for (let row = 0; row < rows; row += 1) {
    writer.add(up, 1);
    let start = 0;
    let run = 0;
    for (let column = 0; column < columns; column += 1) {
      const place = row * columns + column;
      const difference = (cells[place] ?? 0) - (row === 0 ? 0 : (cells[place - columns] ?? 0));
      if (difference === run) continue;
      writer.add(run & 255, (column - start) * cell);
      start = column;
      run = difference;
    }
    writer.add(run & 255, width - start * cell);
    const copies = Math.min(cell, height - row * cell) - 1;
    for (let copy = 0; copy < copies; copy += 1) {
      writer.add(up, 1);
      writer.add(0, width);
    }
  }
  return writer.end();
};

/** Writes a raster as a PNG file, each cell as a square of pixels. */
export const writePng = (
  raster: Raster,
  cell: number,
  width: number,
  height: number,
): Uint8Array<ArrayBuffer> =>
  Uint8Array.from([
    ...[0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    // 8 bits a pixel, as the index of a colour.
    ...chunk("IHDR", [...fourBytes(width), ...fourBytes(height), 8, 3, 0, 0, 0]),
    ...chunk("PLTE", raster.colors.flat()),
    ...chunk("IDAT", compressRows(raster, cell, width, height)),
    ...chunk("IEND", []),
  ]);
