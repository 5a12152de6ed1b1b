/*
 * Small tools without a subject of their own: sleeping, semaphores, ids, memories. This folder
 * imports nothing but the contract.
 */

/** Most entries that a process remembers of one kind. */
export const maxRemembered = 10_000;

/** Deletes the oldest entries beyond the limit. */
export const forgetOldest = <K>(noted: Map<K, unknown> | Set<K>, max = maxRemembered): void => {
  for (const oldest of noted.keys()) {
    if (noted.size <= max) return;
    noted.delete(oldest);
  }
};

/**
 * Lists the open submissions, for `recoverJobs`. It returns `undefined` for a client without
 * submissions.
 */
type Recover = (options?: object) => Promise<unknown> | undefined;

/** The actions of submitted jobs, because the responses don't name them. */
const submittedActions = new WeakMap<object, unknown>();

/**
 * Notes the action of a submitted job on the job object itself, so that it isn't forgotten among
 * many jobs.
 */
export const noteAction = (job: object, action: unknown): void => {
  submittedActions.set(job, action);
};

/** Returns the noted action, or `undefined` for an object that didn't come from a submission. */
export const actionOf = (job: object): unknown => submittedActions.get(job);

/** Facts about a job that this client has submitted. */
export interface AnsweredSubmission {
  readonly action: unknown;
  /** When the response came, by `performance.now()`; `undefined` if it came from a record. */
  readonly answeredAt: number | undefined;
  /** Wait that the submission's answer asked for. */
  readonly retryAfterMs: number | undefined;
}

/** A client's memory of its jobs. Schemas, waits and `findLostJobs` need it. */
export interface JobMemory {
  readonly noteSubmitted: (jobId: string, facts: AnsweredSubmission) => void;
  /** Returns `undefined` for jobs that this client hasn't submitted. */
  readonly submissionOf: (jobId: string) => AnsweredSubmission | undefined;
  readonly noteSeen: (jobId: string) => void;
  /** Returns when a response first showed the job, by `performance.now()`. */
  readonly seenAt: (jobId: string) => number | undefined;
  /** Submissions that haven't ended yet. */
  readonly underWay: Set<Promise<unknown>>;
  /** When failed submissions began, by their errors. */
  readonly failures: WeakMap<object, number>;
  readonly recover: Recover;
}

/** Creates a memory that forgets the oldest jobs first. */
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

/** Attaches a memory to `client.jobs`. */
export const withMemory = <Jobs extends object>(jobs: Jobs, memory: JobMemory): Jobs => {
  memories.set(jobs, memory);
  return jobs;
};

/** Returns the memory of `client.jobs`, or `undefined` for an object that the caller wrote. */
export const memoryOf = (jobs: object): JobMemory | undefined => memories.get(jobs);
