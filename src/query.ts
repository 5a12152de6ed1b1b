import type { CallOptions } from "./call-options.ts";
import { refuseArgument } from "./refuse.ts";

/** The query of a list; the API's document shows none, so any name is let through. */
export interface ListQuery {
  /** How many items at most. @assumed A4 */
  limit?: number | undefined;
  /** A parameter the API's document does not name; sent as given, left out when `undefined`. */
  [parameter: string]: string | number | boolean | undefined;
}

/** The last argument of lists that take nothing else. */
export interface ListOptions extends CallOptions {
  /** Narrows the list. */
  query?: ListQuery | undefined;
}

/** The query as text, with its question mark; empty when there is nothing to say. */
export const formatQuery = (query: ListQuery = {}): string => {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (!/^(str|num|boo)/.test(typeof value) || Number.isNaN(value)) {
      refuseArgument(`query.${name} cannot be sent`);
    }
    params.set(name, `${value}`);
  }
  const text = `${params}`;
  return text && `?${text}`;
};
