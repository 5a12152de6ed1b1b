import type { Action, CreditKind, VideoAction } from "../../src/contract/actions.ts";
import type { Clock } from "../domain/clock.ts";
import type { CreditPots } from "../domain/credits.ts";
import type { Timeline } from "../domain/job-timeline.ts";

/** Options of one account. */
export interface MockAccountOptions {
  /**
   * Whole credits of each kind and pot. A kind left out starts with 100 monthly credits,
   * a pot left out of a kind that is given is empty.
   */
  credits?: { readonly [Kind in CreditKind]?: Partial<CreditPots> };
  /** Brands that it has from its beginning, oldest first, with any fields. @default none */
  brands?: readonly {
    /** Letters, digits and `. _ ~ -`, at most 200. @default an id of the service's own */
    readonly id?: string;
    readonly name: string;
    readonly [field: string]: unknown;
  }[];
  /** Ads that it has saved from its beginning, oldest first, with any fields. @default none */
  savedAds?: readonly {
    /** Letters, digits and `. _ ~ -`, at most 200. @default an id of the service's own */
    readonly id?: string;
    /** Id of one of these brands. */
    readonly brand_id: string;
    readonly [field: string]: unknown;
  }[];
  /** Finished jobs that it has from its beginning, oldest first. They cost nothing. @default none */
  jobs?: readonly {
    /** Letters, digits and `. _ ~ -`, at most 200. @default an id of the service's own */
    readonly id?: string;
    readonly action: Action;
    readonly prompt?: string;
    /** 1 to 10. @default 1 */
    readonly variations?: number;
    /** Seconds of a video, up to 60. @default 5 */
    readonly duration?: number;
    /** Id of one of these brands. */
    readonly brand_id?: string;
    /** Text of the job's `error`: it has failed. Not with a `result`. @default it has completed */
    readonly fail?: string;
    /** Any JSON. @default the standard result of the job's action */
    readonly result?: unknown;
  }[];
}

/** Options of the mock service, all of them optional. */
export interface MockServiceOptions {
  /**
   * Accounts by API key; each sees only its own jobs, brands, ads and credits.
   * @default one account with the key "test-key" (`apiKeyPrefix` followed by "key")
   */
  accounts?: Readonly<Record<string, MockAccountOptions>>;
  /**
   * The only base URL that is answered, path included. An http(s) URL such as
   * "https://ads.test/api".
   * @default every origin, and every path in front of "/v1"
   */
  baseUrl?: string;
  /**
   * Seed of all ids, random choices and pictures. The same seed and calls give the same ids.
   * @default "adgen"
   */
  seed?: string | number;
  /** Source of the time. See `createManualClock`. @default `Date.now()` at each request */
  clock?: Clock;
  /**
   * How fast jobs progress. "per-poll" moves a job one state on each time a client asks for it,
   * so that tests need not wait. `{ queuedMs, processingMs }` gives each state so many milliseconds
   * of the clock, zero or more; `Infinity` keeps jobs there until they expire. A time may also be
   * drawn for each job by the `seed`: `{ min, max }` or `{ median, p95 }`. Or one pace for each
   * action, and `default` for the actions that are left out.
   * @default "per-poll"
   */
  timeline?: Timeline;
  /**
   * Video credits a second for each model, zero or more. A video costs its seconds times
   * this, rounded up. Models left out keep their default.
   * @default { "video-a-2": 1, "video-a-2-pro": 2, "video-b-3-0": 3 }
   */
  videoPrices?: { readonly [Model in VideoAction]?: number };
  /** Refunds a job that fails or expires, into the pots that paid for it. @default false */
  refundFailedJobs?: boolean;
  /**
   * End of a job 30 minutes after its submission. By "failed", an unfinished job fails with
   * "Job expired". By "not-found", an unfinished job can no longer be found. By "all-not-found", no
   * job can, so that the results of finished ones go, too.
   * @default "failed"
   */
  expiry?: "failed" | "not-found" | "all-not-found";
  /**
   * Renewal of each account's monthly credits. It comes every month after the account was opened,
   * on the same day of the month (UTC). Monthly credits that are left lapse then.
   * @default "monthly"
   */
  renewal?: "monthly" | "never";
  /** Count of the requests that the journal remembers, 0 to 1,000,000. @default 10000 */
  journalLimit?: number;
  /**
   * Start of every API key, ending in a hyphen. Keys are checked when this is given.
   * @default not checked; the default account's is "test-"
   */
  apiKeyPrefix?: string;
  /**
   * API key of the requests without one, such as those of a page whose proxy adds the key. Like the
   * proxy, the mock answers a repeated `Idempotency-Key` of such a request with the first answer.
   * @default a request without a key gets a 401
   */
  pageKey?: string;
  /**
   * Refuses parameters of a job that the API's document does not name. The answer is a 400; without
   * `strict`, the request log marks them.
   * @default false
   */
  strict?: boolean;
}
