import { cutText } from "./cut-text.ts";

export const lineHeight = 1.14;

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

/** Estimates how many times its font size a text is wide, in a bold sans-serif. */
export const emsOf = (text: string): number => {
  let ems = 0;
  for (const letter of text.replace(/\p{M}|\p{EMod}|\u200D./gsu, "")) {
    if (letter > "\u10FF") ems += 1.25;
    else ems += /[A-Zmw@%]/.test(letter) ? 0.85 : 0.66;
  }
  return ems;
};

/** Places where a line may end: behind a space, and behind a letter of Chinese or Japanese. */
const breaks = /(?<= )|(?<=[\u3000-\u9FFF])/;

/** Breaks a text into the lines of a box, in the largest font size that has room for all of it. */
export const fitLines = (
  text: string,
  width: number,
  height: number,
): { readonly lines: readonly string[]; readonly size: number } => {
  const words = text.split(breaks);
  for (let size = 13; ; size *= 0.9) {
    const lines: string[] = [];
    for (const word of words) {
      const last = lines.at(-1);
      const longer = `${last ?? ""}${word}`;
      if (last !== undefined && emsOf(longer.trimEnd()) * size <= width)
        lines.splice(-1, 1, longer);
      else lines.push(word);
    }
    if (size < 3 || lines.length * size * lineHeight <= height)
      return { lines: lines.map((line) => line.trimEnd()), size };
  }
};
