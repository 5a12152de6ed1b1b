/** One list answer. */
export interface Page<Item> {
  /** The listed things, in the service's order. */
  items: Item[];
  /** Whatever else came beside them (cursors, totals), as received. */
  meta: Record<string, unknown>;
}

/** Names that say no more than "the list": an empty array under one of them is an empty list. */
const neutralNames = ["items", "data", "results"];

/**
 * Reads a list: `{ [field]: [...] }`, a bare array, or an object whose only array stands under
 * another name. `undefined` when the data is none of these.
 *
 * An empty array under a name of its own, as in `{ warnings: [] }`, proves no empty list. Taken
 * for one, it would tell a caller that no job exists, and to submit again.
 *
 * @assumed A4
 */
export const readPage = (data: unknown, field: string): Page<unknown> | undefined => {
  if (Array.isArray(data)) return { items: data, meta: {} };
  if (typeof data !== "object" || data === null) return undefined;
  const answer = data as Record<string, unknown>;
  const name = Array.isArray(answer[field]) ? field : nameOfOnlyList(answer);
  if (name === undefined) return undefined;
  const { [name]: items, ...meta } = answer;
  return { items: items as unknown[], meta };
};

const nameOfOnlyList = (answer: Record<string, unknown>): string | undefined => {
  const [name, ...others] = Object.keys(answer).filter((key) => Array.isArray(answer[key]));
  if (name === undefined || others.length > 0) return undefined;
  const isEmpty = (answer[name] as unknown[]).length === 0;
  return isEmpty && !neutralNames.includes(name) ? undefined : name;
};
