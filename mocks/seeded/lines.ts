/** Text as lines of a picture. SVG breaks no lines, and a `<foreignObject>` would taint a canvas. */
export interface Lines {
  readonly lines: readonly string[];
  readonly fontSize: number;
}

export const lineHeight = 1.14;

/** Letters that people write without spaces, and emoji. A line may end before each word of them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}\p{RI}]/u;

/** Marks, and the vowel signs of Thai and Lao that follow their consonant. They begin no line. */
const followsOthers = /^[\p{M}\u0E30-\u0E3A\u0E45-\u0E4E\u0EB0-\u0EBD\u0EC6-\u0ECE]/u;

/** The vowel signs of Thai and Lao that stand before their consonant. They end no line. */
const leadsOthers = /[\u0E40-\u0E44\u0EC0-\u0EC4]$/u;

/** Makes a segmenter with the first text that needs it, because the first one costs 10 ms or more. */
const createSegmenter = (granularity: "word" | "grapheme") => {
  let segmenter: Intl.Segmenter | undefined;
  return (text: string): string[] => {
    segmenter ??= new Intl.Segmenter("en", { granularity });
    const parts: string[] = [];
    for (const { segment } of segmenter.segment(text)) {
      const last = parts.at(-1);
      const isBound = last !== undefined && (followsOthers.test(segment) || leadsOthers.test(last));
      if (isBound) parts[parts.length - 1] = last + segment;
      else parts.push(segment);
    }
    return parts;
  };
};
const wordsOf = createSegmenter("word");
const graphemesOf = createSegmenter("grapheme");

/** Code points that take no room of their own: marks, and all but the first of joined emoji. */
const withoutWidth = /\p{M}|\p{EMod}|[\u{E0020}-\u{E007F}]|\u200D./gsu;

/** Estimates how many times its font size a text is wide, in a bold sans-serif. */
export const emsOf = (text: string): number => {
  let width = 0;
  for (const letter of text.replace(withoutWidth, "")) {
    // Emoji are wider than they are high.
    if (letter.length > 1) width += 1.25;
    else if (letter > "\u10FF" || "mwMW@%".includes(letter)) width += 1;
    else if (" !'(),-./:;I[]fijlt|r".includes(letter)) width += 0.4;
    else width += letter >= "A" && letter <= "Z" ? 0.78 : 0.68;
  }
  return width;
};

/** Place where a line may end without a space: the zero-width space of Unicode. */
const mayEnd = "\u200B";

/** No line begins with a full stop or a closing bracket, and none ends with an opening one. */
const mustNotEnd = /\u200B(?=(?![\p{Ps}\p{Pi}])\p{P})|(?<=[\p{Ps}\p{Pi}])\u200B/gu;

const markEnds = (word: string): string =>
  unspaced.test(word) ? wordsOf(word).join(mayEnd).replace(mustNotEnd, "") : word;

/** Part of a text at whose end a line may end. A space goes with the piece after it. */
interface Piece {
  readonly text: string;
  readonly ems: number;
  /** Width at the start of a line, which begins with no space. */
  readonly trimmedEms: number;
}

const measure = (text: string): Piece => {
  const ems = emsOf(text);
  return { text, ems, trimmedEms: text.startsWith(" ") ? ems - emsOf(" ") : ems };
};

const cutIntoPieces = (text: string): Piece[] =>
  text
    .split(" ")
    .map(markEnds)
    .join(" ")
    .split(/(?= )|\u200B/)
    .map(measure);

const breakLines = (pieces: readonly Piece[], maxEms: number): string[] => {
  const lines: string[] = [];
  let width = 0;
  for (const { text, ems, trimmedEms } of pieces) {
    width += ems;
    if (lines.length > 0 && width <= maxEms) lines.push(`${lines.pop()}${text}`);
    else {
      lines.push(text.trimStart());
      width = trimmedEms;
    }
  }
  return lines.map((line) => line.trimEnd());
};

/** Cuts a text to one line, with an ellipsis for its end where it has none already. */
export const shorten = (text: string, maxEms: number, isCut = emsOf(text) > maxEms): string => {
  if (!isCut) return text;
  let [start, width] = ["", 1];
  for (const segment of graphemesOf(text)) {
    width += emsOf(segment);
    if (width > maxEms && start !== "") break;
    start += segment;
  }
  return `${start.replace(/[\s.,:;]+$/, "")}…`;
};

/**
 * Breaks a text into the lines of a box, in the largest font size that has room for all of it
 * without cutting a word. Where none has, words are cut, and in the smallest size the end, too.
 */
export const fitLines = (
  text: string,
  width: number,
  height: number,
  fontSizes: readonly number[],
): Lines => {
  const pieces = cutIntoPieces(text);
  const rowsAt = (fontSize: number) => Math.max(1, Math.floor(height / (fontSize * lineHeight)));
  let fitted: Lines = { lines: [], fontSize: 1 };
  for (const mayCut of [false, true]) {
    for (const fontSize of fontSizes) {
      const ems = width / fontSize;
      const isTooWide = ({ trimmedEms }: Piece): boolean => trimmedEms > ems;
      if (!mayCut && pieces.some(isTooWide)) continue;
      const parts = pieces.flatMap((piece) =>
        isTooWide(piece) ? graphemesOf(piece.text).map(measure) : piece,
      );
      fitted = { lines: breakLines(parts, ems), fontSize };
      if (fitted.lines.length <= rowsAt(fontSize)) return fitted;
    }
  }
  const { lines, fontSize } = fitted;
  const last = rowsAt(fontSize) - 1;
  const end = shorten(lines[last] ?? "", width / fontSize, true);
  return { lines: [...lines.slice(0, last), end], fontSize };
};
