import { expect, test } from "vitest";
import { partsOf, readColor } from "../../mocks/seeded/colors.ts";
import { type Drawing, rectangle } from "../../mocks/seeded/drawing.ts";
import { writePng } from "../../mocks/seeded/png.ts";
import { drawSample } from "../helpers/sample-picture.ts";

/** Pixels of an image. */
const pixelsOf = (image: CanvasImageSource, width: number, height: number): Uint8ClampedArray => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  context?.drawImage(image, 0, 0, width, height);
  return context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
};

const readPng = async (drawing: Drawing) => {
  const bitmap = await createImageBitmap(new Blob([writePng(drawing)]));
  const { width, height } = bitmap;
  return { width, height, bytes: pixelsOf(bitmap, width, height) };
};

/** Paints things, and gives the blue at a place. */
const paint = async (...things: Drawing["things"]) => {
  const ground = rectangle({ x: 0, y: 0, width: 200, height: 100 }, "#000001");
  const drawing = { width: 200, height: 100, title: "", things: [ground, ...things] };
  const { bytes } = await readPng(drawing);
  return (x: number, y: number) => bytes[4 * (200 * y + x) + 2];
};

test.each([
  [1080, 1080],
  [1920, 1080],
  [1200, 627],
  [257, 259],
])("a PNG of %d × %d pixels has them all, few colours, and all of a brand's", async (...size) => {
  const [width, height] = size;
  const colors = ["#0a7", "rgb(255, 128, 0)", "navy"];
  for (const action of ["generate-ad", "video-a-2"] as const) {
    const brand = { name: "", colors };
    const picture = await readPng(drawSample({ action, width, height, duration: 5, brand }));
    expect([picture.width, picture.height]).toEqual(size);
    const counts = new Map<number, number>();
    for (const pixel of new Uint32Array(picture.bytes.buffer)) {
      counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    }
    expect(counts.size).toBeGreaterThan(4);
    expect(counts.size).toBeLessThanOrEqual(16);
    for (const color of colors) {
      const bytes = Uint8Array.of(...partsOf(readColor(color) ?? "#000000"), 255);
      expect(counts.get(new Uint32Array(bytes.buffer)[0] ?? 0)).toBeGreaterThan(1_000);
    }
  }
});

test("a PNG has rectangles, ellipses and triangles, the later ones on top", async () => {
  const box = { x: 20, y: 20, width: 40, height: 40 };
  const blueAt = await paint(
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

test("a PNG has bars in place of text, on the right in a script that begins there", async () => {
  const columnsOf = async (text: string): Promise<number[]> => {
    const blueAt = await paint({ x: 20, y: 50, width: 120, size: 20, color: "#000009", text });
    return Array.from({ length: 200 }, (_, x) => x).filter((x) => blueAt(x, 42) === 9);
  };
  const [left, right] = [await columnsOf("Sale"), await columnsOf("קיץ")];
  expect([left.at(0), right.at(-1)]).toEqual([20, 139]);
  expect(left.at(-1)).toBeLessThan(80);
  expect(right.at(0)).toBeGreaterThan(80);
  expect(await columnsOf("Sale ".repeat(40))).toHaveLength(120);
});
