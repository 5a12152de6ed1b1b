import type { ErrorCode } from "./error-fields.ts";

/* Error codes, grouped by what a failed request says about the next one. */

type Codes = readonly unknown[];

/** The service, or the connection to it, is down or failing. */
export const outageCodes: Codes = ["connection", "timeout", "server_error"] satisfies ErrorCode[];

/** The same request may succeed later, so a read is retried. */
export const retryableCodes: Codes = [...outageCodes, "rate_limited" satisfies ErrorCode];

/** Every request of the account would fail the same way, so a wait ends and a batch stops. */
export const accountWideCodes: Codes = ["unauthorized", "payment_required"] satisfies ErrorCode[];

/** The same request can never succeed, so a fleet doesn't try it again. */
export const finalCodes: Codes = [
  "bad_request",
  "not_found",
  "invalid_request",
] satisfies ErrorCode[];

/**
 * Failures that the proxy passes on to its page. A 401 isn't among them, because it is about the
 * proxy's own key.
 */
export const codesForPages: Codes = [
  "bad_request",
  "payment_required",
  "not_found",
  "rate_limited",
] satisfies ErrorCode[];

/**
 * Failures that the client found itself, in the request or its record, without asking the service.
 */
export const locallyDecidedCodes: Codes = [
  "invalid_request",
  "in_doubt",
  "under_way",
] satisfies ErrorCode[];
