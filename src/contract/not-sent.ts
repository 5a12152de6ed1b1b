/**
 * Key of the mark on an error that a caller's `fetch` throws for a request that never left this
 * machine. The mock's `refuse` fault carries it, so it belongs to the contract of both.
 */
export const notSentKey: unique symbol = Symbol.for("adgen-sdk.not-sent") as never;
