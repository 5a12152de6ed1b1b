import { grant } from "./credits.ts";
import { nextRenewal } from "./renewal.ts";
import { type AccountState, createAccountState, type StartingCredits } from "./state.ts";

/** Opens an account. Its starting credits are the first ledger entry of each kind. */
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
