import { letterHeight, setText, turnAround, widthOf } from "./font.ts";
import { ellipse, readPath, rectangle, strokeOf } from "./outline.ts";
import { type Canvas, createCanvas, type Outline, type Raster } from "./raster.ts";

type Attributes = Readonly<Record<string, string>>;

/** Place and size of what is inside an element: lengths times `scale`, from `left` and `top` on. */
interface Frame {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
  /** Attributes that an element has from those around it. */
  readonly inherited: Attributes;
}

/** Parts of the artwork's SVG: a tag, its attributes, and the text up to the next tag. */
const tags = /<(\/?)(\w+)([^>]*?)(\/?)>([^<]*)/g;

const readAttributes = (text: string): Attributes =>
  Object.fromEntries(
    Array.from(text.matchAll(/([\w-]+)='([^']*)'/g), ([, name = "", value = ""]) => [name, value]),
  );

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

const readText = (text: string): string =>
  text.replace(/&(\w+);/g, (_, name: string) => entities[name] ?? "");

const numbersOf = (text = ""): number[] => (text.match(/-?[\d.]+/g) ?? []).map(Number);

/** Gives the frame of what is inside a group or an inner picture. */
const enter = (frame: Frame, name: string, attributes: Attributes): Frame => {
  const inherited = { ...frame.inherited, ...attributes };
  const { left, top, scale } = frame;
  if (name === "svg" && attributes["viewBox"] !== undefined) {
    const [x = 0, y = 0, width = 1, height = 1] = numbersOf(attributes["viewBox"]);
    const [ownX = 0, ownY = 0, ownWidth = width, ownHeight = height] = [
      "x",
      "y",
      "width",
      "height",
    ].map((side) => numbersOf(attributes[side])[0] ?? 0);
    // The view keeps its shape, in the middle of its place.
    const zoom = Math.min(ownWidth / width, ownHeight / height);
    return {
      left: left + scale * (ownX + (ownWidth - zoom * width) / 2 - zoom * x),
      top: top + scale * (ownY + (ownHeight - zoom * height) / 2 - zoom * y),
      scale: scale * zoom,
      inherited,
    };
  }
  const [x = 0, y = 0] = numbersOf(attributes["transform"]);
  return { left: left + scale * x, top: top + scale * y, scale, inherited };
};

const outlinesOf = (name: string, attributes: Attributes): Outline[] => {
  const length = (side: string): number => Number(attributes[side] ?? 0);
  switch (name) {
    case "rect":
      return [rectangle(length("x"), length("y"), length("width"), length("height"), length("rx"))];
    case "circle":
      return [ellipse(length("cx"), length("cy"), length("r"), length("r"))];
    case "ellipse":
      return [ellipse(length("cx"), length("cy"), length("rx"), length("ry"))];
    case "path":
      return readPath(attributes["d"] ?? "");
    default:
      return [];
  }
};

const paintShape = (canvas: Canvas, frame: Frame, name: string, own: Attributes): void => {
  const attributes = { ...frame.inherited, ...own };
  const outlines = outlinesOf(name, own).map((outline) =>
    outline.map((value, index) => value * frame.scale + (index % 2 === 0 ? frame.left : frame.top)),
  );
  const { fill = "black", stroke, opacity = "1" } = attributes;
  if (fill !== "none") canvas.fill(outlines, fill, Number(opacity));
  if (stroke === undefined) return;
  const thickness = Math.max(Number(attributes["stroke-width"] ?? 1) * frame.scale, 1);
  const [dash, gap] = numbersOf(attributes["stroke-dasharray"]).map((part) => part * frame.scale);
  for (const outline of outlines) {
    const dashes = dash === undefined || gap === undefined ? undefined : ([dash, gap] as const);
    for (const line of strokeOf(outline, thickness, dashes)) canvas.fill([line], stroke, 1);
  }
};

/** Lists the rows at which the stripes of a letter's column begin, and their heights. */
const stripesOf = (bits: number): [row: number, height: number][] => {
  const stripes: [number, number][] = [];
  for (let row = 0; bits >> row > 0; row += 1) {
    const last = stripes.at(-1);
    if (((bits >> row) & 1) === 0) continue;
    if (last !== undefined && last[0] + last[1] === row) last[1] += 1;
    else stripes.push([row, 1]);
  }
  return stripes;
};

const paintText = (canvas: Canvas, frame: Frame, own: Attributes, text: string): void => {
  const attributes = { ...frame.inherited, ...own };
  const fontSize = Number(attributes["font-size"]) * frame.scale;
  // Letters take about three quarters of the font's size.
  const zoom = Math.max(Math.floor((fontSize * 0.75) / letterHeight + 0.3), 1);
  const runs = setText(readText(text));
  const width = zoom * runs.reduce((sum, run) => sum + widthOf(run), -1);
  const isTurned = attributes["direction"] === "rtl";
  const share = attributes["text-anchor"] === "middle" ? 0.5 : isTurned ? 1 : 0;
  let x = Math.round(frame.left + Number(own["x"] ?? 0) * frame.scale - share * width);
  const top = Math.round(frame.top + Number(own["y"] ?? 0) * frame.scale) - zoom * letterHeight;
  const paintBox = (left: number, above: number, width: number, height: number): void =>
    canvas.fillBox(left, top + zoom * above, width, zoom * height, attributes["fill"] ?? "black");
  for (const run of isTurned ? turnAround(runs) : runs) {
    if ("bar" in run) paintBox(x, 1, zoom * run.bar, letterHeight - 2);
    else {
      for (const [column, bits] of run.columns.entries()) {
        for (const [row, height] of stripesOf(bits)) paintBox(x + zoom * column, row, zoom, height);
      }
    }
    x += zoom * widthOf(run);
  }
};

/** Elements that hold others. */
const groups = new Set(["svg", "g"]);

/**
 * Paints the artwork's SVG with cells of a few pixels. It knows the elements and attributes that
 * the artwork uses, and no others. Animated shapes stand where they begin.
 *
 * @param cell - Pixels of a cell's side
 */
export const paintSvg = (svg: string, cell: number): Raster => {
  const [, , , root = ""] = svg.match(/<(\/?)(svg)([^>]*)/) ?? [];
  const { width, height, viewBox } = readAttributes(root);
  const canvas = createCanvas(Math.ceil(Number(width) / cell), Math.ceil(Number(height) / cell));
  const [, , viewWidth = 1] = numbersOf(viewBox);
  const whole = { left: 0, top: 0, scale: Number(width) / cell / viewWidth, inherited: {} };
  const frames: Frame[] = [whole];
  for (const [, closing, name = "", attributes = "", closed, text = ""] of svg
    .slice(root.length + 5)
    .matchAll(tags)) {
    const frame = frames.at(-1) ?? whole;
    if (closing) {
      if (groups.has(name)) frames.pop();
      continue;
    }
    const own = readAttributes(attributes);
    if (groups.has(name)) frames.push(enter(frame, name, own));
    else if (name === "text") paintText(canvas, frame, own, text);
    else if (closed || name !== "title") paintShape(canvas, frame, name, own);
  }
  return canvas;
};
