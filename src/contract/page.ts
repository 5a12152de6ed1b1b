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
  const lists = Object.entries(data ?? {}).filter(([, value]) => Array.isArray(value));
  const only = lists.length === 1 ? lists[0] : undefined;
  const found = lists.find(([name]) => name === field) ?? only;
  if (!found) return undefined;
  const { [found[0]]: items, ...meta } = data as Record<string, unknown>;
  return { items: items as unknown[], meta };
};
