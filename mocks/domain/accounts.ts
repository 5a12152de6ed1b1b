import { addGrant, setBalance } from "./credits.ts";
import { type AccountState, createAccountState, type StartingCredits } from "./state.ts";

/** Adds months to a date, in UTC. If the new month is too short, the result is its last day. */
const addMonths = (start: number, months: number): number => {
  const date = new Date(start);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, lastDay));
};

const monthsBetween = (start: number, end: number): number => {
  const [first, last] = [new Date(start), new Date(end)];
  const years = last.getUTCFullYear() - first.getUTCFullYear();
  return years * 12 + last.getUTCMonth() - first.getUTCMonth();
};

/** Returns the first renewal after `now` of an account that was opened at `openedAt`. */
export const nextRenewal = (openedAt: number, now: number): number => {
  const months = Math.max(1, monthsBetween(openedAt, now));
  const renewsAt = addMonths(openedAt, months);
  return renewsAt > now ? renewsAt : addMonths(openedAt, months + 1);
};

/** Replaces the monthly credits. The unused ones lapse. @assumed A19 */
export const renewMonthlyCredits = (account: AccountState, at: number): void => {
  for (const credit of ["image", "video"] as const) {
    const { purchased } = account.balances[credit];
    const { monthly } = account.starting[credit];
    setBalance(account, at, credit, { monthly, purchased }, "renewal");
  }
};

/**
 * Opens an account. Its starting credits become the first ledger entry of each kind.
 *
 * @param earlier - Number of earlier accounts with this key, whose ids must not be given out again
 */
export const openAccount = (
  key: string,
  credits: StartingCredits,
  seed: string,
  now: number,
  earlier: number,
): AccountState => {
  // Keys contain no spaces, so no two accounts have the same seed.
  const own = earlier === 0 ? `${seed}/${key}` : `${seed}/${key} ${earlier}`;
  const account = createAccountState(key, own, credits, now);
  account.renewsAt = nextRenewal(now, now);
  addGrant(account, now, "image", credits.image);
  addGrant(account, now, "video", credits.video);
  return account;
};
