/**
 * Key of the mark on an error that a caller's `fetch` throws when a request never left this
 * machine. The mock marks its own errors too, and sets the mark to the URL of the refused request,
 * so that client and mock share the key.
 */
export const notSentKey: unique symbol = Symbol.for("adgen-sdk.not-sent") as never;
