import type { ErrorCode } from "./error-fields.ts";

/* Error codes, grouped by what a failed request says about the next one. */

type Codes = readonly unknown[];

/** Nothing of the service itself has answered. */
export const outageCodes: Codes = ["connection", "timeout", "server_error"] satisfies ErrorCode[];

/** The same request may succeed later: a read is retried. */
export const retryableCodes: Codes = [...outageCodes, "rate_limited" satisfies ErrorCode];

/** Every request of the account meets them: a wait ends, a batch stops. */
export const accountWideCodes: Codes = ["unauthorized", "payment_required"] satisfies ErrorCode[];

/** The same request cannot succeed: a fleet does not try it again. */
export const finalCodes: Codes = [
  "bad_request",
  "not_found",
  "invalid_request",
] satisfies ErrorCode[];

/** They speak to a page, not to its proxy: 401 is about the proxy's key. */
export const codesForPages: Codes = [
  "bad_request",
  "payment_required",
  "not_found",
  "rate_limited",
] satisfies ErrorCode[];

/** They were decided on this side, from the request or its record: the service has said nothing. */
export const locallyDecidedCodes: Codes = [
  "invalid_request",
  "in_doubt",
  "under_way",
] satisfies ErrorCode[];
