/** Red, green and blue, 0 to 255, and how much of them covers the ground, 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, cover: number];

/** Colours of CSS that pictures may be painted with by name. */
export const namedColors: Readonly<Record<string, string>> = {
  aqua: "00ffff",
  beige: "f5f5dc",
  black: "000000",
  blue: "0000ff",
  brown: "a52a2a",
  coral: "ff7f50",
  crimson: "dc143c",
  cyan: "00ffff",
  fuchsia: "ff00ff",
  gold: "ffd700",
  gray: "808080",
  green: "008000",
  grey: "808080",
  indigo: "4b0082",
  ivory: "fffff0",
  khaki: "f0e68c",
  lavender: "e6e6fa",
  lime: "00ff00",
  magenta: "ff00ff",
  maroon: "800000",
  navy: "000080",
  olive: "808000",
  orange: "ffa500",
  orchid: "da70d6",
  pink: "ffc0cb",
  plum: "dda0dd",
  purple: "800080",
  red: "ff0000",
  salmon: "fa8072",
  silver: "c0c0c0",
  tan: "d2b48c",
  teal: "008080",
  tomato: "ff6347",
  turquoise: "40e0d0",
  violet: "ee82ee",
  white: "ffffff",
  yellow: "ffff00",
};

const readHex = (digits: string): Rgba => {
  const long = digits.length < 6 ? digits.replace(/./g, "$&$&") : digits;
  const [red = 0, green = 0, blue = 0, cover = 255] = (long.match(/../g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  );
  return [red, green, blue, cover / 255];
};

/** Converts a hue in degrees, and two shares from 0 to 1. */
const fromHsl = (hue: number, saturation: number, lightness: number): number[] =>
  [0, 8, 4].map((offset) => {
    const turn = (offset + hue / 30) % 12;
    const swing = saturation * Math.min(lightness, 1 - lightness);
    return 255 * (lightness - swing * Math.max(-1, Math.min(turn - 3, 9 - turn, 1)));
  });

/** Reads a CSS colour of those that a picture may be painted with; see `isColor`. */
export const readColor = (color: string): Rgba => {
  const name = color.toLowerCase();
  const hex = name.startsWith("#") ? name.slice(1) : namedColors[name];
  if (hex !== undefined) return readHex(hex);
  const texts = name.match(/[\d.]+%?/g) ?? [];
  const numbers = texts.map((text) => Number.parseFloat(text));
  const [first = 0, second = 0, third = 0, fourth = 1] = numbers;
  const share = (value: number, text = ""): number => (text.endsWith("%") ? value / 100 : value);
  const parts = name.startsWith("hsl")
    ? fromHsl(first, Math.min(second / 100, 1), Math.min(third / 100, 1))
    : [first, second, third].map((part, index) =>
        texts[index]?.endsWith("%") ? (part * 255) / 100 : part,
      );
  const [red = 0, green = 0, blue = 0] = parts.map((part) =>
    Math.round(Math.min(Math.max(part, 0), 255)),
  );
  return [red, green, blue, Math.min(share(fourth, texts[3]), 1)];
};
