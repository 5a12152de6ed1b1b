import type { Action, CreditKind } from "../../src/contract/actions.ts";
import type { Brand } from "../../src/contract/brands.ts";
import type { SavedAd } from "../../src/contract/saved-ads.ts";
import type { ManualClock } from "../domain/clock.ts";
import type { CreditPots, LedgerEntry } from "../domain/credits.ts";
import type { StartingCredits } from "../domain/state.ts";
import type { MockFaults } from "../faults/fault.ts";
import type { MockJournal } from "../journal/journal.ts";
import type { AccountJobs } from "../outcomes/steer-jobs.ts";

/** What one job cost. */
export interface Charge {
  /** When, in milliseconds since 1970 by the account's clock. */
  readonly at: number;
  /** The job that was paid. */
  readonly jobId: string;
  /** What the job does. */
  readonly action: Action;
  /** Which kind of credit paid it. */
  readonly credit: CreditKind;
  /** Whole credits, more than zero. */
  readonly amount: number;
  /** How many of them were monthly ones. */
  readonly monthly: number;
  /** How many of them had been bought. */
  readonly purchased: number;
  /** Whether it was paid back. */
  readonly refunded: boolean;
}

/** One API key's account, for a test to look into. */
export interface MockAccount {
  /** The API key that opens it. */
  readonly key: string;
  /** The balances of now, in whole credits. */
  readonly credits: StartingCredits;
  /** Every change of the balances so far, oldest first; the entries sum to `credits`. */
  readonly ledger: readonly LedgerEntry[];
  /** What jobs have cost so far, oldest first; free ones are not in it. */
  readonly charges: readonly Charge[];
  /**
   * Checks that these were charged, in this order, and nothing else; of each only the fields
   * that are given.
   *
   * @throws Error when they were not; it says what was charged instead
   */
  assertCharges(expected: readonly Partial<Charge>[]): void;
  /**
   * Adds whole credits, zero or more, to one kind: those left out are not changed.
   *
   * @throws RangeError when they are no whole numbers
   */
  grant(credit: CreditKind, pots: Partial<CreditPots>): void;
  /**
   * Sets the balance of one kind to whole credits, zero or more: a pot left out becomes empty.
   * The ledger has the difference as an "adjustment".
   *
   * @throws RangeError when they are no whole numbers
   */
  setCredits(credit: CreditKind, pots: Partial<CreditPots>): void;
  /** The account's own time: the service's, and by how much it was moved here. */
  readonly clock: ManualClock;
  /** What becomes of this account's jobs, and what they are. */
  readonly jobs: AccountJobs;
  /** Newest first. */
  readonly brands: readonly Brand[];
  /** Newest first. */
  readonly savedAds: readonly SavedAd[];
  /** Outages for this account alone. */
  readonly faults: MockFaults;
  /** What was asked with this key. */
  readonly journal: MockJournal;
  /** Makes this account as new, and leaves the others alone. */
  reset(): void;
}
