/** Key of the mark. Another copy of this library may have made the service that throws. */
const deliberateKey: unique symbol = Symbol.for("adgen-sdk.deliberate") as never;

/**
 * Marks an error that the mock throws on purpose: an argument makes no sense, or an assertion
 * fails. What is thrown without this mark is a mistake of the mock itself.
 */
export const deliberate = <Thrown extends Error>(error: Thrown): Thrown =>
  Object.defineProperty(error, deliberateKey, { value: true });

/** Tells whether the mock has thrown an error on purpose. */
export const isDeliberate = (error: Error): boolean => deliberateKey in error;
