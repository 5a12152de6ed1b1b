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
   * Answers a request as the service would; nothing leaves the process. Takes what the global
   * `fetch` takes, and rejects as it does when the signal aborts. Its answers contain pictures and
   * videos as data URLs, and have no CORS headers.
   */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /**
   * Answers in plain data, for an adapter of your own, such as another HTTP server or interceptor.
   * The reply says which fault to play.
   *
   * @throws the error of reading the request's body
   */
  reply(request: MockRequest): Promise<MockReply>;
  /**
   * Answers a request for a picture or a video. The replies of `reply` name them by URLs below
   * "/__mock/artwork/" of the base URL; whoever plays these replies serves the files by this.
   */
  artwork(request: Request): Response;
  /** The only base URL that the service answers; `undefined` when it answers every URL. */
  readonly baseUrl: string | undefined;
  /**
   * The service's time. It goes with the `clock` of the options, and moves ahead of it here. Moving
   * it moves the clock of every account, and leaves the given clock alone.
   */
  readonly clock: ManualClock;
  /** The accounts of all API keys, in the order they were given. */
  readonly accounts: readonly MockAccount[];
  /**
   * Returns the account of an API key, the same object each time.
   *
   * @throws Error when no account has that key
   */
  account(key: string): MockAccount;
  /**
   * Opens one more account; `reset` closes it again.
   *
   * @throws TypeError when an option makes no sense, or when an account has that key already
   */
  addAccount(key: string, options?: MockAccountOptions): MockAccount;
  /**
   * Closes an account and forgets all it holds: jobs, brands, ads, faults, outcomes, journal. From
   * then on its key is wrong. `reset` opens the accounts of the options again.
   *
   * @returns `false` when no account has that key
   */
  removeAccount(key: string): boolean;
  /**
   * Returns the price of a submission in whole credits; `undefined` when it is free.
   *
   * @param request - Its `action`, `variations` and `duration` matter; other fields do not
   * @throws TypeError when one of these makes no sense
   */
  priceOf(request: {
    readonly action: Action;
    readonly variations?: number;
    readonly duration?: number;
    readonly [field: string]: unknown;
  }): { readonly credit: CreditKind; readonly amount: number } | undefined;
  /** Jobs of all accounts, to look at, and to decide how they end. */
  readonly jobs: MockJobs;
  /** Outages, on demand. */
  readonly faults: MockFaults;
  /** Requests so far, their accounts and their answers. */
  readonly journal: MockJournal;
  /**
   * Starts over: accounts and all they hold, faults, outcomes, journal. The time goes back as far as
   * `clock` here was moved; a clock of your own stays where it is. Ids never repeat, so a poller of
   * an old job gets a 404.
   */
  reset(): void;
}
