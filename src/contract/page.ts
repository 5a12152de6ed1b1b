/** One list answer. */
export interface Page<Item> {
  /** The listed things, in the service's order. */
  items: Item[];
  /** Whatever else came beside them (cursors, totals), as received. */
  meta: Record<string, unknown>;
}

/**
 * Reads a list: `{ [field]: [...] }`, a bare array, or an object with exactly one array under
 * another name; `undefined` when it is none of these.
 *
 * @assumed A4
 */
export const readPage = (data: unknown, field: string): Page<unknown> | undefined => {
  if (Array.isArray(data)) return { items: data, meta: {} };
  const answer = (data ?? {}) as Record<string, unknown>;
  const lists = Object.keys(answer).filter((name) => Array.isArray(answer[name]));
  const [only = field] = lists;
  const { [lists.length > 1 ? field : only]: items, ...meta } = answer;
  return Array.isArray(items) ? { items, meta } : undefined;
};
