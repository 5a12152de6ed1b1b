/**
 * The whole ad generation service in memory, without MSW.
 *
 * @module adgen-sdk/mocks
 */

export type { CreditKind } from "../src/contract/actions.ts";
export type { EndpointName } from "../src/contract/endpoint.ts";
export type { AccountJobs, Charge, MockAccount } from "./account.ts";
export { createMockService } from "./create-mock-service.ts";
export { type Clock, createManualClock, type ManualClock } from "./domain/clock.ts";
export type { CreditPots, LedgerEntry } from "./domain/credits.ts";
export type { Pace, TimedPace, Timeline } from "./domain/job-timeline.ts";
export type { JobView } from "./domain/jobs.ts";
export type { Span } from "./domain/span.ts";
export type { StartingCredits } from "./domain/state.ts";
export type {
  BodyFault,
  ConnectionFault,
  DripFault,
  FaultOptions,
  GarbledFault,
  HtmlFault,
  LatencyFault,
  MockFace,
  MockFault,
  MockFaults,
  PlannedFault,
  RateLimitFault,
  StatusFault,
} from "./fault-plan.ts";
export type { JournalAnswer, JournalEntry, JournalFilter, MockJournal } from "./journal.ts";
export type { MockJobs, MockService } from "./mock-service.ts";
export type { MockAccountOptions, MockServiceOptions } from "./options.ts";
export type { JobOutcome, OutcomeOptions } from "./outcome.ts";
export type { Delivery, MockReply, MockRequest, ReadRequest } from "./reply.ts";
export type { MockSnapshot, SnapshotOptions } from "./snapshot.ts";
