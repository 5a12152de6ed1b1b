import type { CreditKind, VideoAction } from "../../src/contract/actions.ts";
import type { Clock } from "../domain/clock.ts";
import type { CreditPots } from "../domain/credits.ts";
import type { Timeline } from "../domain/job-timeline.ts";

/** What one account starts with. */
export interface MockAccountOptions {
  /**
   * Whole credits of each kind and pot. A kind left out starts with 100 monthly credits,
   * a pot left out of a kind that is given is empty.
   */
  credits?: { readonly [Kind in CreditKind]?: Partial<CreditPots> };
}

/** How the mock service behaves. Everything is optional. */
export interface MockServiceOptions {
  /**
   * The accounts, by API key; each sees nothing but its own jobs, brands, ads and credits.
   * @default one account with the key "test-key" (`apiKeyPrefix` followed by "key")
   */
  accounts?: Readonly<Record<string, MockAccountOptions>>;
  /**
   * The only base URL that is answered, path included, such as "https://ads.test/api";
   * http or https.
   * @default every origin, and every path in front of "/v1"
   */
  baseUrl?: string;
  /** What ids are made from: the same seed and calls give the same ids. @default "adgen" */
  seed?: string | number;
  /** Where the time comes from; see `createManualClock`. @default `Date.now()` at each request */
  clock?: Clock;
  /**
   * How jobs get on: "per-look" moves a job one state on each time it is asked for, so that
   * nobody waits; `{ queuedMs, processingMs }` gives each state so many milliseconds of the
   * clock (zero or more; `Infinity` keeps jobs there until they expire), always the same or
   * drawn for each job by the `seed`: `{ min, max }`, or `{ median, p95 }`. Or one of these for
   * each action, and `default` for the actions that are left out.
   * @default "per-look"
   */
  timeline?: Timeline;
  /**
   * Video credits a second for each model, zero or more; a video costs its seconds times
   * this, rounded up. Models left out keep their default.
   * @default { "video-a-2": 1, "video-a-2-pro": 2, "video-b-3-0": 3 }
   */
  videoPrices?: { readonly [Model in VideoAction]?: number };
  /** Whether a job that fails or expires is paid back, into the pots it was paid from. @default false */
  refundFailedJobs?: boolean;
  /**
   * What becomes of a job that is unfinished 30 minutes after its submission: it fails with
   * "Job expired", or it can no longer be found.
   * @default "failed"
   */
  expiry?: "failed" | "not-found";
  /**
   * Whether each account gets its monthly credits anew every month after it was opened (same
   * day of the month, UTC); what is left of the old ones lapses.
   * @default "monthly"
   */
  renewal?: "monthly" | "never";
  /**
   * Where the pictures of results are: "inline" in the answer as data URLs; or "served" below
   * "/__mock/artwork/" of the origin that was asked, by `adgen-sdk/mocks/server`.
   * @default "inline"
   */
  artwork?: "inline" | "served";
  /** How many requests the journal remembers, 0 to 1,000,000. @default 10000 */
  journalLimit?: number;
  /** What every API key begins with; ends in a hyphen. Keys are checked when this is given. @default "test-" */
  apiKeyPrefix?: string;
}
