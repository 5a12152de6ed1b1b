const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** A place where a value is not as expected, and what stands there. */
export interface Difference {
  readonly path: readonly string[];
  readonly actual: unknown;
  readonly expected: unknown;
}

/**
 * Finds the places where `actual` has not what `expected` names, at any depth; lists must be of
 * equal length. Empty when it has everything.
 */
export const findDifferences = (actual: unknown, expected: unknown): readonly Difference[] => {
  const whole = [{ path: [], actual, expected }];
  if (!isObject(expected)) return Object.is(actual, expected) ? [] : whole;
  const isLike =
    isObject(actual) &&
    Array.isArray(actual) === Array.isArray(expected) &&
    (!Array.isArray(expected) || actual["length"] === expected.length);
  if (!isLike) return whole;
  return Object.entries(expected).flatMap(([name, value]) =>
    findDifferences(actual[name], value).map(({ path, ...rest }) => ({
      path: [name, ...path],
      ...rest,
    })),
  );
};
