import type { Action, CreditKind } from "../../src/contract/actions.ts";
import type { Brand } from "../../src/contract/brands.ts";
import type { JobStatus } from "../../src/contract/jobs.ts";
import type { SavedAd } from "../../src/contract/saved-ads.ts";
import type { ManualClock } from "../domain/clock.ts";
import type { CreditPots, LedgerEntry } from "../domain/credits.ts";
import type { JobCost } from "../domain/inspect-job.ts";
import type { MockFaults } from "../faults/fault.ts";
import type { MockJournal } from "../journal/journal.ts";
import type { MockAccountOptions } from "../options/options.ts";
import type { AccountJobs } from "./jobs.ts";

/** What one job cost. */
export interface Charge extends JobCost {
  /** Time in milliseconds since 1970, by the account's clock. */
  readonly at: number;
  /** Id of the job that was paid for. */
  readonly jobId: string;
  /** Action of the job. */
  readonly action: Action;
}

/** How much an account has. */
export interface AccountCounts {
  /** Number of jobs in each state. Reading it advances no job. */
  readonly jobs: Readonly<Record<JobStatus, number>>;
  /** Number of brands. */
  readonly brands: number;
  /** Number of saved ads. */
  readonly savedAds: number;
}

/** The account of one API key, to inspect and to change in a test. */
export interface MockAccount {
  /** Its API key. */
  readonly key: string;
  /** Returns key and balances, for `JSON.stringify`. */
  toJSON(): Pick<MockAccount, "key" | "credits">;
  /** The current balances, in whole credits. */
  readonly credits: Readonly<Record<CreditKind, CreditPots>>;
  /** Every change of the balances so far, oldest first. The entries add up to `credits`. */
  readonly ledger: readonly LedgerEntry[];
  /** What each job has cost so far, oldest first. Free jobs have no charge. */
  readonly charges: readonly Charge[];
  /**
   * Checks that the account has exactly these charges, in this order. It compares only the fields that
   * you give.
   *
   * @throws Error when the charges differ; it shows up to eight on each side, from the first difference on
   */
  assertCharges(expected: readonly Partial<Charge>[]): void;
  /**
   * Adds whole credits, zero or more. A kind or a pot that you leave out doesn't change.
   *
   * @throws TypeError when an amount is not a whole number from 0 to 1,000,000,000
   */
  grant(credits: NonNullable<MockAccountOptions["credits"]>): void;
  /**
   * Sets balances to whole credits, zero or more, in the shape of the option `credits`. A kind that you
   * leave out doesn't change. If you give a kind, a pot that you leave out becomes empty. The ledger
   * records the difference as an "adjustment".
   *
   * @throws TypeError when an amount is not a whole number from 0 to 1,000,000,000
   */
  setCredits(credits: NonNullable<MockAccountOptions["credits"]>): void;
  /** The account's own time. It follows the service's clock; moving it here changes this account only. */
  readonly clock: ManualClock;
  /** The account's jobs. You can look at them, and decide how the next ones end. */
  readonly jobs: AccountJobs;
  /** The account's brands, newest first. */
  readonly brands: readonly Brand[];
  /** The account's saved ads, newest first. */
  readonly savedAds: readonly SavedAd[];
  /** How much the account has. */
  readonly counts: AccountCounts;
  /** Faults that only this account meets. */
  readonly faults: MockFaults;
  /** The requests with this key. */
  readonly journal: MockJournal;
  /** Starts this account over, and leaves the others alone. No id is given out twice. */
  reset(): void;
}
