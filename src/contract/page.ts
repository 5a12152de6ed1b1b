/** One list answer. */
export interface Page<Item> {
  /** The listed things, in the service's order. */
  items: Item[];
  /** Whatever else came beside them (cursors, totals), as received. */
  meta: Record<string, unknown>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/**
 * Brings the shapes a list may have into the expected one, `{ [field]: [...] }`:
 * a bare array, or an object with exactly one array under another name.
 *
 * @assumed A4
 */
export const normalizeList = (data: unknown, field: string): unknown => {
  if (Array.isArray(data)) return { [field]: data };
  if (!isRecord(data) || Array.isArray(data[field])) return data;
  const arrays = Object.keys(data).filter((key) => Array.isArray(data[key]));
  const [found] = arrays;
  if (found === undefined || arrays.length > 1) return data;
  const { [found]: items, ...meta } = data;
  return { ...meta, [field]: items };
};
