import type { Brand } from "../../src/contract/brands.ts";
import type { JobRecord } from "../domain/job-timeline.ts";

const maxNameLength = 60;
const maxColors = 4;
const maxColorLength = 40;

/** The fields that people keep colours in; the document names none. */
const colorFields = ["colors", "primary_color", "secondary_color", "accent_color", "color"];

/** What pictures show of a brand, short enough to be kept with each job. */
export const brandLook = (brand: Brand): NonNullable<JobRecord["brand"]> => {
  const name = typeof brand["name"] === "string" ? brand["name"].slice(0, maxNameLength) : "";
  const colors = colorFields
    .flatMap((field) => brand[field])
    .filter((color) => typeof color === "string" && color.length <= maxColorLength) as string[];
  return { name, colors: colors.slice(0, maxColors) };
};
