import type { Endpoint } from "../../contract/endpoint.ts";
import { callRules } from "../options/call-options.ts";
import { requireId } from "../options/ids.ts";
import { createRule, objectRule, type Refuse, wholeNumberRule } from "../options/rules.ts";

/** The query of a list. The API's document shows no parameters, so any name is allowed. */
export interface ListQuery {
  /** Largest number of items, a whole number. @assumed A4 */
  limit?: number | undefined;
  /** An option of the call, not of the query. */
  timeoutMs?: never;
  /** An option of the call, not of the query. */
  totalTimeoutMs?: never;
  /** An option of the call, not of the query. */
  maxRetries?: never;
  /** A parameter that the API's document does not name; left out when `undefined`. */
  [parameter: string]: string | number | boolean | undefined;
}

/** Fills an id into a path as exactly one segment, so that no id can lead to another path. */
export const fillPath = ({ path, names }: Endpoint, id: unknown, refuse: Refuse): string =>
  names === undefined
    ? path
    : path.replace(":id", () => encodeURIComponent(requireId(names, id, refuse)));

const checkLimit = wholeNumberRule(0, Number.MAX_SAFE_INTEGER);

const queryValue = createRule(
  "text, a finite number or a boolean, as in list({ limit })",
  (value) => ["string", "boolean"].includes(typeof value) || Number.isFinite(value),
);

/** Writes a query with its question mark, or an empty text if it has no parameters. */
export const formatQuery = (query: unknown, refuse: Refuse): string => {
  if (query === undefined) return "";
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(objectRule(query, "query", refuse))) {
    const label = `query.${name}`;
    if (value === undefined) continue;
    if (Object.hasOwn(callRules(), name)) {
      refuse(`${label} is an option of the call, not of the query: pass it in the options`);
    }
    if (name === "limit") checkLimit(value, label, refuse);
    const text = String(queryValue(value, label, refuse));
    // URLSearchParams would replace it by another character.
    if (/\p{Surrogate}/u.test(text)) refuse(`${label} has half of a surrogate pair`);
    params.set(name, text);
  }
  const text = String(params); // Safari below 17 has no `size`
  return text && `?${text}`;
};
