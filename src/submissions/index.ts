/**
 * Submissions keep a record of each paid call with an id, so that a repeat of the call is not paid
 * twice, and list the calls about which a person must decide. This folder may import the contract,
 * and of the client only `errors`, `options` and `internal`. Only `file-store/` and `command/` may
 * use modules of Node.
 *
 * @module adgen-sdk/submissions
 */

export type { Doubt, SubmissionFacts } from "../client/errors/doubt.ts";
export type {
  DamagedRecord,
  Decision,
  FoundSubmission,
  OpenSubmissions,
  RecentJobs,
  RecoverOptions,
  Submissions,
  SubmissionUnderWay,
} from "../client/options/submissions.ts";
export { createSubmissions } from "./create-submissions.ts";
export { recoverJobs } from "./recover-jobs.ts";
export { createMemoryStore } from "./store/memory-store.ts";
export type { NextRecord, RecordStore, StoredRecord } from "./store/record-store.ts";
export type { SendToRedis } from "./store/redis-durability.ts";
export { createRedisStore, type RedisStoreOptions } from "./store/redis-store.ts";
export type { UsageLimit, UsageLimits } from "./store/usage-limits.ts";
export type { LateJob, LateWrite, SubmissionsOptions } from "./submissions-options.ts";
