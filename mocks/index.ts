/**
 * The whole ad generation service in memory, without MSW. It imports the service and its layers, but no
 * adapter.
 *
 * @module adgen-sdk/mocks
 */

export { type Clock, createManualClock, type ManualClock } from "./domain/clock.ts";
export type { CreditPots, LedgerEntry } from "./domain/credits.ts";
export type { Span } from "./domain/draw.ts";
export type { MockJobDetail } from "./domain/inspect-job.ts";
export type { JobOutcome, Pace, Timeline } from "./domain/job-timeline.ts";
export type { JobView } from "./domain/job-view.ts";
export type { FaultOptions, OutcomeOptions } from "./domain/schedule.ts";
export type { MockFault, MockFaults, ScheduledFault } from "./faults/fault.ts";
export { refuseNetwork } from "./guard/refuse-network.ts";
export type { MockReply, MockRequest } from "./http/reply.ts";
export type { JournalEntry, JournalFilter, MockJournal } from "./journal/journal.ts";
export type { MockAccountOptions, MockServiceOptions } from "./options/options.ts";
export type { ScheduledOutcome } from "./outcomes/outcome.ts";
export type { AccountCounts, Charge, MockAccount } from "./service/account.ts";
export { createMockService } from "./service/create-mock-service.ts";
export type { AccountJobs, MockJobs } from "./service/jobs.ts";
export type { MockService } from "./service/mock-service.ts";
