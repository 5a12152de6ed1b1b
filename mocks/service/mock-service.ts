import type { Action, CreditKind } from "../../src/contract/actions.ts";
import type { ManualClock } from "../domain/clock.ts";
import type { MockFaults } from "../faults/fault.ts";
import type { MockReply, MockRequest } from "../http/reply.ts";
import type { MockJournal } from "../journal/journal.ts";
import type { MockAccountOptions } from "../options/options.ts";
import type { MockAccount } from "./account.ts";
import type { MockJobs } from "./jobs.ts";

/** The whole ad generation service, in memory. */
export interface MockService {
  /**
   * Answers a request as the service would; nothing leaves the process. It takes the arguments of the
   * global `fetch`, and rejects in the same way when the signal aborts. Pictures and videos are data
   * URLs in its answers, which have no CORS headers.
   */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /**
   * Answers with plain data, for an adapter of your own, such as another HTTP server or interceptor.
   * The reply says which fault to play.
   *
   * @throws the error of reading the request's body
   */
  reply(request: MockRequest): Promise<MockReply>;
  /**
   * Answers a request for a picture or a video. Replies of `reply` link to them below
   * "/__mock/artwork/" of the base URL; your adapter serves these URLs by this method.
   */
  artwork(request: Request): Response;
  /** The only base URL that the service answers; `undefined` if it answers all. */
  readonly baseUrl: string | undefined;
  /**
   * The service's time. It follows the `clock` of the options. Moving it here also moves the clock of
   * every account, but not the clock of the options.
   */
  readonly clock: ManualClock;
  /** The accounts of all API keys, in the order they were given. */
  readonly accounts: readonly MockAccount[];
  /**
   * Returns the account of an API key, the same object each time.
   *
   * @throws Error when no account has this key
   */
  account(key: string): MockAccount;
  /**
   * Opens another account. `reset` closes it again.
   *
   * @throws TypeError when an option is invalid, or an account with this key exists
   */
  addAccount(key: string, options?: MockAccountOptions): MockAccount;
  /**
   * Closes an account, and deletes its jobs, brands, ads, faults, outcomes and journal. From then on,
   * its key is wrong. `reset` opens the accounts of the options again.
   *
   * @returns `false` if no account has this key
   */
  removeAccount(key: string): boolean;
  /**
   * Returns the price of a submission in whole credits; `undefined` if it is free.
   *
   * @param request - The submission. Only `action`, `variations` and `duration` matter
   * @throws Error when one of these is invalid
   */
  priceOf(request: {
    readonly action: Action;
    readonly variations?: number;
    readonly duration?: number;
    readonly [field: string]: unknown;
  }): { readonly credit: CreditKind; readonly amount: number } | undefined;
  /** The jobs of all accounts. You can look at them, and decide how they end. */
  readonly jobs: MockJobs;
  /** Faults, which make requests fail on demand. */
  readonly faults: MockFaults;
  /** The requests so far, with their accounts and answers. */
  readonly journal: MockJournal;
  /**
   * Starts over with the accounts of the options, and without faults, outcomes and journal. Moves of
   * this `clock` are undone; a clock of your own stays where it is. No id is given out twice, so a
   * poll for an old job gets a 404.
   */
  reset(): void;
}
