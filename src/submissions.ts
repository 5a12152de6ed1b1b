/**
 * Records of paid calls, by which each is made once, and the stores that keep them.
 *
 * @module adgen-sdk/submissions
 */

export { createSubmissions } from "./submissions/create-submissions.ts";
export type { DecidedDoubt } from "./submissions/decide.ts";
export { createMemoryStore } from "./submissions/memory-store.ts";
export type { NextRecord, RecordStore, StoredRecord } from "./submissions/record-store.ts";
export {
  createRedisStore,
  type RedisStoreOptions,
  type SendToRedis,
} from "./submissions/redis-store.ts";
export type { LateJob, LateWrite } from "./submissions/settle.ts";
export type {
  FoundSubmission,
  Submissions,
  SubmissionsOptions,
} from "./submissions/submissions.ts";
