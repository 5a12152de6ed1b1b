const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** Text that is safe in XML: no markup, and none of the characters XML cannot hold. */
export const escapeText = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, " ")
    .replace(/[&<>"']/g, (character) => entities[character] ?? character);

/** One line, and nothing in it that cannot be seen but turns the direction of what can. */
export const plainText = (text: string, maxLength: number): string =>
  text
    .slice(0, maxLength)
    .replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF\s]+/gu, " ")
    .replace(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, "")
    .trim();

/** What is drawn as one: a letter with its marks, a flag, a family of emoji. */
const clusterPattern = /\p{RI}\p{RI}|.(?:\p{M}|\p{EMod}|[\u{E0020}-\u{E007F}]|\u200D.)*/gsu;

const wideScript =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303F\uFF00-\uFFEF]/u;
/** What must not begin a line. */
const closing =
  /^[\u3001\u3002\uFF0C\uFF0E\uFF01\uFF1F\uFF1A\uFF1B\uFF09\u300D\u300F\u30FC!?.,:;)]/;

/** Whether lines of this text run from right to left: its first letter says so. */
export const isRightToLeft = (text: string): boolean =>
  /^[^\p{L}]*[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u.test(text);

/** Widths of Arial Bold, roughly, in thousandths of the font size. */
const widthOf = (cluster: string): number => {
  const code = cluster.charCodeAt(0);
  if (code < 128) {
    if (" !'(),-./:;I[]fijlt|\\`r".includes(cluster)) return 320;
    if ("mwMW@%".includes(cluster)) return 890;
    return code >= 65 && code <= 90 ? 720 : 590;
  }
  return code < 0x1100 ? 640 : 1000;
};

const clustersOf = (text: string): readonly string[] => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range of ASCII, fast
  if (/^[\u0000-\u007F]*$/.test(text)) return text.split("");
  return text.match(clusterPattern) ?? [];
};

const spaceWidth = 320;

/** How many times its font size a text is wide, roughly. */
export const emsOf = (text: string): number =>
  clustersOf(text).reduce((width, cluster) => width + widthOf(cluster), 0) / 1000;

interface Piece {
  readonly text: string;
  readonly width: number;
  /** Whether a space stands before it. */
  readonly spaced: boolean;
}

/** Words, and the single signs of scripts that set no spaces; none wider than that. */
const cutIntoPieces = (text: string, maxWidth: number): Piece[] => {
  const pieces: Piece[] = [];
  for (const word of text.split(" ")) {
    let piece = "";
    let width = 0;
    let spaced = true;
    const close = (): void => {
      if (piece === "") return;
      pieces.push({ text: piece, width, spaced });
      spaced = false;
      piece = "";
      width = 0;
    };
    for (const cluster of clustersOf(word)) {
      const wide = widthOf(cluster);
      const standsAlone = wide === 1000 && wideScript.test(cluster) && !closing.test(cluster);
      if (standsAlone || width + wide > maxWidth) close();
      piece += cluster;
      width += wide;
    }
    close();
  }
  return pieces;
};

const breakLines = (pieces: readonly Piece[], maxWidth: number): string[] => {
  const lines: string[] = [];
  let line = "";
  let width = 0;
  for (const piece of pieces) {
    const gap = piece.spaced && line !== "" ? spaceWidth : 0;
    if (line !== "" && width + gap + piece.width > maxWidth) {
      lines.push(line);
      line = piece.text;
      width = piece.width;
    } else {
      line += (gap > 0 ? " " : "") + piece.text;
      width += gap + piece.width;
    }
  }
  if (line !== "") lines.push(line);
  return lines;
};

/** The text with an ellipsis for its end, at most so many times its font size wide. */
const shorten = (text: string, ems: number): string => {
  const clusters = [...clustersOf(text)];
  let width = emsOf(text) + 1;
  while (clusters.length > 1 && width > ems) width -= widthOf(clusters.pop() ?? "") / 1000;
  return `${clusters.join("").replace(/[\s.,:;]+$/, "")}…`;
};

/** A text on one line, at most so many times its font size wide. */
export const fitLine = (text: string, ems: number): string =>
  emsOf(text) <= ems ? text : shorten(text, ems);

export const lineHeight = 1.12;

/**
 * The text in the largest of the sizes that lets all of it into the box without cutting a word;
 * in the smallest one words are cut, and then the text's end.
 */
export const fitText = (
  text: string,
  width: number,
  height: number,
  fontSizes: readonly number[],
): { readonly lines: readonly string[]; readonly fontSize: number } => {
  const whole = cutIntoPieces(text, Number.POSITIVE_INFINITY);
  const widest = Math.max(...whole.map((piece) => piece.width));
  const roomFor = (fontSize: number): number =>
    Math.max(1, Math.floor(height / (fontSize * lineHeight)));

  for (const fontSize of fontSizes) {
    const maxWidth = (width / fontSize) * 1000;
    if (widest > maxWidth) continue;
    const lines = breakLines(whole, maxWidth);
    if (lines.length <= roomFor(fontSize)) return { lines, fontSize };
  }
  const fontSize = fontSizes.at(-1) ?? 1;
  const maxWidth = (width / fontSize) * 1000;
  const lines = breakLines(cutIntoPieces(text, maxWidth), maxWidth);
  const room = roomFor(fontSize);
  if (lines.length <= room) return { lines, fontSize };
  const last = shorten(lines[room - 1] ?? "", width / fontSize);
  return { lines: [...lines.slice(0, room - 1), last], fontSize };
};
