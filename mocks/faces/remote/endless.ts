/** Fields whose numbers JSON may not have. For one without an end it says `null`, or "Infinity". */
const endless = ["times", "remaining", "takesMs", "limit", "until", "ms", "time"];

/** Writes such numbers for `JSON.stringify`, which would write `null` for `NaN`, too. */
export const writeEndless = (name: string, value: unknown): unknown =>
  typeof value === "number" && !Number.isFinite(value) && endless.includes(name)
    ? String(value)
    : value;

const readNumber = (value: unknown): unknown => {
  if (value === null) return Number.POSITIVE_INFINITY;
  return typeof value === "string" && /^(NaN|-?Infinity)$/.test(value) ? Number(value) : value;
};

/** Reads such numbers among the fields of an object, and not below: there may be a user's own data. */
export const readEndless = (thing: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(thing).map(([name, value]) => [
      name,
      endless.includes(name) ? readNumber(value) : value,
    ]),
  );
