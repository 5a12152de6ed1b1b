import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createRunWriter } from "../../mocks/seeded/bitmap/deflate.ts";
import { paintSvg } from "../../mocks/seeded/bitmap/paint-svg.ts";
import { writePng } from "../../mocks/seeded/bitmap/png.ts";
import { createCanvas } from "../../mocks/seeded/bitmap/raster.ts";
import { drawPicture, type Picture } from "../../mocks/seeded/picture.ts";
import { samplePicture } from "../helpers/sample-picture.ts";

const picture = (changes: Partial<Picture> = {}): Picture =>
  samplePicture({ format: "png", ...changes });

const paint = (changes: Partial<Picture> = {}) => paintSvg(drawPicture(picture(changes)), 4);

/** Reads a PNG file by Node's own zlib, which checks the checksum of the stream. */
const readPng = (file: Uint8Array) => {
  const bytes = Buffer.from(file);
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    chunks.set(bytes.toString("latin1", at + 4, at + 8), bytes.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const header = chunks.get("IHDR") ?? Buffer.alloc(0);
  const width = header.readUInt32BE(0);
  const height = header.readUInt32BE(4);
  const rows = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0));
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    expect(rows[y * (width + 1)]).toBe(2);
    for (let x = 0; x < width; x += 1) {
      const above = y === 0 ? 0 : (pixels[(y - 1) * width + x] ?? 0);
      pixels[y * width + x] = above + (rows[y * (width + 1) + x + 1] ?? 0);
    }
  }
  expect(rows).toHaveLength(height * (width + 1));
  return { width, height, pixels, colors: [...(chunks.get("PLTE") ?? [])] };
};

describe("a PNG", () => {
  test.each([
    [1080, 1080],
    [1920, 1080],
    [1200, 627],
    [257, 259],
  ])("of %d × %d pixels holds each cell as a square", (width, height) => {
    const raster = paint({ width, height });
    const { pixels, colors, ...size } = readPng(writePng(raster, 4, width, height));
    expect(size).toEqual({ width, height });
    expect(colors).toEqual(raster.colors.flat());
    const wrong = pixels.findIndex((color, pixel) => {
      const [x, y] = [pixel % width, Math.floor(pixel / width)];
      return color !== raster.cells[(y >> 2) * raster.columns + (x >> 2)];
    });
    expect(wrong).toBe(-1);
  });

  test("holds any cells, those of noise too", () => {
    const canvas = createCanvas(64, 64);
    let seed = 1;
    const next = (): number => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed;
    };
    for (let color = 0; color < 300; color += 1) {
      canvas.fillBox(next() % 64, next() % 64, next() % 9, next() % 9, `rgb(${color % 256}, 1, 2)`);
    }
    expect(canvas.colors.length).toBeLessThanOrEqual(256);
    expect(readPng(writePng(canvas, 1, 64, 64)).pixels).toEqual(canvas.cells);
  });

  test("compresses bytes of which each is twice as frequent as the one before", () => {
    const counts = Array.from({ length: 19 }, (_, byte) => 2 ** byte);
    const writer = createRunWriter();
    const written: number[] = [];
    for (let round = 0; round < (counts.at(-1) ?? 0); round += 1) {
      for (const [byte, count] of counts.entries()) {
        if (round >= count) continue;
        writer.add(byte, 1);
        written.push(byte);
      }
    }
    const compressed = Buffer.from(writer.end());
    expect(inflateSync(compressed).equals(Buffer.from(written))).toBe(true);
  });

  test("is the same for the same job, to the last byte, and under 8 kB", () => {
    for (let variation = 1; variation <= 24; variation += 1) {
      const brand = { name: "Acme", colors: variation % 2 ? [] : ["navy", "#fa8072"] };
      const prompt = "Fresh coffee for slow mornings, late evenings and everything between";
      const make = () => writePng(paint({ variation, brand, prompt }), 4, 1080, 1080);
      expect(make()).toEqual(make());
      expect(make().length).toBeLessThan(8_000);
    }
  });
});

/** Tells whether something of a colour is painted in a part of a raster, in hundredths of it. */
const hasColor = (
  raster: ReturnType<typeof paint>,
  color: string,
  [left, top, right, bottom]: number[],
) => {
  const index = raster.colors.findIndex((parts) => parts.join() === color);
  return raster.cells.some((cell, place) => {
    const x = (100 * (place % raster.columns)) / raster.columns;
    const y = (100 * Math.floor(place / raster.columns)) / raster.rows;
    const isInside = x >= (left ?? 0) && x < (right ?? 0) && y >= (top ?? 0) && y < (bottom ?? 0);
    return isInside && cell === index;
  });
};

describe("a painted picture", () => {
  test("has the brand's colours, in every notation", () => {
    const colors = ["#0a7", "rgb(100%, 50%, 0)", "hsl(240, 100%, 25%)"];
    const raster = paint({ brand: { name: "", colors } });
    for (const color of ["0,170,119", "255,128,0", "0,0,128"]) {
      expect(hasColor(raster, color, [0, 0, 100, 100])).toBe(true);
    }
  });

  test("mixes a colour that lets the ground through", () => {
    const canvas = createCanvas(4, 4);
    canvas.fill([[0, 0, 4, 0, 4, 4, 0, 4]], "#000000", 0.5);
    canvas.fill([[0, 0, 4, 0, 4, 2, 0, 2]], "#ff000080", 1);
    expect([...canvas.colors]).toEqual([
      [255, 255, 255],
      [128, 128, 128],
      [192, 64, 64],
    ]);
    expect([...canvas.cells]).toEqual([...new Array(8).fill(2), ...new Array(8).fill(1)]);
  });

  test("has different letters for different words, and bars for other scripts", () => {
    const seed = "same";
    const cellsOf = (prompt: string) => paint({ prompt, seed, action: "image-a-2" }).cells;
    expect(cellsOf("Summer sale")).not.toEqual(cellsOf("Summer sole"));
    expect(() => cellsOf("夏のレモネード 👨‍👩‍👧‍👦 تخفيضات ✓ \u{1F9FF}")).not.toThrow();
  });

  test.each(["مبصع Nike", "تخفيضات"])("keeps the words of %j inside of the picture", (prompt) => {
    for (let variation = 1; variation <= 12; variation += 1) {
      const svg = drawPicture(picture({ prompt, variation }));
      const ink = /<g fill='(#\w+)' font-size/.exec(svg)?.[1] ?? "";
      const color = (ink.match(/\w\w/g) ?? []).map((part) => Number.parseInt(part, 16)).join();
      expect(hasColor(paintSvg(svg, 4), color, [0, 0, 2, 100])).toBe(false);
    }
  });
});
