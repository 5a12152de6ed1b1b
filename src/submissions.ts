/**
 * Records of paid calls, by which each is made once, and the stores that keep them.
 *
 * @module adgen-sdk/submissions
 */

export type { Doubt, SubmissionFacts } from "./errors/doubt.ts";
export { createSubmissions } from "./submissions/create-submissions.ts";
export { createMemoryStore } from "./submissions/memory-store.ts";
export type { NextRecord, RecordStore, StoredRecord } from "./submissions/record-store.ts";
export { recoverJobs } from "./submissions/recover-jobs.ts";
export type { SendToRedis } from "./submissions/redis-durability.ts";
export { createRedisStore, type RedisStoreOptions } from "./submissions/redis-store.ts";
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
} from "./submissions/submissions.ts";
export type { UsageLimit, UsageLimits } from "./submissions/usage-limits.ts";
