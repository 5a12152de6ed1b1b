/**
 * The whole ad generation service in memory, without MSW.
 *
 * @module adgen-sdk/mocks
 */

export { type Clock, createManualClock, type ManualClock } from "./domain/clock.ts";
export type { CreditPots, LedgerEntry } from "./domain/credits.ts";
export type { JobCost, MockJobDetail } from "./domain/inspect-job.ts";
export type { JobTimes, Pace, TimedPace, Timeline } from "./domain/job-timeline.ts";
export type { JobView } from "./domain/job-view.ts";
export type { JobCounts } from "./domain/jobs.ts";
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
} from "./faults/fault.ts";
export type { Delivery, MockReply, MockRequest, ReadRequest } from "./http/reply.ts";
export type { JournalAnswer, JournalEntry } from "./journal/entry.ts";
export type { JournalFilter } from "./journal/filter.ts";
export type { MockJournal } from "./journal/journal.ts";
export type { AnswerClass, JournalPage, JournalSearch } from "./journal/search.ts";
export { refuseNetwork } from "./network/refuse-network.ts";
export type { ArtworkOptions, MockAccountOptions, MockServiceOptions } from "./options/options.ts";
export type { FoundJob, FoundJobs, JobSearch } from "./outcomes/job-search.ts";
export type {
  JobOutcome,
  OutcomeOptions,
  PlannedOutcome,
  PlannedOutcomes,
} from "./outcomes/outcome.ts";
export type { AccountJobs, MockJobs } from "./outcomes/steer-jobs.ts";
export type { ArtworkFormat, ArtworkFormats, PictureFormat } from "./seeded/artwork.ts";
export type { Span } from "./seeded/draw.ts";
export type { AccountCounts, Charge, MockAccount } from "./service/account.ts";
export { createMockService } from "./service/create-mock-service.ts";
export type { MockService } from "./service/mock-service.ts";
export type { MockSnapshot, SnapshotOptions } from "./world/snapshot.ts";
