/** A colour as six digits: "#ff7f50". */
export type Color = `#${string}`;

/** Colours of one picture. */
export interface Palette {
  /** Ground of the text, white, black or near to one of them. */
  readonly base: Color;
  /** Colour of the text, readable on `base` by WCAG AA. */
  readonly ink: Color;
  /** Sky of the scene, and two colours for the shapes in it. */
  readonly scene: readonly [Color, Color, Color];
}

/** Red, green and blue, 0 to 255. */
export const partsOf = (color: Color): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** Reads a colour in three or six digits, such as "#f80". Gives `undefined` for other texts. */
export const readColor = (text: string): Color | undefined => {
  const [, digits = ""] = /^#([\da-f]{6}|[\da-f]{3})$/.exec(text.trim().toLowerCase()) ?? [];
  if (digits === "") return undefined;
  return `#${digits.length === 3 ? digits.replace(/./g, "$&$&") : digits}`;
};

/** Palettes of ads without a brand: base, sky and two more. Pale and dark bases take turns. */
const palettes = [
  "fff7ec e4572e 29335c f3a712",
  "1d2b53 ffd166 ef476f 06d6a0",
  "f4f1de 3d405b e07a5f 81b29a",
  "0b3954 bfd7ea ff6663 e0ff4f",
  "fdf0f3 7048e8 d6336c ffd43b",
  "13293d 2a9d8f e9c46a f4a261",
  "edf6f9 006d77 ffddd2 e29578",
  "10002b 9d4edd ff9e00 e0aaff",
].map((row) => row.split(" ").map((color): Color => `#${color}`));

/** Neutral colours, which complete those of a brand. */
const neutral: readonly Color[] = ["#e9e4d8", "#2b2f38", "#9aa3b2"];

/**
 * Chooses the colours of a picture: the brand's own ones where it has any, each time in other
 * parts of the scene. A number that differs by one gives another palette.
 */
export const paletteOf = (colors: readonly string[], turn: number): Palette => {
  const [base = "#ffffff", ...own] = palettes[turn % palettes.length] ?? [];
  const known = colors.map(readColor).filter((color) => color !== undefined);
  const first = turn % Math.max(known.length, 1);
  const brandColors = [...known.slice(first), ...known.slice(0, first), ...neutral];
  // Three colours, no two alike.
  const [sky = base, one = base, two = base] = new Set(known.length > 0 ? brandColors : own);
  const isPale = turn % 2 === 0;
  return {
    base: known.length === 0 ? base : isPale ? "#fbfaf7" : "#15171c",
    ink: isPale ? "#111111" : "#ffffff",
    scene: [sky, one, two],
  };
};
