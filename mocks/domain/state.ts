import type { VideoAction } from "../../src/contract/actions.ts";
import type { Brand } from "../../src/contract/brands.ts";
import type { SavedAd } from "../../src/contract/saved-ads.ts";
import { type Collection, createCollection } from "./collection.ts";
import { createWallet, type Wallet } from "./credits.ts";
import { makeId } from "./ids.ts";
import type { JobRecord, Timeline } from "./job-timeline.ts";

/** How the service behaves: settled when it is made, never changed. */
export interface Rules {
  readonly timeline: Timeline;
  /** Credits a second. @assumed A11 */
  readonly videoPrices: Readonly<Record<VideoAction, number>>;
  /** @assumed A13 */
  readonly refundFailedJobs: boolean;
  /** @assumed A10 */
  readonly expiry: "failed" | "not-found";
}

/**
 * Everything one API key owns. Nothing is shared between accounts, so one tenant
 * cannot reach what another has, not by mistake either.
 */
export interface AccountState extends Wallet {
  readonly key: string;
  readonly jobs: Collection<JobRecord>;
  /** Paid jobs that may still have to be paid back, oldest first. */
  readonly refundable: Set<JobRecord>;
  readonly brands: Collection<Brand>;
  readonly ads: Map<string, SavedAd>;
  readonly adsOfBrand: Map<string, Collection<SavedAd>>;
  /** Where the account's ids come from. */
  readonly seed: string;
  /** How many ids of each kind were given out. */
  readonly issued: Record<"job" | "brand" | "ad", number>;
}

/** What every operation is handed: who asks, by which rules, at what time. */
export interface Context {
  readonly account: AccountState;
  readonly rules: Rules;
  /** Read once a request, so that everything in it happens at one time. */
  readonly now: number;
}

export const createAccountState = (key: string, seed: string): AccountState => ({
  ...createWallet(),
  key,
  jobs: createCollection(),
  refundable: new Set(),
  brands: createCollection(),
  ads: new Map(),
  adsOfBrand: new Map(),
  seed: `${seed}/${key}`,
  issued: { job: 0, brand: 0, ad: 0 },
});

export const nextId = (account: AccountState, kind: keyof AccountState["issued"]): string => {
  account.issued[kind] += 1;
  return makeId(kind, account.seed, account.issued[kind]);
};
