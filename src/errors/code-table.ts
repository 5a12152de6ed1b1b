import type { ErrorCode } from "./error-fields.ts";

const codes = (...list: readonly ErrorCode[]): readonly unknown[] => list;

/** Nothing of the service itself has answered. */
const outages: readonly ErrorCode[] = ["connection", "timeout", "server_error"];

/** What the failure of one request says about the next, by its code. */
export const codesThat = {
  areOutages: codes(...outages),
  /** The same request may succeed later: a read is retried. */
  pass: codes(...outages, "rate_limited"),
  /** Every request of the account meets them: a wait ends, a batch stops. */
  meetAll: codes("unauthorized", "payment_required"),
  /** The same request cannot succeed: a fleet does not try it again. */
  areFinal: codes("bad_request", "not_found", "invalid_request"),
  /** They speak to a page, not to its proxy: 401 is about the proxy's key. */
  areForPages: codes("bad_request", "payment_required", "not_found", "rate_limited"),
} as const;
