import { randomOf } from "./ids.ts";

/** A duration in milliseconds: fixed, or drawn evenly from `min` to `max`. */
export type Span = number | { readonly min: number; readonly max: number };

/** Draws milliseconds from a span. The same name always gives the same result. */
export const drawMs = (span: Span, name: string): number =>
  typeof span === "number" ? span : Math.round(span.min + randomOf(name) * (span.max - span.min));
