import type { Drawing, Line, Shape } from "./drawing.ts";
import { emsOf } from "./lines.ts";

const entities = new Map(
  Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" }),
);

/** Makes a text safe between tags. */
const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities.get(character) ?? "");

const tenth = (length: number): number => Math.round(length * 10) / 10;

/** Writes attributes in single quotes, which JSON and data URLs need not escape. Zeros are defaults. */
const attributesOf = (values: Readonly<Record<string, number | string | false>>): string =>
  Object.entries(values)
    .filter(([, value]) => value)
    .map(([name, value]) => ` ${name}='${typeof value === "number" ? tenth(value) : value}'`)
    .join("");

const drawShape = ({ x, y, width, height, color: fill, round: rx }: Shape): string =>
  `<rect${attributesOf({ x, y, width, height, rx, fill })}/>`;

const drawLine = ({ text, x, y, width, size, color: fill }: Line): string => {
  const squeezed = { textLength: width, lengthAdjust: "spacingAndGlyphs" };
  const attributes = attributesOf({
    ...{ x: x + width / 2, y, "font-size": size, fill },
    ...(emsOf(text) * size > width && squeezed),
  });
  return `<text${attributes}>${escapeText(text)}</text>`;
};

/**
 * Writes a drawing as SVG text of about a thousand characters. Nothing in it runs or loads. It
 * holds no `<foreignObject>`, because that taints a canvas.
 */
export const writeSvg = ({ width, height, title, things }: Drawing): string => {
  const shorter = Math.min(width, height) / 100;
  return [
    `<svg xmlns='http://www.w3.org/2000/svg' role='img' width='${width}' height='${height}' viewBox='0 0 ${tenth(width / shorter)} ${tenth(height / shorter)}' font-family='Helvetica,Arial,sans-serif' font-weight='700' text-anchor='middle'>`,
    `<title>${escapeText(title)}</title>`,
    ...things.map((thing) => ("text" in thing ? drawLine(thing) : drawShape(thing))),
    "</svg>",
  ].join("");
};

/** Makes a picture an address of its own, for an answer that must stand alone. */
export const dataUrlOf = (svg: string): string => {
  const encoded = encodeURIComponent(svg)
    // URLs may hold these characters; escapes would make the URL a fifth longer.
    .replaceAll("%3D", "=")
    .replaceAll("%2F", "/")
    .replaceAll("%2C", ",");
  return `data:image/svg+xml,${encoded}`;
};
