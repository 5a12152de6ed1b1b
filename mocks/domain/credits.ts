import type { CreditKind } from "../../src/contract/actions.ts";

/** Credits of one kind: the monthly ones, and the bought ones. */
export interface CreditPots {
  /** Whole credits of the month; spent first. */
  readonly monthly: number;
  /** Whole bought credits; spent when the monthly ones are gone. */
  readonly purchased: number;
}

/** One change of a balance. Never edited, never removed. */
export interface LedgerEntry extends CreditPots {
  /** Time in milliseconds since 1970, by the account's clock. */
  readonly at: number;
  /** Kind of the credits. */
  readonly credit: CreditKind;
  /**
   * Reason of the change. "charge" pays a job, "refund" pays a failed one back, and "renewal"
   * replaces the monthly credits. An "adjustment" comes from a test.
   */
  readonly reason: "grant" | "charge" | "refund" | "renewal" | "adjustment";
  /** Id of the job that was paid, or paid back. */
  readonly jobId?: string;
}

/** The balances of an account, and the entries that add up to them. */
export interface Wallet {
  readonly balances: Record<CreditKind, CreditPots>;
  readonly ledger: LedgerEntry[];
}

export const createWallet = (): Wallet => ({
  balances: { image: { monthly: 0, purchased: 0 }, video: { monthly: 0, purchased: 0 } },
  ledger: [],
});

/** Changes a balance. No other function does, so that the entries always sum to it. */
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

/** Brings a balance to the given credits. */
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

/** Takes credits, of which there must be enough. */
export const addCharge = (
  wallet: Wallet,
  at: number,
  credit: CreditKind,
  amount: number,
  jobId: string,
): LedgerEntry => {
  const fromMonthly = Math.min(amount, wallet.balances[credit].monthly);
  // Taken from zero, because `-fromMonthly` would write a charge of nothing as -0.
  const monthly = 0 - fromMonthly;
  const purchased = 0 - (amount - fromMonthly);
  return addEntry(wallet, { at, credit, monthly, purchased, reason: "charge", jobId });
};

/** Gives the credits that a charge took, as numbers above zero. */
export const costOf = ({ credit, monthly, purchased }: LedgerEntry) => ({
  credit,
  amount: 0 - monthly - purchased,
  monthly: 0 - monthly,
  purchased: 0 - purchased,
});

/** Puts a charge back into the pots it came from. */
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
