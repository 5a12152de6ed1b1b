import type { CreditKind } from "../../src/contract/actions.ts";

/** Credits of one kind, by where they come from. */
export interface CreditPots {
  /** Whole credits that each month renews. They are spent first. */
  readonly monthly: number;
  /** Whole credits that were bought. They are spent once the monthly ones are used up. */
  readonly purchased: number;
}

/** One change of a balance. Entries are never changed or removed. */
export interface LedgerEntry extends CreditPots {
  /** Time in milliseconds since 1970, by the account's clock. */
  readonly at: number;
  /** Kind of the credits. */
  readonly credit: CreditKind;
  /**
   * Reason for the change. A "charge" pays for a job, and a "refund" returns the credits of a failed
   * job. A "renewal" replaces the monthly credits. An "adjustment" was made by a test.
   */
  readonly reason: "grant" | "charge" | "refund" | "renewal" | "adjustment";
  /** Id of the job that was charged or refunded. */
  readonly jobId?: string;
}

/** The balances of an account, and the entries that add up to them. */
export interface Wallet {
  readonly balances: Record<CreditKind, CreditPots>;
  readonly ledger: LedgerEntry[];
}

/** Changes a balance. Only this function does, so that the entries always add up to it. */
const addEntry = (wallet: Wallet, entry: LedgerEntry): LedgerEntry => {
  const { monthly, purchased } = wallet.balances[entry.credit];
  wallet.balances[entry.credit] = {
    monthly: monthly + entry.monthly,
    purchased: purchased + entry.purchased,
  };
  wallet.ledger.push(Object.freeze(entry));
  return entry;
};

export const addGrant = (
  wallet: Wallet,
  at: number,
  credit: CreditKind,
  pots: CreditPots,
): void => {
  const { monthly, purchased } = pots;
  if (monthly + purchased > 0)
    addEntry(wallet, { at, credit, monthly, purchased, reason: "grant" });
};

/** Sets a balance, by an entry with the difference. */
export const setBalance = (
  wallet: Wallet,
  at: number,
  credit: CreditKind,
  pots: CreditPots,
  reason: "renewal" | "adjustment",
): void => {
  const before = wallet.balances[credit];
  const monthly = pots.monthly - before.monthly;
  const purchased = pots.purchased - before.purchased;
  if (monthly !== 0 || purchased !== 0)
    addEntry(wallet, { at, credit, monthly, purchased, reason });
};

/** Takes credits. The caller has checked that there are enough. */
export const addCharge = (
  wallet: Wallet,
  at: number,
  credit: CreditKind,
  amount: number,
  jobId: string,
): LedgerEntry => {
  const fromMonthly = Math.min(amount, wallet.balances[credit].monthly);
  // `-fromMonthly` would be -0 when nothing is taken.
  const monthly = 0 - fromMonthly;
  const purchased = 0 - (amount - fromMonthly);
  return addEntry(wallet, { at, credit, monthly, purchased, reason: "charge", jobId });
};

/** Returns the credits that a charge took, as positive numbers. */
export const costOf = ({ credit, monthly, purchased }: LedgerEntry) => ({
  credit,
  amount: 0 - monthly - purchased,
  monthly: 0 - monthly,
  purchased: 0 - purchased,
});

/** Returns the credits of a charge to the pots they came from. */
export const addRefund = (wallet: Wallet, at: number, paid: LedgerEntry): void => {
  const { monthly, purchased } = paid;
  addEntry(wallet, {
    ...paid,
    at,
    monthly: 0 - monthly,
    purchased: 0 - purchased,
    reason: "refund",
  });
};
