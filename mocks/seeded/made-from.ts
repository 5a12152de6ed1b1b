import type { Action } from "../../src/contract/actions.ts";
import { cutText } from "./cut-text.ts";

/** Name and colours of a brand that pictures show, short enough to be kept with each job. */
export interface BrandLook {
  readonly name: string;
  readonly colors: readonly string[];
}

/** Fields that people keep colours in; the API's document names none. */
const colorFields = ["colors", "primary_color", "secondary_color", "accent_color", "color"];

/** Reads the look of a brand from its fields. */
export const brandLook = (brand: Readonly<Record<string, unknown>>): BrandLook => {
  const { name } = brand;
  const isShortText = (value: unknown): value is string =>
    typeof value === "string" && value.length <= 40;
  return {
    name: typeof name === "string" ? cutText(name, 60, 60) : "",
    colors: colorFields
      .flatMap((field) => brand[field])
      .filter(isShortText)
      .slice(0, 4),
  };
};

/** Facts of a job that its result is made from. */
export interface MadeFrom {
  readonly id: string;
  readonly action: Action;
  readonly prompt: string;
  readonly variations: number;
  /** Seconds; videos only. */
  readonly duration: number | undefined;
  readonly brand?: BrandLook;
}
