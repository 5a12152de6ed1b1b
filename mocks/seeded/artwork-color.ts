/** Red, green and blue, 0 to 255. */
type Rgb = readonly [number, number, number];

/** What a picture is painted with, as `#rrggbb`. */
export interface Palette {
  /** What the text stands on. */
  readonly base: string;
  /** Black or white: what can be read on `base`, by WCAG AA. */
  readonly ink: string;
  /** The scene's sky, and two colours for what is in it. */
  readonly scene: readonly [string, string, string];
}

/** The names that brands use; every other name is ignored, since its brightness is unknown. */
const named: ReadonlyMap<string, string> = new Map(
  Object.entries({
    aqua: "0ff",
    beige: "f5f5dc",
    black: "000",
    blue: "00f",
    brown: "a52a2a",
    coral: "ff7f50",
    crimson: "dc143c",
    cyan: "0ff",
    fuchsia: "f0f",
    gold: "ffd700",
    gray: "808080",
    green: "008000",
    grey: "808080",
    indigo: "4b0082",
    ivory: "fffff0",
    khaki: "f0e68c",
    lavender: "e6e6fa",
    lime: "0f0",
    magenta: "f0f",
    maroon: "800000",
    navy: "000080",
    olive: "808000",
    orange: "ffa500",
    orchid: "da70d6",
    pink: "ffc0cb",
    plum: "dda0dd",
    purple: "800080",
    red: "f00",
    salmon: "fa8072",
    silver: "c0c0c0",
    tan: "d2b48c",
    teal: "008080",
    tomato: "ff6347",
    turquoise: "40e0d0",
    violet: "ee82ee",
    white: "fff",
    yellow: "ff0",
  }),
);

const hexPattern = /^#?(?:([\da-f]{6})(?:[\da-f]{2})?|([\da-f]{3})[\da-f]?)$/;
const functionPattern =
  /^(rgb|hsl)a?\(\s*(\d{1,3}(?:\.\d{1,9})?)(%|deg)?[\s,]+(\d{1,3}(?:\.\d{1,9})?)(%?)[\s,]+(\d{1,3}(?:\.\d{1,9})?)(%?)\s*(?:[,/]\s*[\d.]{1,12}%?\s*)?\)$/;

const rgbOfHex = (digits: string): Rgb => {
  const wide = digits.length < 6 ? digits.replace(/./g, "$&$&") : digits;
  const value = Number.parseInt(wide, 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
};

/** @see CSS Color 4, section 7.1 "Converting HSL colors to sRGB" */
const rgbOfHsl = (hue: number, saturation: number, lightness: number): Rgb => {
  const reach = saturation * Math.min(lightness, 1 - lightness);
  const channel = (offset: number): number => {
    const place = (offset + hue / 30) % 12;
    return 255 * (lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1)));
  };
  return [channel(0), channel(8), channel(4)];
};

const hexOf = (rgb: Rgb): string =>
  `#${rgb.map((part) => Math.round(Math.min(part, 255)).toString(16).padStart(2, "0")).join("")}`;

/**
 * A CSS colour as `#rrggbb`, without its transparency; `undefined` for what is none. Only what
 * is made here goes into a picture, never the text that was given.
 */
export const readColor = (text: string): string | undefined => {
  if (text.length > 64) return undefined;
  const word = text.trim().toLowerCase();
  const digits = named.get(word) ?? (word.startsWith("#") ? word : "");
  const hex = hexPattern.exec(digits);
  if (hex !== null) return hexOf(rgbOfHex(hex[1] ?? hex[2] ?? ""));

  const parts = functionPattern.exec(word);
  if (parts === null) return undefined;
  const [, kind, first, firstUnit, second, secondUnit, third, thirdUnit] = parts;
  const [a, b, c] = [Number(first), Number(second), Number(third)];
  if (kind === "hsl") {
    return hexOf(rgbOfHsl(a % 360, Math.min(b, 100) / 100, Math.min(c, 100) / 100));
  }
  if (firstUnit === "deg") return undefined;
  const scale = (value: number, unit: string | undefined) =>
    unit === "%" ? (value * 255) / 100 : value;
  return hexOf([scale(a, firstUnit), scale(b, secondUnit), scale(c, thirdUnit)]);
};

/** @see WCAG 2.2, "relative luminance" */
const luminanceOf = (color: string): number => {
  const [red, green, blue] = rgbOfHex(color.slice(1)).map((part) =>
    part <= 10 ? part / 3294.6 : ((part / 255 + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

/** From 1 to 21; WCAG AA asks for 4.5. */
export const contrastOf = (one: string, other: string): number => {
  const [dark, light] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b) as [
    number,
    number,
  ];
  return (light + 0.05) / (dark + 0.05);
};

/** Where white has less than 4.5, black has more than 4.6. */
const inkOn = (base: string): string => (contrastOf(base, "#ffffff") >= 4.5 ? "#fff" : "#000");

const mix = (one: string, other: string, share: number): string => {
  const [from, to] = [rgbOfHex(one.slice(1)), rgbOfHex(other.slice(1))];
  const part = (index: 0 | 1 | 2) => from[index] + (to[index] - from[index]) * share;
  return hexOf([part(0), part(1), part(2)]);
};

/** Base, sky, and two more. */
const palettes = [
  "1d2b53 ffd166 ef476f 06d6a0",
  "fff7ec e4572e 29335c f3a712",
  "0b3954 bfd7ea ff6663 e0ff4f",
  "f4f1de 3d405b e07a5f 81b29a",
  "2d1e2f f15946 f9c22e 53b3cb",
  "eef5ff 3a86ff ffbe0b fb5607",
  "13293d 2a9d8f e9c46a f4a261",
  "fdf0f3 7048e8 d6336c ffd43b",
  "10002b 9d4edd ff9e00 e0aaff",
  "edf6f9 006d77 ffddd2 e29578",
  "073b3a 6bbf59 0b6e4f ffe66d",
  "fffcf2 252422 eb5e28 ccc5b9",
];

/** The brand's colours, in another part each time: as they are, on a pale ground, on a dark one. */
const paletteOfBrand = (colors: readonly string[], turn: number): readonly string[] => {
  const own = (index: number): string => colors[(turn + index) % colors.length] ?? "#000000";
  const [main, second, third] = [own(0), own(1), own(2)];
  const others = [
    colors.length > 2 ? third : mix(main, "#ffffff", 0.6),
    mix(second, "#000000", 0.45),
  ];
  if (turn % 3 === 1) return [mix(main, "#ffffff", 0.92), main, second, ...others];
  if (turn % 3 === 2) return [mix(main, "#000000", 0.8), main, second, ...others];
  return [main, second, ...others];
};

/** Three colours for a scene on `base`: no two alike, with shades of it where there are too few. */
const paint = (base: string, rest: readonly string[]): Palette => {
  const shades = [mix(base, "#888888", 0.35), mix(base, "#888888", 0.7), mix(base, "#000000", 0.6)];
  const colors = new Set([...rest, ...shades, "#c9c9c9", "#5f5f5f", "#8f8f8f"]);
  colors.delete(base);
  const [sky = base, first = base, second = base] = colors;
  return { base, ink: inkOn(base), scene: [sky, first, second] };
};

/** What to paint with; a number that differs by one gives another palette. */
export const paletteOf = (colors: readonly string[], turn: number): Palette => {
  const safe = [...new Set(colors.map(readColor))].filter((color) => color !== undefined);
  const [base = "#000000", ...rest] =
    safe.length > 0
      ? paletteOfBrand(safe.slice(0, 5), turn)
      : (palettes[turn % palettes.length] ?? "").split(" ").map((color) => `#${color}`);
  return paint(base, rest);
};
