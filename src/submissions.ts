/**
 * Records of paid calls, by which each is made once, and the stores that keep them.
 *
 * @module adgen-sdk/submissions
 */

export { createSubmissions } from "./submissions/create-submissions.ts";
export { createMemoryStore } from "./submissions/memory-store.ts";
export type { RecordStore, StoredRecord } from "./submissions/record-store.ts";
export { createRedisStore } from "./submissions/redis-store.ts";
export type { Submissions, SubmissionsOptions } from "./submissions/submissions.ts";
