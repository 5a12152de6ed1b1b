import type { Job, Queue } from "bullmq";
import type { FinishedJob } from "../contract/jobs.ts";
import { encodeId } from "./job-id.ts";
import type { Records } from "./records.ts";
import type { ErrorRecord, LookData, SubmissionData, SubmissionState } from "./submission.ts";

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
const hasLostLooks = async (
  { submissions, looks }: ReadQueues,
  key: string,
  isDecided: boolean,
): Promise<boolean> => {
  const queued = await submissions.getJob(key);
  // They are added before their submission completes. A decided one runs again when it has failed.
  const hasEnded = queued?.finishedOn !== undefined && !(isDecided && (await queued.isFailed()));
  return (queued === undefined || hasEnded) && (await looks.getJob(key)) === undefined;
};

const readLooks = async (
  queues: ReadQueues,
  key: string,
  isDecided: boolean,
): Promise<Pick<Submission, "state" | "job" | "error">> => {
  const job = await queues.looks.getJob(key);
  if (job === undefined && (await hasLostLooks(queues, key, isDecided))) {
    return { state: "given-up", error: removedError };
  }
  if (job?.finishedOn === undefined) return { state: "looking" };
  // An earlier attempt may have left its reason in a job that has completed since.
  const finished: FinishedJob | null | undefined = job.returnvalue;
  return finished
    ? { state: finished.status, job: finished }
    : { state: "given-up", error: job.data.error ?? endedError(job) };
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
    return { ...plain, ...(await readLooks(queues, encodeId(id), record.decided !== undefined)) };
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
