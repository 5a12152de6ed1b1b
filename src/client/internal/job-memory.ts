import { forgetOldest } from "./forget-oldest.ts";

/** Lists what the client's submissions have left open, for `recoverJobs`; `undefined` without submissions. */
type Recover = (options?: object) => Promise<unknown> | undefined;

/** Actions of jobs as submitted, whose answers do not say them. */
const submittedActions = new WeakMap<object, unknown>();

/** Notes the action of a job as submitted. Its references know it then, however many jobs follow. */
export const noteAction = (job: object, action: unknown): void => {
  submittedActions.set(job, action);
};

/** `undefined` for an object that is no answer to a submission. */
export const actionOf = (job: object): unknown => submittedActions.get(job);

/** Facts about a job that this client has submitted. */
export interface AnsweredSubmission {
  readonly action: unknown;
  /** When the answer came, by `performance.now()`; `undefined` for one that was on record. */
  readonly answeredAt: number | undefined;
  /** Wait that the submission's answer asked for. */
  readonly retryAfterMs: number | undefined;
}

/** A client's memory of its jobs, for their schemas, their waits and lost submissions. */
export interface JobMemory {
  readonly noteSubmitted: (jobId: string, facts: AnsweredSubmission) => void;
  /** `undefined` for jobs that others have submitted. */
  readonly submissionOf: (jobId: string) => AnsweredSubmission | undefined;
  readonly noteSeen: (jobId: string) => void;
  /** Time of the first answer that has shown the job, by `performance.now()`. */
  readonly seenAt: (jobId: string) => number | undefined;
  /** Submissions without an end. */
  readonly underWay: Set<Promise<unknown>>;
  /** Times at which failed submissions began, by their errors. */
  readonly failures: WeakMap<object, number>;
  readonly recover: Recover;
}

/** It forgets the oldest jobs first. */
export const createJobMemory = (recover: Recover): JobMemory => {
  const submissions = new Map<string, AnsweredSubmission>();
  /** Times of first sight. */
  const seen = new Map<string, number>();
  const underWay = new Set<Promise<unknown>>();
  return {
    noteSubmitted: (jobId, facts) => {
      submissions.set(jobId, facts);
      forgetOldest(submissions);
    },
    submissionOf: (jobId) => submissions.get(jobId),
    noteSeen: (jobId) => {
      if (seen.has(jobId)) return;
      seen.set(jobId, performance.now());
      forgetOldest(seen);
    },
    seenAt: (jobId) => seen.get(jobId),
    underWay,
    failures: new WeakMap(),
    recover,
  };
};

const memories = new WeakMap<object, JobMemory>();

/** Remembers the memory of `client.jobs`, for its waits. */
export const withMemory = <Jobs extends object>(jobs: Jobs, memory: JobMemory): Jobs => {
  memories.set(jobs, memory);
  return jobs;
};

/** `undefined` for an object of the caller's own. */
export const memoryOf = (jobs: object): JobMemory | undefined => memories.get(jobs);
