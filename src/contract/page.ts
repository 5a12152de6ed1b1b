/** The response to a list call. */
export interface Page<Item> {
  /** The listed items, in the service's order. */
  items: Item[];
  /** Other fields of the response, such as cursors and totals, as received. */
  meta: Record<string, unknown>;
}

/** Common names for a list. An empty array under one of these names is an empty list. */
const neutralNames = ["items", "data", "results"];

/**
 * Reads a list: `{ [field]: [...] }`, a bare array, or an object with a single array under another
 * name. Returns `undefined` for any other data.
 *
 * An empty array under an unknown name, as in `{ warnings: [] }`, doesn't prove that the list is
 * empty. A caller who believes that no job exists submits again, and pays twice.
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
