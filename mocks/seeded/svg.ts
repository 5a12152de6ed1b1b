import { cutText } from "./cut-text.ts";

/** Place of a thing in a picture. Lengths are hundredths of the picture's shorter side. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export const inset = ({ x, y, width, height }: Box, by: number): Box => ({
  x: x + by,
  y: y + by,
  width: width - 2 * by,
  height: height - 2 * by,
});

export const tenth = (length: number): number => Math.round(length * 10) / 10;

/** Writes a box as attributes, in single quotes: JSON and data URLs need not escape those. */
export const attributesOf = ({ x, y, width, height }: Box): string =>
  `x='${tenth(x)}' y='${tenth(y)}' width='${tenth(width)}' height='${tenth(height)}'`;

const entities = new Map(
  Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&apos;" }),
);

/** Makes a text safe between tags. */
export const escapeText = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities.get(character) ?? "");

/**
 * Gives a text on one line, without characters that XML cannot hold or that turn the text around.
 * A longer text ends with "…".
 */
export const plainText = (text: string, maxLength: number): string => {
  const line = text
    .slice(0, 4 * maxLength)
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF\s]+/gu, " ")
    .replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, "")
    .trim();
  return cutText(line, maxLength, maxLength);
};

/** Tells whether the first letter of a text belongs to a script that runs from right to left. */
export const isRightToLeft = (text: string): boolean =>
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
    text,
  );
