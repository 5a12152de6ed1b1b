/** Key of the mark. Another copy of this library may have made the service that throws. */
const deliberateKey: unique symbol = Symbol.for("adgen-sdk.deliberate") as never;

/**
 * Marks an error that the mock throws on purpose: an argument makes no sense, or an assertion
 * fails. What is thrown without this mark is a mistake of the mock itself.
 *
 * @param status - HTTP status of it. @default 400 for a `TypeError` or a `RangeError`, else 409
 */
export const deliberate = <Thrown extends Error>(
  error: Thrown,
  status: number = error instanceof TypeError || error instanceof RangeError ? 400 : 409,
): Thrown => Object.defineProperty(error, deliberateKey, { value: status });

/** HTTP status of an error that was thrown on purpose; `undefined` for a mistake of the mock. */
export const statusOf = (error: Error): number | undefined => Reflect.get(error, deliberateKey);
