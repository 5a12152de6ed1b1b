/** Ignores underscores, hyphens and capitals, so that `brandId` is near `brand_id`. */
const withoutSeparators = (name: string): string => name.replaceAll(/[_-]/g, "").toLowerCase();

/** Returns whether two names differ by one letter: added, missing, wrong or swapped with the next. */
const isNear = (given: string, meant: string): boolean => {
  const [misspelt, name] = [withoutSeparators(given), withoutSeparators(meant)];
  let start = 0;
  while (start < name.length && misspelt[start] === name[start]) start += 1;
  const [left, right] = [misspelt.slice(start), name.slice(start)];
  return (
    left.slice(1) === right ||
    left === right.slice(1) ||
    left.slice(1) === right.slice(1) ||
    (left.slice(2) === right.slice(2) && left[0] === right[1] && left[1] === right[0])
  );
};

/** Finds the name that a misspelt one may mean; `undefined` if no name is near. */
export const findNear = (given: string, names: readonly string[]): string | undefined =>
  names.find((name) => isNear(given, name));
