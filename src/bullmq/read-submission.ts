import type { Job, Queue } from "bullmq";
import type { FinishedJob, JobRequest, Job as ListedJob } from "../contract/jobs.ts";
import { findCandidates } from "./candidates.ts";
import { encodeId } from "./job-id.ts";
import type { Records, SubmissionRecord } from "./records.ts";
import type {
  ErrorRecord,
  HeldSubmission,
  LookData,
  SubmissionData,
  SubmissionState,
} from "./submission.ts";

/** A submission as it is now. */
export interface Submission {
  /** Your id of it. */
  readonly id: string;
  /** Its action. */
  readonly action: string;
  /**
   * Its state:
   * - `waiting`, `submitting` and `looking` follow each other;
   * - `completed` and `failed`: the service's job has finished so;
   * - `refused`: the service made no job;
   * - `held`: nobody knows whether it made one, so decide;
   * - `dropped`: given up by decision;
   * - `given-up`: the wait ended with `error`. The job may still finish.
   */
  readonly state: SubmissionState;
  /** Identifier of the service's job, once it is known. */
  readonly jobId?: string | undefined;
  /** The finished job. */
  readonly job?: FinishedJob | undefined;
  /** Error of a submission that was refused, is held, or was given up. */
  readonly error?: ErrorRecord | undefined;
}

/** The two queues, as they are read. */
export interface ReadQueues {
  readonly submissions: Queue<SubmissionData>;
  readonly looks: Queue<LookData>;
}

/** A BullMQ job that was ended by something else than this library, as by hand. */
const endedError = ({ failedReason }: Job): ErrorRecord => ({
  code: "config",
  message: `the BullMQ job failed: ${failedReason}`,
});

/** A wait whose BullMQ job was removed, by hand or by `removeOnComplete`: nobody looks. */
const removedError: ErrorRecord = {
  code: "config",
  message: "the BullMQ job that waits for it was removed: add the same again to wait anew",
};

/** Tells whether the looks at a job were added once, and are not there any more. */
const hasLostLooks = async ({ submissions, looks }: ReadQueues, key: string): Promise<boolean> => {
  const queued = await submissions.getJob(key);
  // They are added before their submission completes. A failed one has been decided, and runs again.
  if (queued !== undefined && !(await queued.isCompleted())) return false;
  return (await looks.getJob(key)) === undefined;
};

const readLooks = async (
  queues: ReadQueues,
  key: string,
): Promise<Pick<Submission, "state" | "job" | "error">> => {
  const job = await queues.looks.getJob(key);
  if (job === undefined && (await hasLostLooks(queues, key))) {
    return { state: "given-up", error: removedError };
  }
  if (job?.finishedOn === undefined) return { state: "looking" };
  if (job.failedReason) return { state: "given-up", error: job.data.error ?? endedError(job) };
  const finished: FinishedJob = job.returnvalue;
  return { state: finished.status, job: finished };
};

/** Reads where a submission stands; `undefined` where there is none. */
export const readSubmission = async (
  queues: ReadQueues,
  records: Records,
  id: string,
): Promise<Submission | undefined> => {
  const record = await records.read(id);
  if (record === undefined) return undefined;
  const { action, jobId, error } = record;
  const plain = { id, action, ...(jobId !== undefined && { jobId }) };
  if (jobId !== undefined) {
    return { ...plain, ...(await readLooks(queues, encodeId(id))) };
  }
  if (record.state === "held" || record.state === "dropped") {
    return { ...plain, state: record.state, ...(error && { error }) };
  }
  if (record.state === "intent") return { ...plain, state: "submitting" };
  const job = await queues.submissions.getJob(encodeId(id));
  // A refused one whose BullMQ job was removed, or has ended, has been refused for good.
  if (record.state === "refused" && (job === undefined || job.finishedOn !== undefined)) {
    return { ...plain, state: "refused", ...(error && { error }) };
  }
  // The BullMQ job of a decided one is still failed for a moment, until it runs again.
  if (job?.finishedOn === undefined || record.decided !== undefined) {
    return { ...plain, state: "waiting" };
  }
  return { ...plain, state: "refused", error: job.data.error ?? endedError(job) };
};

/**
 * Reads a held submission, with those candidates that no submission has claimed meanwhile, or with
 * those among `recent` jobs.
 */
export const readHeld = async (
  { submissions }: ReadQueues,
  records: Records,
  id: string,
  recent: readonly ListedJob[] | undefined,
): Promise<HeldSubmission | undefined> => {
  const record: SubmissionRecord | undefined = await records.read(id);
  if (record?.state !== "held") return undefined;
  const { action, intentAt = 0, heldAt = 0, error, openElsewhere } = record;
  const queued = await submissions.getJob(encodeId(id));
  // Somebody may have removed the BullMQ job by hand: then its action alone is known.
  const request = queued?.data.request ?? ({ action } as JobRequest);
  const { isComplete } = record;
  const known = record.candidates && (await records.withoutOwner(record.candidates));
  const found = recent
    ? await findCandidates(recent, record, records)
    : { isComplete, candidates: known };
  return { id, request, sentAt: intentAt, heldAt, error, openElsewhere, ...found };
};
