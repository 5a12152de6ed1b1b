/** Writes JSON, with the string "Infinity" for `Infinity`, which JSON doesn't have. */
export const writeJson = (value: unknown): string =>
  JSON.stringify(value, (_, inner) => (inner === Number.POSITIVE_INFINITY ? "Infinity" : inner));

/** Parses what `writeJson` has written. */
export const parseJson = (text: string): unknown =>
  JSON.parse(text, (_, inner) => (inner === "Infinity" ? Number.POSITIVE_INFINITY : inner));
