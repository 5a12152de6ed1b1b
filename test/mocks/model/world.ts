import type { ForcedEnd } from "../../../mocks/domain/job-timeline.ts";
import type {
  JobOutcome,
  LedgerEntry,
  MockFault,
  MockServiceOptions,
} from "../../../mocks/index.ts";
import type { Action } from "../../../src/contract/actions.ts";
import type { EndpointName } from "../../../src/contract/endpoint.ts";

/*
 * The service once more, as simply as it can be said: plain data that can be cloned, nothing
 * indexed, nothing worked out ahead. Written from the API's document and the mock's doc comments.
 */

export type Credit = "image" | "video";

/** By the document's table of actions, written once more. */
export const creditOf = (action: Action): Credit | null => {
  if (action === "generate-ad-copy") return null;
  return action.startsWith("video-") ? "video" : "image";
};

export interface Pots {
  monthly: number;
  purchased: number;
}

export type Credits = { image?: Partial<Pots>; video?: Partial<Pots> };

export interface ModelJob {
  id: string;
  action: Action;
  variations: number;
  /** Body of its submission. */
  request: Readonly<Record<string, unknown>>;
  /** Name of its brand at that time. */
  brand: unknown;
  submittedAt: number;
  end: JobOutcome;
  /** Who planned its end. */
  plannedBy: "plan" | "prompt" | undefined;
  /** Times of the polls that found it unfinished. */
  polls: number[];
  forced?: ForcedEnd & { at: number };
  charge?: LedgerEntry;
  isRefunded: boolean;
}

/** A brand, or a saved ad. */
export interface Thing {
  id: string;
  brandId?: string;
  fields: Record<string, unknown>;
  createdAt: number;
  updatedAt?: number;
}

export interface ModelAccount {
  key: string;
  starting: Record<Credit, Pots>;
  openedAt: number;
  /** Milliseconds by which its clock is ahead of the service's. */
  offset: number;
  /** Number of times that its monthly credits came anew. */
  renewals: number;
  balances: Record<Credit, Pots>;
  ledger: LedgerEntry[];
  /** Oldest first, as all lists here. */
  jobs: ModelJob[];
  brands: Thing[];
  ads: Thing[];
  issued: Record<"job" | "brand" | "ad", number>;
  /** Number of the earlier accounts of this key that had made ids. */
  life: number;
}

/** A fault or an outcome, as a test plans it. */
export interface GivenPlan<What> {
  what: What;
  times: number;
  /** Actions or operations that it is for; any where it is left out. */
  only?: readonly string[];
  account?: string;
}

/** A fault or an outcome that waits. */
export interface ModelPlan<What = unknown> extends GivenPlan<What> {
  number: number;
  done: number;
}

export interface ModelPlans {
  fault: ModelPlan<MockFault>[];
  outcome: ModelPlan<JobOutcome>[];
}

export interface ModelExchange {
  key: string;
  number: number;
  /** By the clock of the account, or of the service where no account has the key. */
  at: number;
  operation: EndpointName | undefined;
  method: string;
  path: string;
  body: unknown;
  jobId: string | undefined;
  accepted: boolean;
  fault: MockFault["kind"] | undefined;
  status: number | undefined;
}

export interface Rules
  extends Required<
    Pick<MockServiceOptions, "refundFailedJobs" | "expiry" | "renewal" | "journalLimit">
  > {
  start: number;
  isClockManual: boolean;
  timeline: "per-poll" | { queuedMs: number; processingMs: number };
  /** The timeline of copy jobs alone is another one. */
  copyPerPoll: boolean;
  videoPrices: Record<"video-a-2" | "video-a-2-pro" | "video-b-3-0", number>;
  accounts: Record<string, { credits: Credits }>;
}

export interface World {
  /** Milliseconds by which the service's clock is ahead of the one that it was given. */
  offset: number;
  accounts: ModelAccount[];
  plans: ModelPlans;
  /** Counts of the plans so far. */
  plansIssued: Record<keyof ModelPlans, number>;
  journal: ModelExchange[];
  /** Exchanges that gave way to later ones. */
  forgotten: ModelExchange[];
  requests: number;
}

export const post = (account: ModelAccount, entry: LedgerEntry): LedgerEntry => {
  account.balances[entry.credit].monthly += entry.monthly;
  account.balances[entry.credit].purchased += entry.purchased;
  account.ledger.push(entry);
  return entry;
};

/** Forgets the exchanges of one key, or all. */
export const clearExchanges = (world: World, key?: string): void => {
  const isLeft = (exchange: ModelExchange): boolean => key !== undefined && exchange.key !== key;
  world.journal = world.journal.filter(isLeft);
  world.forgotten = world.forgotten.filter(isLeft);
};

export const grantCredits = (
  account: ModelAccount,
  at: number,
  credit: Credit,
  { monthly = 0, purchased = 0 }: Partial<Pots>,
): void => {
  if (monthly === 0 && purchased === 0) return;
  post(account, { at, credit, monthly, purchased, reason: "grant" });
};

/** Nothing is written where nothing changes. */
export const setPots = (
  account: ModelAccount,
  at: number,
  credit: Credit,
  { monthly = 0, purchased = 0 }: Partial<Pots>,
  reason: LedgerEntry["reason"],
): void => {
  const before = account.balances[credit];
  const change = { monthly: monthly - before.monthly, purchased: purchased - before.purchased };
  if (change.monthly === 0 && change.purchased === 0) return;
  post(account, { at, credit, ...change, reason });
};

/** Takes the first plan that fits, and all of those that only go with others. */
export const takePlans = <What>(
  plans: ModelPlan<What>[],
  asked: string,
  key: string,
  goesWith: (what: What) => boolean = () => false,
) => {
  let taken: What | undefined;
  let beside: What | undefined;
  for (const plan of [...plans]) {
    const { what, only = [asked], account = key } = plan;
    if (!only.includes(asked) || account !== key) continue;
    if (goesWith(what)) beside = what;
    else if (taken === undefined) taken = what;
    else continue;
    plan.done += 1;
    if (plan.done >= plan.times) plans.splice(plans.indexOf(plan), 1);
  }
  return { taken, beside };
};

const startingPots = (given: Partial<Pots> | undefined): Pots =>
  given === undefined ? { monthly: 100, purchased: 0 } : { monthly: 0, purchased: 0, ...given };

export const openAccount = (
  key: string,
  { image, video }: Credits,
  at: number,
  life: number,
): ModelAccount => {
  const account: ModelAccount = {
    key,
    starting: { image: startingPots(image), video: startingPots(video) },
    openedAt: at,
    offset: 0,
    renewals: 0,
    balances: { image: { monthly: 0, purchased: 0 }, video: { monthly: 0, purchased: 0 } },
    ledger: [],
    jobs: [],
    brands: [],
    ads: [],
    issued: { job: 0, brand: 0, ad: 0 },
    life,
  };
  grantCredits(account, at, "image", account.starting.image);
  grantCredits(account, at, "video", account.starting.video);
  return account;
};

export const openWorld = (rules: Rules, at: number): World => ({
  offset: 0,
  accounts: Object.entries(rules.accounts).map(([key, { credits }]) =>
    openAccount(key, credits, at, 0),
  ),
  plans: { fault: [], outcome: [] },
  plansIssued: { fault: 0, outcome: 0 },
  journal: [],
  forgotten: [],
  requests: 0,
});
