import type { MockAccount } from "../../../service/account.ts";
import type { MockService } from "../../../service/mock-service.ts";
import { refuse } from "./refuse.ts";

const findAccount = ({ accounts }: MockService, key: string): MockAccount | undefined =>
  accounts.find((account) => account.key === key);

/** Finds the account of a key in the path, or answers 404. */
export const accountAt = (service: MockService, key: string): MockAccount => {
  const account = findAccount(service, key);
  if (account === undefined) throw refuse(404, `No account has the key "${key}"`);
  return account;
};

/** Answers 400 when a key in a query or a body is the key of no account. */
export const requireAccount = (service: MockService, key: string | undefined): void => {
  if (key === undefined || findAccount(service, key) !== undefined) return;
  throw refuse(400, `account must be the key of an account; it is "${key}"`);
};
