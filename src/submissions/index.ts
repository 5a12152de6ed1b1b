/**
 * Records of paid calls, so that each is paid once, and the stores that keep these records. The folder
 * imports the contract and, from the client, errors, options and internal helpers. Only the store in
 * a file and the command import `node:` modules.
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
