import { cutText } from "./cut-text.ts";

/** Text as lines of a picture. SVG breaks no lines, and a `<foreignObject>` would taint a canvas. */
export interface Lines {
  readonly lines: readonly string[];
  readonly fontSize: number;
}

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

/** Tells whether the first letter of a text belongs to a script that runs from right to left. */
export const isRightToLeft = (text: string): boolean =>
  /^\P{L}*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(
    text,
  );

/** Estimates how many times its font size a text is wide, in a bold sans-serif that is a wide one. */
export const emsOf = (text: string): number => {
  let ems = 0;
  for (const letter of text.replace(/\p{M}|\p{EMod}|\u200D./gsu, "")) {
    if (letter > "\u10FF") ems += letter.length > 1 ? 1.25 : 1;
    else if (" !'(),-./:;I[]fijlt|r".includes(letter)) ems += 0.4;
    else ems += /[A-Zmw@%]/.test(letter) ? 0.85 : 0.68;
  }
  return ems;
};

/** Letters that people write without spaces, and emoji. A line may end before each word of them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}\p{RI}]/u;

/** Place where a line may end without a space: the zero-width space of Unicode. */
const mayEnd = "\u200B";

/** No line begins with a full stop or a closing bracket, and none ends with an opening one. */
const mustNotEnd = /\u200B(?=(?![\p{Ps}\p{Pi}])\p{P})|(?<=[\p{Ps}\p{Pi}])\u200B/gu;

let segmenter: Intl.Segmenter | undefined;

/** Cuts a text at the places where a line may end. */
const cutIntoPieces = (text: string): string[] =>
  text.split(/(?<= )/).flatMap((word) => {
    // A word that is too long for most pictures may end after each 12 letters.
    if (!unspaced.test(word))
      return word.length > 24 ? (word.match(/(?:.\p{M}*){1,12}/gsu) ?? []) : [word];
    // The first segmenter costs 10 ms or more, so only a text that needs it makes it.
    segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
    const words = Array.from(segmenter.segment(word), ({ segment }) => segment);
    return words.join(mayEnd).replace(mustNotEnd, "").split(mayEnd);
  });

const fontSizes = [13, 11, 9.5, 8, 7, 6, 5];

/**
 * Breaks a text into the lines of a box, in the largest font size that has room for all of it.
 * Where none has, the smallest one is taken, and the end is cut off.
 */
export const fitLines = (text: string, width: number, height: number): Lines => {
  const pieces = cutIntoPieces(text).map((piece) => ({
    piece,
    ems: emsOf(piece.trimEnd()),
    space: piece.endsWith(" ") ? 0.4 : 0,
  }));
  let fitted: Lines = { lines: [], fontSize: 1 };
  for (const fontSize of fontSizes) {
    const rows = Math.max(1, Math.floor(height / (fontSize * lineHeight)));
    const lines: string[] = [];
    let left = -1;
    for (const { piece, ems, space } of pieces) {
      left -= ems;
      if (left >= 0) lines.push(`${lines.pop()}${piece}`);
      else {
        lines.push(piece);
        left = width / fontSize - ems;
      }
      left -= space;
    }
    const isCut = lines.length > rows;
    if (isCut) lines.splice(rows - 1, lines.length, `${lines[rows - 1]?.trimEnd()}…`);
    fitted = { lines: lines.map((line) => line.trimEnd()), fontSize };
    if (!isCut && pieces.every(({ ems }) => ems * fontSize <= width)) break;
  }
  return fitted;
};
