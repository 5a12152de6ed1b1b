/**
 * Records of paid calls, by which each is made once, and the stores that keep them.
 *
 * @module adgen-sdk/submissions
 */

export { createSubmissions } from "./submissions/create-submissions.ts";
export { createMemoryStore } from "./submissions/memory-store.ts";
export type { NextRecord, RecordStore, StoredRecord } from "./submissions/record-store.ts";
export type { SendToRedis } from "./submissions/redis-durability.ts";
export { createRedisStore, type RedisStoreOptions } from "./submissions/redis-store.ts";
export type {
  Decision,
  FoundSubmission,
  LateJob,
  LateWrite,
  Submissions,
  SubmissionsOptions,
} from "./submissions/submissions.ts";
export type { UsageLimit, UsageLimits } from "./submissions/usage-limits.ts";
