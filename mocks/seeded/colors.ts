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

const names = new Map(
  `aqua 00ffff, beige f5f5dc, black 000000, blue 0000ff, brown a52a2a, coral ff7f50, crimson dc143c,
cyan 00ffff, fuchsia ff00ff, gold ffd700, gray 808080, green 008000, grey 808080, indigo 4b0082,
ivory fffff0, khaki f0e68c, lavender e6e6fa, lime 00ff00, magenta ff00ff, maroon 800000, navy 000080,
olive 808000, orange ffa500, orchid da70d6, pink ffc0cb, plum dda0dd, purple 800080, red ff0000,
salmon fa8072, silver c0c0c0, tan d2b48c, teal 008080, tomato ff6347, turquoise 40e0d0,
violet ee82ee, white ffffff, yellow ffff00`
    .split(/,\s/)
    .map((entry): [string, Color] => [entry.slice(0, -7), `#${entry.slice(-6)}`]),
);

/** Red, green and blue, 0 to 255. */
export const partsOf = (color: Color): number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

const write = (parts: readonly number[]): Color =>
  `#${parts.map((part) => Math.round(Math.min(part, 255)).toString(16).padStart(2, "0")).join("")}`;

/** Lays a colour on a ground, which it covers by a share from 0 to 1. */
export const mix = (color: Color, ground: Color, cover: number): Color => {
  const below = partsOf(ground);
  return write(partsOf(color).map((part, at) => cover * part + (1 - cover) * (below[at] ?? 0)));
};

/** Reads a colour of CSS, in digits, by name or as "rgb(…)". Gives `undefined` for other texts. */
export const readColor = (text: string): Color | undefined => {
  const color = text.trim().toLowerCase();
  if (/^#(?:[\da-f]{6}|[\da-f]{8})$/.test(color)) return `#${color.slice(1, 7)}`;
  if (/^#[\da-f]{3,4}$/.test(color)) return `#${color.slice(1, 4).replace(/./g, "$&$&")}`;
  const [, ...parts] = /^rgba?\((\d+)[,\s]+(\d+)[,\s]+(\d+)[\d.,%/\s]*\)$/.exec(color) ?? [];
  return parts.length === 0 ? names.get(color) : write(parts.map(Number));
};

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
