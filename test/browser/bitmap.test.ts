import { expect, test } from "vitest";
import { partsOf, readColor } from "../../mocks/seeded/colors.ts";
import { completeJob } from "./complete-job.ts";

/** Pixels of an image, each 4 × 4 of them as one. */
const pixelsOf = (image: CanvasImageSource, width: number, height: number): Uint8ClampedArray => {
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d");
  context?.drawImage(image, 0, 0, width, height);
  return context?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
};

test("a PNG is what its result says, as a bitmap and on a canvas", async () => {
  const { result } = await completeJob(
    { action: "generate-ad", prompt: "Sale, 4:5" },
    { pictureFormat: "png" },
  );
  const [{ url, width, height }] = result.images;
  const blob = await (await fetch(url)).blob();
  expect(blob.type).toBe("image/png");
  const bitmap = await createImageBitmap(blob);
  expect([bitmap.width, bitmap.height]).toEqual([width, height]);
  expect([width, height]).toEqual([1080, 1350]);
  expect(new Set(pixelsOf(bitmap, width, height)).size).toBeGreaterThan(3);
});

// With a button, without one, and moving: all that an action decides besides words.
test.each(["generate-ad", "image-a-2", "video-a-2"])(
  "the PNG of %s shows the picture that the SVG shows",
  async (action) => {
    const { id, service } = await completeJob({
      action,
      prompt: "Summer sale",
      duration: 8,
      variations: 6,
    });
    for (let variation = 1; variation <= 6; variation += 1) {
      const svg = service.artwork(id, variation) ?? "";
      const png = service.artwork(id, variation, { format: "png" }) ?? new Uint8Array();
      const drawn = new Image();
      drawn.src = URL.createObjectURL(
        new Blob([svg.replace(/<animate[^>]*>/g, "")], { type: "image/svg+xml" }),
      );
      await drawn.decode();
      const [width, height] = [drawn.naturalWidth / 4, drawn.naturalHeight / 4];
      const ofSvg = pixelsOf(drawn, width, height);
      const ofPng = pixelsOf(await createImageBitmap(new Blob([png])), width, height);
      let alike = 0;
      for (let byte = 0; byte < ofSvg.length; byte += 4) {
        const far = [0, 1, 2].some(
          (part) => Math.abs((ofSvg[byte + part] ?? 0) - (ofPng[byte + part] ?? 0)) > 40,
        );
        if (!far) alike += 1;
      }
      // The rest is letters, with bars in their place.
      expect(alike / (width * height)).toBeGreaterThan(0.88);
    }
  },
);

test("colours are read as the browser reads them", () => {
  const context = new OffscreenCanvas(1, 1).getContext("2d");
  if (context === null) throw new Error("There is no canvas");
  const names =
    "aqua beige black blue brown coral crimson cyan fuchsia gold gray green grey indigo ivory khaki lavender lime magenta maroon navy olive orange orchid pink plum purple red salmon silver tan teal tomato turquoise violet white yellow";
  const others = ["#fa8072", "#0a7", "rgb(1, 2, 300)", "rgba(10, 20, 30, 100%)"];
  for (const color of [...names.split(" "), ...others]) {
    context.fillStyle = color;
    expect([color, readColor(color)]).toEqual([color, context.fillStyle]);
  }
  for (const seeThrough of ["#0a78", "rgba(0, 170, 119, 50%)", "rgb(0 170 119 / 0.2)"]) {
    expect(partsOf(readColor(seeThrough) ?? "#000000")).toEqual([0, 170, 119]);
  }
});
