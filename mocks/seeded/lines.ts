/** Text as lines of a picture. SVG breaks no lines, and a `<foreignObject>` would taint a canvas. */
export interface Lines {
  readonly lines: readonly string[];
  readonly fontSize: number;
}

export const lineHeight = 1.14;

/** Letters that people write without spaces, and emoji. A line may end before each word of them. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Extended_Pictographic}\p{RI}]/u;
const closing = /^(?![\p{Ps}\p{Pi}])\p{P}/u;
const opening = /[\p{Ps}\p{Pi}]$/u;

/** Makes a segmenter with the first text that needs it, because the first one costs 10 ms or more. */
const createSegmenter = (granularity: "word" | "grapheme") => {
  let segmenter: Intl.Segmenter | undefined;
  return (text: string): Intl.Segments => {
    segmenter ??= new Intl.Segmenter("en", { granularity });
    return segmenter.segment(text);
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

interface Piece {
  readonly text: string;
  readonly ems: number;
  readonly isSpaced: boolean;
}

/** Cuts a text where its lines may end. */
const cutIntoPieces = (text: string): Piece[] => {
  const pieces: Piece[] = [];
  const add = (part: string, isSpaced: boolean): void => {
    const last = pieces.at(-1);
    const isJoined = !isSpaced && (closing.test(part) || opening.test(last?.text ?? ""));
    if (last === undefined || !isJoined) pieces.push({ text: part, ems: emsOf(part), isSpaced });
    else
      pieces[pieces.length - 1] = { ...last, text: last.text + part, ems: last.ems + emsOf(part) };
  };
  for (const word of text.split(" ")) {
    if (!unspaced.test(word)) add(word, true);
    else for (const { segment, index } of wordsOf(word)) add(segment, index === 0);
  }
  return pieces;
};

/** Cuts a word that is wider than a line. */
const cutWord = (piece: Piece, maxEms: number): Piece[] =>
  piece.ems <= maxEms
    ? [piece]
    : [...graphemesOf(piece.text)].map(({ segment, index }) => ({
        text: segment,
        ems: emsOf(segment),
        isSpaced: index === 0 && piece.isSpaced,
      }));

const breakLines = (pieces: readonly Piece[], maxEms: number): string[] => {
  const lines: string[] = [];
  let width = 0;
  for (const { text, ems, isSpaced } of pieces) {
    const space = isSpaced ? " " : "";
    width += ems + emsOf(space);
    if (lines.length > 0 && width <= maxEms) lines.push(`${lines.pop()}${space}${text}`);
    else {
      lines.push(text);
      width = ems;
    }
  }
  return lines;
};

/** Cuts a text to one line, with an ellipsis for its end where it has none already. */
export const shorten = (text: string, maxEms: number, isCut = emsOf(text) > maxEms): string => {
  if (!isCut) return text;
  let [start, width] = ["", 1];
  for (const { segment } of graphemesOf(text)) {
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
  const words = cutIntoPieces(text);
  const rowsAt = (fontSize: number) => Math.max(1, Math.floor(height / (fontSize * lineHeight)));
  let fitted: Lines = { lines: [], fontSize: 1 };
  for (const mayCut of [false, true]) {
    for (const fontSize of fontSizes) {
      const ems = width / fontSize;
      if (!mayCut && words.some((word) => word.ems > ems)) continue;
      const lines = breakLines(
        words.flatMap((word) => cutWord(word, ems)),
        ems,
      );
      if (lines.length <= rowsAt(fontSize)) return { lines, fontSize };
      fitted = { lines, fontSize };
    }
  }
  const { lines, fontSize } = fitted;
  const last = rowsAt(fontSize) - 1;
  const end = shorten(lines[last] ?? "", width / fontSize, true);
  return { lines: [...lines.slice(0, last), end], fontSize };
};
