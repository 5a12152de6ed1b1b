import { picturePath } from "../../../../http/picture-url.ts";
import { fieldsOf, pathOf } from "../jobs/made.ts";
import { writeJson } from "../markup.ts";

const mostColors = 8;
const drawn = new RegExp(`^(${picturePath}/[\\w%.-]+/\\d+)\\.(?:svg|png|mp4)$`);
const color = /^(#([\da-f]{3,4}|[\da-f]{6}|[\da-f]{8})|(rgb|hsl|oklch)a?\([\d\s.,%/deg]{5,40}\))$/i;

/** Lists the texts in a JSON value; a large or deep value is not read to its end. */
const textsIn = (value: unknown, depth = 0): string[] => {
  if (typeof value === "string") return value.length < 300 ? [value] : [];
  if (typeof value !== "object" || value === null || depth > 5) return [];
  return Object.values(value)
    .slice(0, 50)
    .flatMap((part) => textsIn(part, depth + 1));
};

/**
 * Shows a brand or a saved ad. Clients choose the fields of both freely. The colors are all CSS
 * colors in its texts. The picture is one that this server draws.
 */
export const showThing = (thing: { readonly id: string } & object) => {
  const { name, title, headline, brand_id: brandId } = fieldsOf(thing);
  const texts = textsIn(thing);
  const [, picture] = texts.map((text) => drawn.exec(pathOf(text))).find(Boolean) ?? [];
  const label = [name, title, headline].find((value) => typeof value === "string");
  return {
    id: thing.id,
    name: String(label ?? thing.id).slice(0, 120),
    colors: [...new Set(texts.filter((text) => color.test(text)))].slice(0, mostColors),
    ...(typeof brandId === "string" && { brandId }),
    ...(picture !== undefined && { picture: `${picture}.svg` }),
    text: writeJson(thing, 1500),
  };
};
