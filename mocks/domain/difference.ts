const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** A place in a value that differs from what was expected. */
export interface Difference {
  readonly path: readonly string[];
  readonly actual: unknown;
  readonly expected: unknown;
}

/**
 * Lists the places where `actual` differs from `expected`, at any depth. Fields that only `actual` has
 * don't count, but lists must have the same length.
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
