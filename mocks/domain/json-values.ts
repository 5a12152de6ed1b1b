/** Maximum depth of JSON that the mock accepts. Copying deeper values could overflow the stack. */
export const maxDepth = 64;

export const isDeeperThan = (levels: number, value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

/** Parses JSON. Returns the text itself if it isn't JSON, or is too deep to be copied. */
export const readJson = (text: string): unknown => {
  if (text === "") return undefined;
  try {
    const value = JSON.parse(text);
    return isDeeperThan(maxDepth, value) ? text : value;
  } catch {
    return text;
  }
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/**
 * Returns whether a value has all fields of `expected`, at any depth. It may have more fields, but its
 * lists must have the same length.
 */
export const hasFields = (value: unknown, expected: unknown): boolean => {
  if (!isObject(expected)) return Object.is(value, expected);
  if (!isObject(value) || Array.isArray(value) !== Array.isArray(expected)) return false;
  if (Array.isArray(expected) && value["length"] !== expected.length) return false;
  return Object.entries(expected).every(([name, field]) => hasFields(value[name], field));
};
