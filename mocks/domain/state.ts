/**
 * The rules of the service begin here: its data, and the context of each operation. This folder imports
 * only types and constants of the contract; it knows no HTTP, no timers and no zod.
 */
import type { Action, CreditKind, VideoAction } from "../../src/contract/actions.ts";
import type { Brand } from "../../src/contract/brands.ts";
import type { SavedAd } from "../../src/contract/saved-ads.ts";
import type { CreditPots, Wallet } from "./credits.ts";
import { makeId } from "./ids.ts";
import type { JobOutcome, JobRecord, MadeFrom, Pace } from "./job-timeline.ts";
import type { Schedule } from "./schedule.ts";

/** The credits that an account starts with. Each month renews the monthly ones. */
export type StartingCredits = Readonly<Record<CreditKind, CreditPots>>;

/** The rules of the service, from its options. They never change. */
export interface Rules {
  readonly paces: Readonly<Record<Action, Pace>>;
  /** Credits per second. @assumed A11 */
  readonly videoPrices: Readonly<Record<VideoAction, number>>;
  /** @assumed A13 */
  readonly refundFailedJobs: boolean;
  /** What happens to a job 30 minutes after its submission. @assumed A10 */
  readonly expiry: "failed" | "not-found" | "all-not-found";
  /** @assumed A19 */
  readonly renewal: "monthly" | "never";
  /** Refuses unknown parameters of a job. */
  readonly strict: boolean;
}

/**
 * All data of one API key. Accounts share nothing, so no account can reach another's data by mistake.
 */
export interface AccountState extends Wallet {
  readonly key: string;
  readonly starting: StartingCredits;
  readonly openedAt: number;
  /** Time of the next renewal, in milliseconds since 1970. */
  renewsAt: number;
  readonly jobs: Map<string, JobRecord>;
  /** The same jobs, oldest first, so that listing the newest stays fast with many jobs. */
  readonly jobsByAge: JobRecord[];
  /** Paid jobs that may be refunded, latest first, so that the next one due can be popped. */
  readonly dueJobs: { readonly at: number; readonly job: JobRecord }[];
  readonly brands: Map<string, Brand>;
  readonly ads: Map<string, SavedAd>;
  /** Seed of the account's ids. */
  readonly seed: string;
  /** Number of ids given out, by kind. */
  readonly issued: Record<"job" | "brand" | "ad", number>;
}

/** Lists the values of a map, newest first. */
export const newestFirst = <Thing>(things: ReadonlyMap<string, Thing>): Thing[] =>
  [...things.values()].reverse();

/** What an operation needs to know: whose account it is, the rules and the time. */
export interface Context {
  readonly account: AccountState;
  readonly rules: Rules;
  /** Time of the request. It is read once, so that all effects have the same time. */
  readonly now: number;
  /** The scheduled ends of the whole service. */
  readonly scheduledEnds: Schedule<JobOutcome>;
  /** Creates the standard result of a completed job, for which no test has given one. */
  readonly makeResult: (job: MadeFrom) => unknown;
}

export const addJob = ({ jobs, jobsByAge }: AccountState, job: JobRecord): void => {
  jobs.set(job.id, job);
  jobsByAge.push(job);
};

export const nextId = (account: AccountState, kind: keyof AccountState["issued"]): string => {
  account.issued[kind] += 1;
  return makeId(kind, account.seed, account.issued[kind]);
};
