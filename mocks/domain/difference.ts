const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** A place where a value is not as expected, and what stands there. */
export interface Difference {
  readonly path: readonly string[];
  readonly actual: unknown;
  readonly expected: unknown;
}

/**
 * Finds the first place where `actual` has not what `expected` names, at any depth; lists must be
 * of equal length. `undefined` when it has everything.
 */
export const findDifference = (actual: unknown, expected: unknown): Difference | undefined => {
  if (!isObject(expected)) {
    return Object.is(actual, expected) ? undefined : { path: [], actual, expected };
  }
  const isLike =
    isObject(actual) &&
    Array.isArray(actual) === Array.isArray(expected) &&
    (!Array.isArray(expected) || actual["length"] === expected.length);
  if (!isLike) return { path: [], actual, expected };
  for (const [name, value] of Object.entries(expected)) {
    const inner = findDifference(actual[name], value);
    if (inner !== undefined) return { ...inner, path: [name, ...inner.path] };
  }
  return undefined;
};
