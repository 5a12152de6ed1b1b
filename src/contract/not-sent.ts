/**
 * Key of the mark on an error that a caller's `fetch` throws for a request that never left this
 * machine. The errors of the mock carry it, so it belongs to the contract of both. Where the mock
 * refuses a request, the mark's value is that request's URL.
 */
export const notSentKey: unique symbol = Symbol.for("adgen-sdk.not-sent") as never;
