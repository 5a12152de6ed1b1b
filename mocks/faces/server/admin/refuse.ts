import { HTTPException } from "hono/http-exception";
import type { MockAccount } from "../../../service/account.ts";
import type { MockService } from "../../../service/mock-service.ts";

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

/** Answers 409 with the text that a test would have failed with. */
export const orConflict = <Answer>(assert: () => Answer): Answer => {
  try {
    return assert();
  } catch (error) {
    if (error instanceof HTTPException) throw error;
    throw refuse(409, error instanceof Error ? error.message : String(error));
  }
};

const findAccount = ({ accounts }: MockService, key: string): MockAccount | undefined =>
  accounts.find((account) => account.key === key);

/** Finds the account of a key in the path, or answers 404. */
export const accountAt = (service: MockService, key: string): MockAccount => {
  const account = findAccount(service, key);
  if (account === undefined) throw refuse(404, `No account has the key "${key}"`);
  return account;
};

/** Gives the account that a query names, or the whole service without one. Answers 400 for an unknown key. */
export const accountOrAll = (
  service: MockService,
  key: string | undefined,
): MockService | MockAccount => {
  requireAccount(service, key);
  return key === undefined ? service : service.account(key);
};

/** Answers 400 when a key in a query or a body is the key of no account. */
export const requireAccount = (service: MockService, key: string | undefined): void => {
  if (key === undefined || findAccount(service, key) !== undefined) return;
  throw refuse(400, `account must be the key of an account; it is "${key}"`);
};
