import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { partsOf, readColor } from "../../mocks/seeded/colors.ts";
import type { Drawing } from "../../mocks/seeded/drawing.ts";
import { rectangle } from "../../mocks/seeded/drawing.ts";
import { writePng } from "../../mocks/seeded/png.ts";
import { drawSample, type SampleChanges } from "../helpers/sample-picture.ts";

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
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const step = 1 + width;
  const rows = inflateSync(chunks.get("IDAT") ?? Buffer.alloc(0));
  expect(rows).toHaveLength(height * step);
  const filters = Array.from({ length: height }, (_, y) => rows[y * step]);
  expect(new Set(filters)).toEqual(new Set([2]));
  const pixels = new Uint8Array(width * height);
  for (let y = 0; y < height; y += 1) {
    for (let at = y * step + 1; at < (y + 1) * step; at += 1) {
      rows[at] = (rows[at] ?? 0) + (y === 0 ? 0 : (rows[at - step] ?? 0));
    }
    for (let x = 0; x < width; x += 1) {
      pixels[y * width + x] = rows[y * step + 1 + x] ?? 0;
    }
  }
  const palette = [...(chunks.get("PLTE") ?? [])];
  const colorAt = (x: number, y: number): number[] => {
    const index = 3 * (pixels[y * width + x] ?? 0);
    return palette.slice(index, index + 3);
  };
  return { width, height, pixels, palette, colorAt };
};

const paint = (changes: SampleChanges = {}) => readPng(writePng(drawSample(changes)));

const drawing = (things: Drawing["things"]): Drawing => ({
  width: 200,
  height: 100,
  title: "",
  things,
});

describe("a PNG", () => {
  test.each([
    [1080, 1080],
    [1920, 1080],
    [1200, 627],
    [257, 259],
  ])("of %d × %d pixels has them all, and few colours", (width, height) => {
    for (const action of ["generate-ad", "video-a-2"] as const) {
      const picture = paint({ action, width, height, duration: 5 });
      expect([picture.width, picture.height]).toEqual([width, height]);
      expect(picture.palette.length / 3).toBeLessThanOrEqual(16);
      const used = new Set(picture.pixels);
      expect(used.size).toBeGreaterThan(4);
      expect(Math.max(...used)).toBeLessThan(picture.palette.length / 3);
    }
  });

  test("paints rectangles, ellipses and triangles, the later ones on top", () => {
    const box = { x: 20, y: 20, width: 40, height: 40 };
    const { colorAt } = readPng(
      writePng(
        drawing([
          rectangle({ x: 0, y: 0, width: 200, height: 100 }, "#000001"),
          rectangle(box, "#000002"),
          rectangle(box, "#000003", 999),
          { ...rectangle({ ...box, x: 120 }, "#000004"), pointed: true },
          rectangle({ x: 190, y: -50, width: 100, height: 60 }, "#000005"),
        ]),
      ),
    );
    const blueAt = (x: number, y: number) => colorAt(x, y)[2];
    expect([blueAt(19, 40), blueAt(60, 40), blueAt(0, 0)]).toEqual([1, 1, 1]);
    expect([blueAt(20, 20), blueAt(59, 59), blueAt(22, 22)]).toEqual([2, 2, 2]);
    expect([blueAt(40, 20), blueAt(20, 40), blueAt(40, 59), blueAt(30, 30)]).toEqual([3, 3, 3, 3]);
    expect([blueAt(120, 21), blueAt(158, 40), blueAt(140, 40)]).toEqual([4, 4, 4]);
    expect([blueAt(150, 22), blueAt(158, 30), blueAt(119, 40)]).toEqual([1, 1, 1]);
    expect([blueAt(199, 0), blueAt(190, 9), blueAt(189, 0)]).toEqual([5, 5, 1]);
  });

  test("has bars in place of text, on the right in a script that begins there", () => {
    const line = { x: 20, y: 50, width: 120, size: 20, color: "#000009" } as const;
    const ground = rectangle({ x: 0, y: 0, width: 200, height: 100 }, "#000001");
    const columnsOf = (text: string): number[] => {
      const { colorAt } = readPng(writePng(drawing([ground, { ...line, text }])));
      return Array.from({ length: 200 }, (_, x) => x).filter((x) => colorAt(x, 42)[2] === 9);
    };
    expect(columnsOf("Sale").at(0)).toBe(20);
    expect(columnsOf("Sale").at(-1)).toBeLessThan(80);
    expect(columnsOf("קיץ").at(0)).toBeGreaterThan(80);
    expect(columnsOf("קיץ").at(-1)).toBe(139);
    expect(columnsOf("Sale ".repeat(40)).length).toBe(120);
  });

  test("is the same for the same job, to the last byte, and under 12 kB", () => {
    for (let variation = 1; variation <= 6; variation += 1) {
      const brand = { name: "Acme", colors: variation % 2 ? [] : ["navy", "#fa8072"] };
      const prompt = "Fresh coffee for slow mornings, late evenings and everything between";
      const make = () => writePng(drawSample({ variation, brand, prompt }));
      const file = make();
      expect(Buffer.from(file).equals(make())).toBe(true);
      expect(file.length).toBeLessThan(12_000);
    }
  });

  test("has the brand's colours, in every notation", () => {
    const colors = ["#0a7", "rgb(255, 128, 0)", "navy"];
    const { palette, pixels } = paint({ brand: { name: "", colors } });
    for (const color of colors) {
      const parts = partsOf(readColor(color) ?? "#000000");
      const index = palette.findIndex(
        (_, at) => at % 3 === 0 && parts.every((part, offset) => palette[at + offset] === part),
      );
      expect(pixels.filter((pixel) => 3 * pixel === index).length).toBeGreaterThan(1_000);
    }
  });
});
