import { assumedMessages } from "../src/contract/error-messages.ts";
import { resolveOptions } from "./config.ts";
import { createAccountView, type MockAccount, openAccount } from "./domain/accounts.ts";
import type { Clock } from "./domain/clock.ts";
import { makeId } from "./domain/ids.ts";
import { failJob } from "./domain/jobs.ts";
import type { AccountState, Context } from "./domain/state.ts";
import { readRequest, writeResponse } from "./messages.ts";
import type { MockServiceOptions } from "./options.ts";
import { answer } from "./route.ts";

/** Lets a test decide what becomes of jobs. */
export interface MockJobs {
  /**
   * Makes an unfinished job fail, now.
   *
   * @param reason - What the job's `error` says. @default "Generation failed"
   * @throws Error when there is no such job, or when it has finished
   */
  fail(jobId: string, reason?: string): void;
}

/** The whole ad generation service, in memory. */
export interface MockService {
  /**
   * Answers a request as the service would; nothing leaves the process. Takes what the global
   * `fetch` takes, and rejects as it does when the signal aborts.
   */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /** The base URL that is answered; `undefined` when every one is. */
  readonly baseUrl: string | undefined;
  /** The clock that the service goes by. */
  readonly clock: Clock;
  /** The accounts of all API keys, in the order they were given. */
  readonly accounts: readonly MockAccount[];
  /**
   * One API key's account.
   *
   * @throws Error when there is no account with that key
   */
  account(key: string): MockAccount;
  /** Decides what becomes of jobs. */
  readonly jobs: MockJobs;
  /**
   * Makes everything as new: balances, ledgers, jobs, brands, ads and the next ids. The clock
   * is left alone: it belongs to whoever made it.
   */
  reset(): void;
}

/**
 * Makes a mock of the whole service: accounts with credits, jobs that move on, brands and ads.
 *
 * @throws TypeError when an option makes no sense; the message names it
 * @example
 * ```ts
 * const service = createMockService();
 * const client = createClient({ baseUrl: "https://ads.test", apiKey: "test-key", fetch: service.fetch });
 * ```
 */
export const createMockService = (options: MockServiceOptions = {}): MockService => {
  const { accounts: starting, baseUrl, seed, clock, rules } = resolveOptions(options);
  const accounts = new Map<string, AccountState>();
  let requests = 0;

  const reset = (): void => {
    const now = clock.now();
    requests = 0;
    for (const [key, credits] of starting) {
      accounts.set(key, openAccount(key, credits, seed, now));
    }
  };
  reset();

  const contextOf = (account: AccountState): Context => ({ account, rules, now: clock.now() });

  const unknownKey = (key: string): Error =>
    new Error(`The mock has no account "${key}"; it has ${[...starting.keys()].join(", ")}`);

  const views = new Map(
    Array.from(starting.keys(), (key) => {
      const context = (): Context => {
        const account = accounts.get(key);
        if (account === undefined) throw unknownKey(key);
        return contextOf(account);
      };
      return [key, createAccountView(key, context)] as const;
    }),
  );

  return {
    fetch: async (input, init) => {
      const exchange = await readRequest(input, init, baseUrl);
      requests += 1;
      const answered = answer({ accounts, rules, baseUrl, now: clock.now() }, exchange);
      return writeResponse(exchange, answered, makeId("req", seed, requests));
    },
    baseUrl,
    clock,
    accounts: [...views.values()],
    account: (key) => {
      const view = views.get(key);
      if (view === undefined) throw unknownKey(key);
      return view;
    },
    jobs: {
      fail: (jobId, reason = assumedMessages.jobFailed) => {
        for (const account of accounts.values()) {
          const job = account.jobs.get(jobId);
          if (job === undefined) continue;
          if (failJob(contextOf(account), job, reason)) return;
          throw new Error(`The job ${jobId} has finished; it cannot fail any more`);
        }
        throw new Error(`The mock has no job ${jobId}`);
      },
    },
    reset,
  };
};
