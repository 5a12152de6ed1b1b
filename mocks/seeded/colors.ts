import { namedColors } from "./bitmap/rgb.ts";

/** Colours of one picture. */
export interface Palette {
  /** Ground of the text, white, black or near to one of them. */
  readonly base: string;
  /** Colour of the text, readable on `base` by WCAG AA. */
  readonly ink: string;
  /** Sky of the scene, and two colours for the shapes in it. */
  readonly scene: readonly [string, string, string];
}

const part = "\\d{1,3}(?:\\.\\d{1,9})?";
const alpha = "(?:[,/]\\s?[\\d.]{1,12}%?\\s?)?";

/** CSS colours that pass on into a picture. Nothing that matches can end an attribute. */
const cssColor = new RegExp(
  `^(?:${Object.keys(namedColors).join("|")}|#(?:[\\da-f]{3,4}|[\\da-f]{6}|[\\da-f]{8})|(?:rgba?\\(\\s?${part}%?|hsla?\\(\\s?${part}(?:deg)?)(?:[\\s,]{1,3}${part}%?){2}\\s?${alpha}\\))$`,
  "i",
);

/** Tells whether a picture may be painted with this text. */
export const isColor = (text: string): boolean => text.length <= 64 && cssColor.test(text);

/** Palettes of ads without a brand: base, sky and two more. Pale and dark bases take turns. */
const palettes = [
  "fff7ec e4572e 29335c f3a712",
  "1d2b53 ffd166 ef476f 06d6a0",
  "f4f1de 3d405b e07a5f 81b29a",
  "0b3954 bfd7ea ff6663 e0ff4f",
  "eef5ff 3a86ff ffbe0b fb5607",
  "2d1e2f f15946 f9c22e 53b3cb",
  "fdf0f3 7048e8 d6336c ffd43b",
  "13293d 2a9d8f e9c46a f4a261",
  "edf6f9 006d77 ffddd2 e29578",
  "10002b 9d4edd ff9e00 e0aaff",
  "fffcf2 252422 eb5e28 ccc5b9",
  "073b3a 6bbf59 0b6e4f ffe66d",
].map((row) => row.split(" ").map((color) => `#${color}`));

/**
 * Chooses the colours of a picture: the brand's own ones where it has any, each time in other
 * parts of the scene. A number that differs by one gives another palette.
 */
export const paletteOf = (colors: readonly string[], turn: number): Palette => {
  const [base = "#ffffff", ...own] = palettes[turn % palettes.length] ?? [];
  const known = colors.map((color) => color.trim().toLowerCase()).filter(isColor);
  const first = turn % Math.max(known.length, 1);
  // Three colours, no two alike: neutral ones complete those of the brand.
  const brandColors = [
    ...known.slice(first),
    ...known.slice(0, first),
    "#e9e4d8",
    "#2b2f38",
    "#9aa3b2",
  ];
  const [sky = base, one = base, two = base] = new Set(known.length > 0 ? brandColors : own);
  const isPale = turn % 2 === 0;
  return {
    base: known.length === 0 ? base : isPale ? "#fbfaf7" : "#15171c",
    ink: isPale ? "#111111" : "#ffffff",
    scene: [sky, one, two],
  };
};
