import type { Action, CreditKind, VideoAction } from "../../src/contract/actions.ts";
import type { Brand } from "../../src/contract/brands.ts";
import type { SavedAd } from "../../src/contract/saved-ads.ts";
import { type CreditPots, createWallet, type Wallet } from "./credits.ts";
import { makeId } from "./ids.ts";
import type { JobEnd, JobRecord, MadeFrom, Pace } from "./job-timeline.ts";
import type { Plans } from "./plans.ts";

/** The credits an account starts with; it gets the monthly ones again each month. */
export type StartingCredits = Readonly<Record<CreditKind, CreditPots>>;

/** Rules of the service, from its options. They never change. */
export interface Rules {
  readonly paces: Readonly<Record<Action, Pace>>;
  /** Credits a second. @assumed A11 */
  readonly videoPrices: Readonly<Record<VideoAction, number>>;
  /** @assumed A13 */
  readonly refundFailedJobs: boolean;
  /** End of a job 30 minutes after its submission. @assumed A10 */
  readonly expiry: "failed" | "not-found" | "all-not-found";
  /** @assumed A19 */
  readonly renewal: "monthly" | "never";
  /** Unknown parameters of a job are refused. */
  readonly strict: boolean;
}

/**
 * All data of one API key. Accounts share nothing, so that one cannot reach the data of another
 * by mistake.
 */
export interface AccountState extends Wallet {
  readonly key: string;
  readonly starting: StartingCredits;
  readonly openedAt: number;
  /** Time of the next monthly credits, in milliseconds since 1970. */
  renewsAt: number;
  readonly jobs: Map<string, JobRecord>;
  /** The same jobs, oldest first: a list of the newest ones takes no longer among many. */
  readonly jobsByAge: JobRecord[];
  /** Paid jobs that may be refunded, latest first, so that the next one due can be popped. */
  readonly dueJobs: { readonly at: number; readonly job: JobRecord }[];
  readonly brands: Map<string, Brand>;
  readonly ads: Map<string, SavedAd>;
  /** Seed of the account's ids. */
  readonly seed: string;
  /** Number of ids of each kind that were given out. */
  readonly issued: Record<"job" | "brand" | "ad", number>;
}

/** Lists things newest first. */
export const newestFirst = <Thing>(things: ReadonlyMap<string, Thing>): Thing[] =>
  [...things.values()].reverse();

/** Circumstances of an operation: the account that asks, the rules, the time. */
export interface Context {
  readonly account: AccountState;
  readonly rules: Rules;
  /** Time of the request, read once, so that all its effects have the same time. */
  readonly now: number;
  /** Planned ends of the whole service. */
  readonly plannedEnds: Plans<JobEnd>;
  /** Makes the result of a completed job that has none of a test's own. */
  readonly makeResult: (job: MadeFrom) => unknown;
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
  jobs: new Map(),
  jobsByAge: [],
  dueJobs: [],
  brands: new Map(),
  ads: new Map(),
  seed,
  issued: { job: 0, brand: 0, ad: 0 },
});

export const addJob = ({ jobs, jobsByAge }: AccountState, job: JobRecord): void => {
  jobs.set(job.id, job);
  jobsByAge.push(job);
};

export const nextId = (account: AccountState, kind: keyof AccountState["issued"]): string => {
  account.issued[kind] += 1;
  return makeId(kind, account.seed, account.issued[kind]);
};
