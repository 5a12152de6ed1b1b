/** A name as it sounds, without underscores and capitals: `brandId` is `brand_id`. */
export const plain = (name: string): string => name.replaceAll("_", "").toLowerCase();

/** Whether a name becomes another by one letter too many, missing, wrong, or swapped. */
export const isNear = (given: string, meant: string): boolean => {
  const [misspelt, name] = [plain(given), plain(meant)];
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
