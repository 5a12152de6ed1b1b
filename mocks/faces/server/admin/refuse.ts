import { HTTPException } from "hono/http-exception";

/** Makes an error that the admin answers with this status and message. */
export const refuse = (status: 400 | 404 | 409 | 415, message: string): HTTPException =>
  new HTTPException(status, { message });

/** Returns what was found, or answers 404. */
export const found = <Thing>(thing: Thing | undefined | false, missing: string): Thing => {
  if (thing === undefined || thing === false) throw refuse(404, missing);
  return thing;
};

/**
 * Tells the status of an error. For a value that makes no sense, the service throws a `TypeError` or
 * a `RangeError`. Any other `Error` is about its state: a conflict, or an assertion that fails.
 */
export const statusOf = (error: Error): number => {
  if (error instanceof HTTPException) return error.status;
  return error instanceof TypeError || error instanceof RangeError ? 400 : 409;
};
