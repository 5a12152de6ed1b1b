import type { ManualClock } from "../domain/clock.ts";
import type { MockFace, MockFaults } from "../faults/fault.ts";
import type { MockReply, MockRequest, ReadRequest } from "../http/reply.ts";
import type { MockJournal } from "../journal/journal.ts";
import type { MockAccountOptions } from "../options/options.ts";
import type { MockJobs } from "../outcomes/steer-jobs.ts";
import type { MockSnapshot, SnapshotOptions } from "../world/snapshot.ts";
import type { MockAccount } from "./account.ts";

/** The whole ad generation service, in memory. */
export interface MockService {
  /**
   * Answers a request as the service would; nothing leaves the process. Takes what the global
   * `fetch` takes, and rejects as it does when the signal aborts.
   */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /**
   * The same as plain data, for a face of your own (another HTTP server, another interceptor):
   * what to answer, and which fault to play while answering.
   *
   * @throws what reading the request's body throws
   */
  reply(request: MockRequest): Promise<MockReply>;
  /**
   * The same at once, for a request that has been read.
   *
   * @throws TypeError when the URL is none
   */
  replyNow(request: ReadRequest): MockReply;
  /** The base URL that is answered; `undefined` when every one is. */
  readonly baseUrl: string | undefined;
  /**
   * The time that the service goes by: that of the `clock` it was given, and by how much it was
   * moved here. Moving it moves every account's, and leaves the given clock where it is.
   */
  readonly clock: ManualClock;
  /** The accounts of all API keys, in the order they were given. */
  readonly accounts: readonly MockAccount[];
  /**
   * One API key's account.
   *
   * @throws Error when there is no account with that key
   */
  account(key: string): MockAccount;
  /**
   * Opens one more account; `reset` closes it again.
   *
   * @throws TypeError when an option makes no sense, or when there is an account with that key
   */
  addAccount(key: string, options?: MockAccountOptions): MockAccount;
  /** Decides what becomes of jobs. */
  readonly jobs: MockJobs;
  /** Outages, on demand. */
  readonly faults: MockFaults;
  /** What was asked, by whom, and what was answered. */
  readonly journal: MockJournal;
  /**
   * One picture of a job, or of a video, as the text of an SVG; with `artwork: "served"` an HTTP
   * face answers it at the URL in the result.
   *
   * @param variation - From 1
   * @returns `undefined` when there is no such job, or it makes no such picture
   */
  artwork(jobId: string, variation: number): string | undefined;
  /**
   * Says that a face of your own answers for the service: faults that it cannot play are then
   * refused by `faults.play`.
   *
   * @returns takes it back
   * @throws TypeError when such a fault is planned already
   */
  attach(face: MockFace): () => void;
  /** Everything there is, as plain JSON: accounts, jobs, faults, journal, the time, the next ids. */
  snapshot(options?: SnapshotOptions): MockSnapshot;
  /**
   * Makes everything as it was in a snapshot, the time included. The options stay: timelines,
   * prices and the like are not part of it.
   *
   * @throws TypeError when it is not a snapshot; nothing has changed then
   */
  restore(snapshot: MockSnapshot): void;
  /**
   * Another service with the same options, in the same state; what happens to one does not happen
   * to the other. Both go with the `clock` that was given.
   */
  fork(): MockService;
  /**
   * Makes everything as new: balances, ledgers, jobs, brands, ads, faults, outcomes, journal, the
   * next ids, and the time as far as it was moved by `clock` here. A clock that you handed in is
   * left alone: it is yours.
   */
  reset(): void;
}
