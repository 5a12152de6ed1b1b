import type { FleetQueues } from "./brakes.ts";
import { encodeId } from "./job-id.ts";
import type { SubmissionRecord } from "./records.ts";
import type { LookData } from "./submission.ts";

/** A worker's failure that is none of the service's, as of Redis, ends no submission and no wait. */
export const persistence = { attempts: 1_000, backoff: { type: "fixed", delay: 1_000 } } as const;

/** Adds the looks at a job; the same job twice is one. */
export const addLooks = async (
  { looks }: FleetQueues,
  id: string,
  { jobId = "", action, submittedAt }: SubmissionRecord,
  delayMs: number,
): Promise<void> => {
  const data: LookData = { id, jobId, action, submittedAt, waitingSince: Date.now() };
  const options = { ...persistence, jobId: encodeId(id), delay: Math.ceil(delayMs) };
  await looks.add(action, data, options);
};
