import type { Action, CreditKind } from "../../src/contract/actions.ts";
import type { Brand } from "../../src/contract/brands.ts";
import type { JobStatus } from "../../src/contract/jobs.ts";
import type { SavedAd } from "../../src/contract/saved-ads.ts";
import type { ManualClock } from "../domain/clock.ts";
import type { CreditPots, LedgerEntry } from "../domain/credits.ts";
import type { MockFaults } from "../faults/fault.ts";
import type { MockJournal } from "../journal/journal.ts";
import type { MockAccountOptions } from "../options/options.ts";
import type { AccountJobs } from "./jobs.ts";

/** What one job cost. */
export interface Charge {
  /** Time in milliseconds since 1970, by the account's clock. */
  readonly at: number;
  /** The job that was paid. */
  readonly jobId: string;
  /** Action of the job. */
  readonly action: Action;
  /** Kind of the credits that paid it. */
  readonly credit: CreditKind;
  /** Whole credits, more than zero. */
  readonly amount: number;
  /** Monthly credits among them. */
  readonly monthly: number;
  /** Bought credits among them. */
  readonly purchased: number;
  /** `true` when it was refunded. */
  readonly refunded: boolean;
}

/** Counts of what an account holds. */
export interface AccountCounts {
  /** Jobs in each state; reading it advances no job. */
  readonly jobs: Readonly<Record<JobStatus, number>>;
  /** Brands. */
  readonly brands: number;
  /** Saved ads. */
  readonly savedAds: number;
}

/** One API key's account, for a test to look into. */
export interface MockAccount {
  /** The API key that opens it. */
  readonly key: string;
  /** Returns key and balances, for `JSON.stringify`. */
  toJSON(): Pick<MockAccount, "key" | "credits">;
  /** The present balances, in whole credits. */
  readonly credits: Readonly<Record<CreditKind, CreditPots>>;
  /** Every change of the balances so far, oldest first; the entries sum to `credits`. */
  readonly ledger: readonly LedgerEntry[];
  /** Charges of jobs so far, oldest first; free jobs have none. */
  readonly charges: readonly Charge[];
  /**
   * Checks that the account has exactly these charges, in this order. It compares only the given
   * fields of each.
   *
   * @throws Error when the charges differ. It counts those alike, lists eight of each side, and names
   *   the first difference
   */
  assertCharges(expected: readonly Partial<Charge>[]): void;
  /**
   * Adds whole credits, zero or more. A kind or pot that is left out does not change.
   *
   * @throws TypeError when an amount is no whole number, or more than 1,000,000,000
   */
  grant(credits: NonNullable<MockAccountOptions["credits"]>): void;
  /**
   * Sets balances to whole credits, zero or more, in the shape of the option `credits`. A kind that
   * is left out does not change, and a pot left out of a kind that is given becomes empty. The
   * ledger has the difference as an "adjustment".
   *
   * @throws TypeError when an amount is no whole number
   */
  setCredits(credits: NonNullable<MockAccountOptions["credits"]>): void;
  /** The account's own time. It goes with the service's, and moves ahead of it here. */
  readonly clock: ManualClock;
  /** The account's jobs, to look at, and to decide how the next ones end. */
  readonly jobs: AccountJobs;
  /** The account's brands, newest first. */
  readonly brands: readonly Brand[];
  /** The account's saved ads, newest first. */
  readonly savedAds: readonly SavedAd[];
  /** Counts of what the account holds. */
  readonly counts: AccountCounts;
  /** Outages for this account alone. */
  readonly faults: MockFaults;
  /** The requests with this key. */
  readonly journal: MockJournal;
  /** Starts this account over, and leaves the others alone. Ids never repeat. */
  reset(): void;
}
