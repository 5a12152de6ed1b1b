/** A brand or a saved ad as the page shows it: their fields are anybody's. */
export interface Thing {
  readonly id: string;
  readonly name: string;
  /** What looks like a colour, anywhere in it. */
  readonly colors: readonly string[];
  /** Of a saved ad. */
  readonly brandId?: string;
  /** A picture of this server. */
  readonly picture?: string;
  /** All of it, as shortened JSON. */
  readonly text: string;
}

const longest = { name: 120, text: 1500 };
const mostColors = 8;
const deepest = 5;

const color = /^(#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|(rgb|hsl|oklch)a?\([\d\s.,%/deg]{5,40}\))$/i;
const nameFields = ["name", "title", "headline"];

/** The strings in a JSON value; not all of them when it is large or deep. */
const stringsIn = (value: unknown, depth = 0): string[] => {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > deepest) return [];
  return Object.values(value)
    .slice(0, 50)
    .flatMap((part) => stringsIn(part, depth + 1));
};

const artworkOf = (text: string): string | undefined => {
  const path = URL.canParse(text) ? new URL(text).pathname : text;
  return /^\/__mock\/artwork\/[\w%.-]+\/\d+\.svg$/.test(path) ? path : undefined;
};

export const showThing = (thing: {
  readonly id: string;
  readonly [field: string]: unknown;
}): Thing => {
  const strings = stringsIn(thing).filter((text) => text.length < 300);
  const name = nameFields.map((field) => thing[field]).find((value) => typeof value === "string");
  const picture = strings.map(artworkOf).find((path) => path !== undefined);
  const text = JSON.stringify(thing, undefined, 1);
  return {
    id: thing.id,
    name: String(name ?? thing.id).slice(0, longest.name),
    colors: [...new Set(strings.filter((string) => color.test(string)))].slice(0, mostColors),
    ...(typeof thing["brand_id"] === "string" && { brandId: thing["brand_id"] }),
    ...(picture !== undefined && { picture }),
    text: text.length > longest.text ? `${text.slice(0, longest.text)}…` : text,
  };
};
