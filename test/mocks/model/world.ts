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
  plannedBy: "plan" | undefined;
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

const written = (ms: number): string => new Date(ms).toISOString();

export const show = ({ id, brandId, fields, createdAt, updatedAt }: Thing) => ({
  id,
  created_at: written(createdAt),
  ...(updatedAt !== undefined && { updated_at: written(updatedAt) }),
  ...(brandId !== undefined && { brand_id: brandId }),
  ...fields,
});

export type ModelAccount = ReturnType<typeof openAccount>;

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

export type World = ReturnType<typeof openWorld>;

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

/** @param life - Number of the earlier accounts of this key that had made ids */
export const openAccount = (
  key: string,
  { image, video }: Credits,
  openedAt: number,
  life: number,
) => {
  const account = {
    ...{ key, openedAt, life },
    starting: { image: startingPots(image), video: startingPots(video) },
    /** Milliseconds by which its clock is ahead of the service's. */
    offset: 0,
    /** Number of times that its monthly credits came anew. */
    renewals: 0,
    balances: { image: { monthly: 0, purchased: 0 }, video: { monthly: 0, purchased: 0 } },
    // All lists are oldest first.
    ledger: [] as LedgerEntry[],
    jobs: [] as ModelJob[],
    brands: [] as Thing[],
    ads: [] as Thing[],
    issued: { job: 0, brand: 0, ad: 0 },
  };
  grantCredits(account, openedAt, "image", account.starting.image);
  grantCredits(account, openedAt, "video", account.starting.video);
  return account;
};

export const openWorld = (rules: Rules, at: number) => {
  const plans: ModelPlans = { fault: [], outcome: [] };
  return {
    /** Milliseconds by which the service's clock is ahead of the one that it was given. */
    offset: 0,
    accounts: Object.entries(rules.accounts).map(([key, { credits }]) =>
      openAccount(key, credits, at, 0),
    ),
    plans,
    plansIssued: { fault: 0, outcome: 0 },
    journal: [] as ModelExchange[],
    /** Exchanges that gave way to later ones. */
    forgotten: [] as ModelExchange[],
    requests: 0,
  };
};
