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
