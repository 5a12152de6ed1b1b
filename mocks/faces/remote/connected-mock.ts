/// <reference lib="esnext.disposable" />
/** Types of the face: those of the service, where every answer comes by a promise. */
import type { ManualClock } from "../../domain/clock.ts";
import type { MockFaults } from "../../faults/fault.ts";
import type { MockJournal } from "../../journal/journal.ts";
import type { MockAccountOptions } from "../../options/options.ts";
import type { AccountJobs, MockJobs } from "../../outcomes/steer-jobs.ts";
import type { MockAccount } from "../../service/account.ts";
import type { MockService } from "../../service/mock-service.ts";

/**
 * A part of the service as it is steered over HTTP. Methods keep their arguments, and values become
 * methods without arguments. All of them answer by a promise, which rejects with an `Error`.
 */
export type OverHttp<Part> = {
  readonly [Name in keyof Part]: Part[Name] extends (...given: infer Given) => infer Answer
    ? (...given: Given) => Promise<Answer>
    : () => Promise<Part[Name]>;
};

/** Parts of an account that have parts of their own. */
type AccountParts = "key" | "clock" | "jobs" | "faults" | "journal";

/**
 * The account of one API key on the server. Its methods reject when there is no such account.
 * `await using` removes it at the end of the block.
 */
export interface ConnectedAccount
  extends OverHttp<Omit<MockAccount, AccountParts>>,
    AsyncDisposable {
  /** The API key that opens it. */
  readonly key: string;
  /** The account's own time. It goes with the server's, and moves ahead of it here. */
  readonly clock: OverHttp<ManualClock>;
  /** The account's jobs, to look at, and to decide how the next ones end. */
  readonly jobs: OverHttp<AccountJobs>;
  /** Outages for this account alone. */
  readonly faults: OverHttp<MockFaults>;
  /** The requests with this key. */
  readonly journal: OverHttp<MockJournal>;
  /** Removes the account with all that it holds; `false` when it is gone already. */
  remove(): Promise<boolean>;
}

/** Options of `openAccount`. @inline */
export type OpenAccountOptions = MockAccountOptions & {
  /** API key of the account, which no other account has. @default "test-" and random letters */
  readonly key?: string;
};

/** Options of `ready`. @inline */
export type ReadyOptions = {
  /** Milliseconds to wait at most, zero or more; zero looks once. @default 10000 */
  readonly timeoutMs?: number;
};

/** Methods of the service that work the same way over HTTP. */
type ServiceMethods = Pick<MockService, "removeAccount" | "priceOf" | "reset">;

/** A mock server, steered from another process as a test steers its own service. */
export interface ConnectedMock extends OverHttp<ServiceMethods> {
  /** Base URL for clients, without a slash at its end; the page is at `/__mock/` below it. */
  readonly url: string;
  /**
   * Waits until the server answers.
   *
   * @throws Error when no server answers until then, or at once when another service answers
   * @throws TypeError when `timeoutMs` makes no sense
   */
  ready(options?: ReadyOptions): Promise<void>;
  /** Lists the accounts of all API keys, in the order they were opened. */
  accounts(): Promise<readonly ConnectedAccount[]>;
  /** Returns the account of an API key. Nothing is sent, so that an unknown key is not noticed yet. */
  account(key: string): ConnectedAccount;
  /**
   * Opens one more account. Tests that share the server take one each: they see nothing of each
   * other.
   *
   * @throws Error when an option makes no sense, or when an account has that key already
   */
  openAccount(options?: OpenAccountOptions): Promise<ConnectedAccount>;
  /** The server's time. Moving it moves the clock of every account. */
  readonly clock: OverHttp<ManualClock>;
  /** Jobs of all accounts, to look at, and to decide how they end. */
  readonly jobs: OverHttp<MockJobs>;
  /** Outages, on demand. */
  readonly faults: OverHttp<MockFaults>;
  /** Requests so far, their accounts and their answers. */
  readonly journal: OverHttp<MockJournal>;
}
