import { createRedact } from "../../src/errors/text.ts";

/**
 * Hides keys in a text: a service may repeat one, and a report may be passed on. A key is named by
 * its place among the keys, so that accounts can still be told apart.
 */
export const hideKeys = (text: string, keys: ReadonlySet<string>): string =>
  createRedact(keys, (place) => `***${place || ""}`)(text);
