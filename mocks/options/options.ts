/**
 * The options of the service, as callers write them. The rest of this folder checks them; it imports the
 * domain and zod, and other folders use its schemas.
 */
import type { Action, CreditKind, VideoAction } from "../../src/contract/actions.ts";
import type { Clock } from "../domain/clock.ts";
import type { CreditPots } from "../domain/credits.ts";
import type { Timeline } from "../domain/job-timeline.ts";

/** Options of one account. */
export interface MockAccountOptions {
  /**
   * Whole credits of each kind and pot. A kind that you leave out starts with 100 monthly credits. If
   * you give a kind, a pot that you leave out is empty.
   */
  credits?: { readonly [Kind in CreditKind]?: Partial<CreditPots> };
  /** Brands that the account starts with, oldest first, with any fields. @default none */
  brands?: readonly {
    /** Letters, digits and `. _ ~ -`, at most 200. @default an id that the service creates */
    readonly id?: string;
    readonly name: string;
    readonly [field: string]: unknown;
  }[];
  /** Saved ads that the account starts with, oldest first, with any fields. @default none */
  savedAds?: readonly {
    /** Letters, digits and `. _ ~ -`, at most 200. @default an id that the service creates */
    readonly id?: string;
    /** Id of one of these brands. */
    readonly brand_id: string;
    readonly [field: string]: unknown;
  }[];
  /** Finished jobs that the account starts with, oldest first. They cost nothing. @default none */
  jobs?: readonly {
    /** Letters, digits and `. _ ~ -`, at most 200. @default an id that the service creates */
    readonly id?: string;
    readonly action: Action;
    readonly prompt?: string;
    /** 1 to 10. @default 1 */
    readonly variations?: number;
    /** Seconds of a video, up to 60. @default 5 */
    readonly duration?: number;
    /** Id of one of these brands. */
    readonly brand_id?: string;
    /**
     * Makes the job a failed one, with this `error`. It can't be combined with `result`.
     * @default the job has completed
     */
    readonly fail?: string;
    /** Any JSON. @default the standard result of the job's action */
    readonly result?: unknown;
  }[];
}

/** Options of the mock service. */
export interface MockServiceOptions {
  /**
   * Accounts by API key; each sees only its own jobs, brands, ads and credits.
   * @default one account with the key "test-key" (`apiKeyPrefix` followed by "key")
   */
  accounts?: Readonly<Record<string, MockAccountOptions>>;
  /**
   * The only base URL that the mock answers, including the path: an http(s) URL such as
   * "https://ads.test/api".
   * @default every origin, and every path in front of "/v1"
   */
  baseUrl?: string;
  /**
   * Seed of all ids, random times and pictures. The same seed and the same calls give the same ids.
   * @default "adgen"
   */
  seed?: string | number;
  /** Source of the time. See `createManualClock`. @default `Date.now()` at each request */
  clock?: Clock;
  /**
   * How fast jobs progress. With "per-poll", each poll advances a job by one state, so that tests don't
   * have to wait. With `{ queuedMs, processingMs }`, each state lasts this many milliseconds by the
   * clock, zero or more; `Infinity` keeps jobs there until they expire. A time can also be drawn for
   * each job by the `seed`, from `{ min, max }`. You can also give a pace for each action, and a
   * `default` for the others.
   * @default "per-poll"
   */
  timeline?: Timeline;
  /**
   * Video credits per second for each model, zero or more. A video costs its duration times this
   * price, rounded up to whole credits. Models that you leave out keep their default.
   * @default { "video-a-2": 1, "video-a-2-pro": 2, "video-b-3-0": 3 }
   */
  videoPrices?: { readonly [Model in VideoAction]?: number };
  /** Refunds a job that fails or expires, into the pots that paid for it. @default false */
  refundFailedJobs?: boolean;
  /**
   * What happens 30 minutes after a submission. With "failed", an unfinished job fails with "Job
   * expired". With "not-found", an unfinished job can no longer be found. With "all-not-found", the
   * same holds for finished jobs.
   * @default "failed"
   */
  expiry?: "failed" | "not-found" | "all-not-found";
  /**
   * Renewal of each account's monthly credits: every month, on the day of the month on which the
   * account was opened (UTC). Unused monthly credits lapse.
   * @default "monthly"
   */
  renewal?: "monthly" | "never";
  /** Maximum number of requests in the journal, 0 to 1,000,000. @default 10000 */
  journalLimit?: number;
  /**
   * Prefix that every API key must have; it ends in a hyphen.
   * @default any key is accepted; the key of the default account is "test-key"
   */
  apiKeyPrefix?: string;
  /**
   * API key for requests that have none, such as those of a page behind a proxy that adds the key. Like
   * this package's proxy, the mock answers a repeated `Idempotency-Key` with the first answer.
   * @default a request without a key gets a 401
   */
  pageKey?: string;
  /**
   * `true` answers a submission with unknown parameters with 400. Otherwise, the request log only lists
   * them in `unknownParameters`.
   * @default false
   */
  strict?: boolean;
}
