/** Writes JSON, which has no `Infinity`, and says "Infinity" for it. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (inner === Number.POSITIVE_INFINITY ? "Infinity" : inner));

/** Reads what `toJson` has written. */
export const parseJson = (text: string): unknown =>
  JSON.parse(text, (_, inner) => (inner === "Infinity" ? Number.POSITIVE_INFINITY : inner));
