/*
 * Headers between the client in a page and the proxy before the service. The service knows neither.
 */

/** Names the call: a request with the same id is the same call, sent again. */
export const callIdHeader = "idempotency-key";

/** What became of a write that failed: `not-sent`, `refused` or `unknown`. */
export const outcomeHeader = "adgen-outcome";
