import { randomOf } from "./ids.ts";

/**
 * A duration in milliseconds: fixed, drawn evenly from `min` to `max`, or distributed as in real services.
 * There, most durations are near the median and a few are far longer (log-normal: 5 % exceed `p95`).
 */
export type Span =
  | number
  | { readonly min: number; readonly max: number }
  | { readonly median: number; readonly p95: number };

/** The 95th percentile of the standard normal distribution. */
const z95 = 1.6448536269514722;

/** Turns two uniformly distributed values into a normally distributed one (Box–Muller). */
const normal = (first: number, second: number): number =>
  Math.sqrt(-2 * Math.log(1 - first)) * Math.cos(2 * Math.PI * second);

/** Draws milliseconds from a span. The same name always gives the same result. */
export const drawMs = (span: Span, name: string): number => {
  if (typeof span === "number") return span;
  const first = randomOf(name);
  if ("min" in span) return Math.round(span.min + first * (span.max - span.min));
  if (span.median === 0) return 0;
  const spread = Math.log(span.p95 / span.median) / z95;
  return Math.round(span.median * Math.exp(spread * normal(first, randomOf(`${name}/2`))));
};
