/**
 * A fleet of workers on BullMQ: submissions that are charged once, and looks that hold no worker.
 *
 * @module adgen-sdk/bullmq
 */

export type { PausedEvent } from "./bullmq/brakes.ts";
export { createJobQueue } from "./bullmq/create-job-queue.ts";
export type {
  Added,
  AddOptions,
  JobQueue,
  JobQueueOptions,
  ListHeldOptions,
} from "./bullmq/job-queue.ts";
export { type CloseOptions, type JobWorker, startJobWorker } from "./bullmq/job-worker.ts";
export type { FleetLimit, JobWorkerOptions } from "./bullmq/job-worker-options.ts";
export type { DecideUnknown } from "./bullmq/meet-unknown.ts";
export type { Submission } from "./bullmq/read-submission.ts";
export type {
  CandidateJob,
  Contradiction,
  Decision,
  ErrorRecord,
  HeldSubmission,
  LookData,
  LostSubmission,
  SubmissionData,
  SubmissionState,
} from "./bullmq/submission.ts";
export type { SubmissionAnswer } from "./bullmq/submit-step.ts";
export type { WaitForResultOptions } from "./bullmq/wait-for-result.ts";
