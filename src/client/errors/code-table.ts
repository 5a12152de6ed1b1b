import type { ErrorCode } from "./error-fields.ts";

/* What the failure of one request says about the next, by its code: read as `codesThat.pass`. */

type Codes = readonly unknown[];

/** Nothing of the service itself has answered. */
export const areOutages: Codes = ["connection", "timeout", "server_error"] satisfies ErrorCode[];

/** The same request may succeed later: a read is retried. */
export const pass: Codes = [...areOutages, "rate_limited" satisfies ErrorCode];

/** Every request of the account meets them: a wait ends, a batch stops. */
export const meetAll: Codes = ["unauthorized", "payment_required"] satisfies ErrorCode[];

/** The same request cannot succeed: a fleet does not try it again. */
export const areFinal: Codes = [
  "bad_request",
  "not_found",
  "invalid_request",
] satisfies ErrorCode[];

/** They speak to a page, not to its proxy: 401 is about the proxy's key. */
export const areForPages: Codes = [
  "bad_request",
  "payment_required",
  "not_found",
  "rate_limited",
] satisfies ErrorCode[];

/** They were decided on this side, from the request or its record: the service has said nothing. */
export const areDecidedHere: Codes = [
  "invalid_request",
  "in_doubt",
  "under_way",
] satisfies ErrorCode[];
