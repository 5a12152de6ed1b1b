import { addGrant, setBalance } from "./credits.ts";
import type { AccountState, StartingCredits } from "./state.ts";

/** Adds months to a date, in UTC. If the new month is too short, the result is its last day. */
const addMonths = (start: number, months: number): number => {
  const date = new Date(start);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, lastDay));
};

const averageMonthMs = (365.2425 / 12) * 24 * 3_600_000;

/** Returns the first renewal after `now` of an account that was opened at `openedAt`. */
export const nextRenewal = (openedAt: number, now: number): number => {
  // One month less than the average says, because months differ in length.
  let months = Math.max(1, Math.floor((now - openedAt) / averageMonthMs) - 1);
  while (addMonths(openedAt, months) <= now) months += 1;
  return addMonths(openedAt, months);
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
  const account: AccountState = {
    balances: { image: { monthly: 0, purchased: 0 }, video: { monthly: 0, purchased: 0 } },
    ledger: [],
    key,
    starting: credits,
    openedAt: now,
    renewsAt: nextRenewal(now, now),
    jobs: new Map(),
    jobsByAge: [],
    dueJobs: [],
    brands: new Map(),
    ads: new Map(),
    seed: own,
    issued: { job: 0, brand: 0, ad: 0 },
  };
  addGrant(account, now, "image", credits.image);
  addGrant(account, now, "video", credits.video);
  return account;
};
