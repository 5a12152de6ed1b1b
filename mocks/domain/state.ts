import type { Action, CreditKind, VideoAction } from "../../src/contract/actions.ts";
import type { Brand } from "../../src/contract/brands.ts";
import type { SavedAd } from "../../src/contract/saved-ads.ts";
import { makeId } from "../seeded/ids.ts";
import { type Collection, createCollection } from "./collection.ts";
import { type CreditPots, createWallet, type Wallet } from "./credits.ts";
import { createDueJobs, type DueJobs } from "./due-jobs.ts";
import type { JobRecord, Pace, PlannedEnd } from "./job-timeline.ts";

/** The credits an account starts with; the monthly ones come anew each month. */
export type StartingCredits = Readonly<Record<CreditKind, CreditPots>>;

/** How the service behaves: settled when it is made, never changed. */
export interface Rules {
  readonly paces: Readonly<Record<Action, Pace>>;
  /** Credits a second. @assumed A11 */
  readonly videoPrices: Readonly<Record<VideoAction, number>>;
  /** @assumed A13 */
  readonly refundFailedJobs: boolean;
  /** @assumed A10 */
  readonly expiry: "failed" | "not-found";
  /** @assumed A19 */
  readonly renewal: "monthly" | "never";
}

/**
 * Everything one API key owns. Nothing is shared between accounts, so one tenant
 * cannot reach what another has, not by mistake either.
 */
export interface AccountState extends Wallet {
  readonly key: string;
  readonly starting: StartingCredits;
  readonly openedAt: number;
  /** When the monthly credits come anew. */
  renewsAt: number;
  readonly jobs: Collection<JobRecord>;
  /** Paid jobs that may have to be paid back, at the time when they fail. */
  readonly dueJobs: DueJobs;
  readonly brands: Collection<Brand>;
  readonly ads: Collection<SavedAd>;
  readonly adsOfBrand: Map<string, Collection<SavedAd>>;
  /** Where the account's ids come from. */
  readonly seed: string;
  /** How many ids of each kind were given out. */
  readonly issued: Record<"job" | "brand" | "ad", number>;
}

/** How a job that has not been submitted yet is to end. */
export interface PlannedOutcome {
  readonly end: PlannedEnd;
  readonly action?: Action;
  readonly account?: string;
  /** How many submissions it is still for. */
  remaining: number;
}

/** What every operation is handed: who asks, by which rules, at what time. */
export interface Context {
  readonly account: AccountState;
  readonly rules: Rules;
  /** Read once a request, so that everything in it happens at one time. */
  readonly now: number;
  /** Of the whole service, oldest first. */
  readonly outcomes: PlannedOutcome[];
  /** Where a job's pictures are; absent where nobody asked for URLs: data URLs then. */
  readonly pictureUrl?: ((job: JobRecord, variation: number) => string) | undefined;
}

export const createAccountState = (
  key: string,
  seed: string,
  starting: StartingCredits,
  openedAt: number,
): AccountState => ({
  ...createWallet(),
  key,
  starting,
  openedAt,
  renewsAt: Number.NaN,
  jobs: createCollection(),
  dueJobs: createDueJobs(),
  brands: createCollection(),
  ads: createCollection(),
  adsOfBrand: new Map(),
  seed,
  issued: { job: 0, brand: 0, ad: 0 },
});

export const nextId = (account: AccountState, kind: keyof AccountState["issued"]): string => {
  account.issued[kind] += 1;
  return makeId(kind, account.seed, account.issued[kind]);
};

/** Takes the oldest outcome that fits a submission. */
export const takeOutcome = (
  outcomes: PlannedOutcome[],
  { key }: AccountState,
  action: Action,
): PlannedEnd | undefined => {
  const place = outcomes.findIndex(
    (planned) => (planned.action ?? action) === action && (planned.account ?? key) === key,
  );
  const planned = outcomes[place];
  if (planned === undefined) return undefined;
  planned.remaining -= 1;
  if (planned.remaining <= 0) outcomes.splice(place, 1);
  return planned.end;
};
