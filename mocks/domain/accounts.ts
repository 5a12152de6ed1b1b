import { grant } from "./credits.ts";
import { nextRenewal } from "./renewal.ts";
import { type AccountState, createAccountState, type StartingCredits } from "./state.ts";

/**
 * Opens an account. Its starting credits are the first ledger entry of each kind.
 *
 * @param earlier - Number of the earlier accounts of this key; their ids do not come again
 */
export const openAccount = (
  key: string,
  credits: StartingCredits,
  seed: string,
  now: number,
  earlier: number,
): AccountState => {
  // No key has a space, so each seed belongs to one account.
  const own = earlier === 0 ? `${seed}/${key}` : `${seed}/${key} ${earlier}`;
  const account = createAccountState(key, own, credits, now);
  account.renewsAt = nextRenewal(now, now);
  grant(account, now, "image", credits.image);
  grant(account, now, "video", credits.video);
  return account;
};
