/**
 * The whole ad generation service in memory, without MSW.
 *
 * @module adgen-sdk/mocks
 */

export type { CreditKind } from "../src/contract/actions.ts";
export type { MockAccount, StartingCredits } from "./domain/accounts.ts";
export { type Clock, createManualClock, type ManualClock } from "./domain/clock.ts";
export type { CreditPots, LedgerEntry } from "./domain/credits.ts";
export type { Timeline } from "./domain/job-timeline.ts";
export { createMockService, type MockJobs, type MockService } from "./mock-service.ts";
export type { MockAccountOptions, MockServiceOptions } from "./options.ts";
