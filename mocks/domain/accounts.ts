import { grant } from "./credits.ts";
import { assumedMessages } from "./messages.ts";
import { Fault } from "./refusal.ts";
import { nextRenewal } from "./renewal.ts";
import { type AccountState, createAccountState, type StartingCredits } from "./state.ts";

export const isCreditAmount = (amount: unknown): amount is number =>
  Number.isSafeInteger(amount) && (amount as number) >= 0;

/** Opens an account; what it starts with is its first ledger entry of each kind. */
export const openAccount = (
  key: string,
  credits: StartingCredits,
  seed: string,
  now: number,
): AccountState => {
  const account = createAccountState(key, `${seed}/${key}`, credits, now);
  account.renewsAt = nextRenewal(now, now);
  grant(account, now, "image", credits.image);
  grant(account, now, "video", credits.video);
  return account;
};

/**
 * The key that an `Authorization` header holds.
 *
 * @see API v1, section 5 "Authentication"
 */
export const keyOf = (authorization: string | null): string | undefined =>
  /^Bearer (.+)$/s.exec(authorization ?? "")?.[1];

export const authenticate = (account: AccountState | undefined): AccountState => {
  if (account === undefined) throw new Fault(401, assumedMessages.unauthorized);
  return account;
};
