import type { Brand } from "../../src/contract/brands.ts";

/** The parts of a brand that pictures show. */
export interface BrandLook {
  readonly name: string;
  readonly colors: readonly string[];
}

const maxNameLength = 60;
const maxColors = 4;
const maxColorLength = 40;

/** The fields that people keep colours in; the document names none. */
const colorFields = ["colors", "primary_color", "secondary_color", "accent_color", "color"];

/** What pictures show of a brand, short enough to be kept with each job. */
export const brandLook = (brand: Brand): BrandLook => {
  const name = typeof brand["name"] === "string" ? brand["name"].slice(0, maxNameLength) : "";
  const colors = colorFields
    .flatMap((field) => brand[field])
    .filter((color) => typeof color === "string" && color.length <= maxColorLength) as string[];
  return { name, colors: colors.slice(0, maxColors) };
};
