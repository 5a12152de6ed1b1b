import { inflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { partsOf, readColor } from "../../mocks/seeded/colors.ts";
import { type Drawing, rectangle } from "../../mocks/seeded/drawing.ts";
import { writePng } from "../../mocks/seeded/png.ts";
import { drawSample } from "../helpers/sample-picture.ts";

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
  const pixels = new Uint8Array(width * height);
  const filters = new Set<number | undefined>();
  for (let y = 0; y < height; y += 1) {
    filters.add(rows[y * step]);
    for (let x = 0; x < width; x += 1) {
      const above = y === 0 ? 0 : (pixels[(y - 1) * width + x] ?? 0);
      pixels[y * width + x] = (rows[y * step + 1 + x] ?? 0) + above;
    }
  }
  // Each byte is its difference from the one above.
  expect(filters).toEqual(new Set([2]));
  const palette = [...(chunks.get("PLTE") ?? [])];
  const colorAt = (x: number, y: number): number[] => {
    const index = 3 * (pixels[y * width + x] ?? 0);
    return palette.slice(index, index + 3);
  };
  return { width, height, pixels, palette, colorAt };
};

const paint = (...things: Drawing["things"]) => {
  const ground = rectangle({ x: 0, y: 0, width: 200, height: 100 }, "#000001");
  const { colorAt } = readPng(
    writePng({ width: 200, height: 100, title: "", things: [ground, ...things] }),
  );
  return (x: number, y: number) => colorAt(x, y)[2];
};

describe("a PNG", () => {
  test.each([
    [1080, 1080],
    [1920, 1080],
    [1200, 627],
    [257, 259],
  ])("of %d × %d pixels has them all, few colours, and all of a brand's", (width, height) => {
    const colors = ["#0a7", "rgb(255, 128, 0)", "navy"];
    for (const action of ["generate-ad", "video-a-2"] as const) {
      const brand = { name: "", colors };
      const sample = { action, width, height, duration: 5, brand };
      const picture = readPng(writePng(drawSample(sample)));
      const { palette, pixels } = picture;
      expect([picture.width, picture.height]).toEqual([width, height]);
      expect(palette.length / 3).toBeLessThanOrEqual(16);
      const used = new Set(pixels);
      expect(used.size).toBeGreaterThan(4);
      expect(Math.max(...used)).toBeLessThan(palette.length / 3);
      for (const color of colors) {
        const parts = String(partsOf(readColor(color) ?? "#000000"));
        const index = [...used].find((at) => String(palette.slice(3 * at, 3 * at + 3)) === parts);
        expect(pixels.filter((pixel) => pixel === index).length).toBeGreaterThan(1_000);
      }
    }
  });

  test("paints rectangles, ellipses and triangles, the later ones on top", () => {
    const box = { x: 20, y: 20, width: 40, height: 40 };
    const blueAt = paint(
      rectangle(box, "#000002"),
      rectangle(box, "#000003", 999),
      { ...rectangle({ ...box, x: 120 }, "#000004"), pointed: true },
      rectangle({ x: 190, y: -50, width: 100, height: 60 }, "#000005"),
    );
    expect([blueAt(19, 40), blueAt(60, 40), blueAt(0, 0)]).toEqual([1, 1, 1]);
    expect([blueAt(20, 20), blueAt(59, 59), blueAt(22, 22)]).toEqual([2, 2, 2]);
    expect([blueAt(40, 20), blueAt(20, 40), blueAt(40, 59), blueAt(30, 30)]).toEqual([3, 3, 3, 3]);
    expect([blueAt(120, 21), blueAt(158, 40), blueAt(140, 40)]).toEqual([4, 4, 4]);
    expect([blueAt(150, 22), blueAt(158, 30), blueAt(119, 40)]).toEqual([1, 1, 1]);
    expect([blueAt(199, 0), blueAt(190, 9), blueAt(189, 0)]).toEqual([5, 5, 1]);
  });

  test("has bars in place of text, on the right in a script that begins there", () => {
    const columnsOf = (text: string): number[] => {
      const blueAt = paint({ x: 20, y: 50, width: 120, size: 20, color: "#000009", text });
      return Array.from({ length: 200 }, (_, x) => x).filter((x) => blueAt(x, 42) === 9);
    };
    expect(columnsOf("Sale").at(0)).toBe(20);
    expect(columnsOf("Sale").at(-1)).toBeLessThan(80);
    expect(columnsOf("קיץ").at(0)).toBeGreaterThan(80);
    expect(columnsOf("קיץ").at(-1)).toBe(139);
    expect(columnsOf("Sale ".repeat(40)).length).toBe(120);
  });

  test("is the same for the same job, to the last byte, and under 12 kB", () => {
    const prompt = "Fresh coffee for slow mornings, late evenings and everything between";
    for (let variation = 1; variation <= 6; variation += 1) {
      const brand = { name: "Acme", colors: variation % 2 ? [] : ["navy", "#fa8072"] };
      const make = () => writePng(drawSample({ variation, brand, prompt }));
      expect(Buffer.from(make()).equals(make())).toBe(true);
      expect(make().length).toBeLessThan(12_000);
    }
  });
});
