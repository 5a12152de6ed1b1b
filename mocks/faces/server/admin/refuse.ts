import { HTTPException } from "hono/http-exception";

/** Makes an error that the admin answers with this status and message. */
export const refuse = (status: 400 | 404 | 409 | 415, message: string): HTTPException =>
  new HTTPException(status, { message });

/** Does some work, and answers 400 when the service refuses the value of a field. */
export const refuseAs = <Result>(field: string, work: () => Result): Result => {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    const { message } = error;
    throw refuse(400, message.includes(field) ? message : `${field}: ${message}`);
  }
};
