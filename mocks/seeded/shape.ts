/** Width and height in pixels. */
export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

/** Shapes that people ask for, as they write them. */
const knownShapes = "1:1 4:5 5:4 2:3 3:2 3:4 4:3 9:16 16:9 1:2 2:1 1.91:1 21:9".split(" ");

const isKnown = (shape: string): boolean => knownShapes.includes(shape);

/** A shape that stands alone: "9:16", but no part of "at 19:16:09". */
const mentioned = /(?<![\d.:])(\d{1,2}(?:\.\d\d)?:\d{1,2})(?![\d:]|\.\d)/g;

/** A size in pixels that stands alone. */
const pixels = /(?<!\d)(\d{3,4})\s?[x×]\s?(\d{3,4})(?!\d)/i;

const [leastPixels, mostPixels] = [256, 2048];

const readPixels = (text: string): PixelSize | undefined => {
  const [, width = Number.NaN, height = Number.NaN] = (pixels.exec(text) ?? []).map(Number);
  const isFitting = [width, height].every((side) => side >= leastPixels && side <= mostPixels);
  return isFitting ? { width, height } : undefined;
};

/** Gives the size of a shape, whose shorter side is known. */
const sizeOf = (shape: string, shorter: number): PixelSize => {
  const [across = 1, down = 1] = shape.split(":").map(Number);
  const longer = Math.round((shorter * Math.max(across, down)) / Math.min(across, down));
  return across > down ? { width: longer, height: shorter } : { width: shorter, height: longer };
};

const readSize = (text: unknown, shorter: number): PixelSize | undefined => {
  if (typeof text !== "string") return undefined;
  const exact = readPixels(text);
  if (exact !== undefined) return exact;
  const shape = text.match(mentioned)?.find(isKnown);
  return shape === undefined ? undefined : sizeOf(shape, shorter);
};

/**
 * Finds the size that a request asks for. Its field `aspect_ratio` counts first, then its field
 * `size`, then the first shape or size that its prompt names. The document does not say how to ask. @assumed A9
 */
export const askedSize = (
  { aspect_ratio, size }: Readonly<Record<string, unknown>>,
  prompt: string,
  usual: PixelSize,
): PixelSize => {
  const shorter = Math.min(usual.width, usual.height);
  return (
    readSize(aspect_ratio, shorter) ?? readSize(size, shorter) ?? readSize(prompt, shorter) ?? usual
  );
};
