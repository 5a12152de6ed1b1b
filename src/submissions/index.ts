/**
 * Records of paid calls, by which each is made once, and the stores that keep them.
 *
 * @module adgen-sdk/submissions
 */

export type { Doubt, SubmissionFacts } from "../client/errors/doubt.ts";
export { createSubmissions } from "./create-submissions.ts";
export { createMemoryStore } from "./memory-store.ts";
export type { NextRecord, RecordStore, StoredRecord } from "./record-store.ts";
export { recoverJobs } from "./recover-jobs.ts";
export type { SendToRedis } from "./redis-durability.ts";
export { createRedisStore, type RedisStoreOptions } from "./redis-store.ts";
export type {
  DamagedRecord,
  Decision,
  FoundSubmission,
  LateJob,
  LateWrite,
  OpenSubmissions,
  RecentJobs,
  RecoverOptions,
  Submissions,
  SubmissionsOptions,
  SubmissionUnderWay,
} from "./submissions.ts";
export type { UsageLimit, UsageLimits } from "./usage-limits.ts";
