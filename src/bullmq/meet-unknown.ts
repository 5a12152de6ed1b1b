import { DelayedError, type Job } from "bullmq";
import type { AdGenClient } from "../client.ts";
import { isAdGenError } from "../errors/errors.ts";
import type { Brakes } from "./brakes.ts";
import { findCandidates, listRecentJobs } from "./candidates.ts";
import type { Records, SubmissionRecord } from "./records.ts";
import type {
  CandidateJob,
  Candidates,
  Decision,
  LostSubmission,
  SubmissionData,
} from "./submission.ts";

/** Decides on a submission of which nobody knows whether it made a job. */
export type DecideUnknown = (
  submission: LostSubmission,
  candidates: readonly CandidateJob[] | undefined,
) => Decision | Promise<Decision>;

/** Parts of a worker that a lost submission meets. */
export interface UnknownSetting {
  readonly client: AdGenClient;
  readonly records: Records;
  readonly brakes: Brakes;
  readonly onUnknown: DecideUnknown | undefined;
  /** Time that the POST of another execution may still take, in milliseconds. */
  readonly submitTimeoutMs: number;
  /** Time in which the service may not list a new job yet, in milliseconds. */
  readonly settleMs: number;
  /** Number of recent jobs to list; the service's own where absent. */
  readonly candidateLimit: number | undefined;
}

/** A worker that died said nothing: its POST may be on its way for as long as it may take. */
const deathMarginMs = 2_000;

const listTries = 5;

/** Makes what happens to a submission with an intent on record and no job. */
export const createMeetUnknown = (setting: UnknownSetting) => {
  const { client, records, brakes, onUnknown, submitTimeoutMs, settleMs, candidateLimit } = setting;

  /** Lists candidates; waits and throws while the service does not answer, then does without. */
  const listCandidates = async (
    job: Job<SubmissionData>,
    token: string,
    record: SubmissionRecord,
  ): Promise<Candidates> => {
    const { tries = 0 } = job.data;
    try {
      const jobs = await listRecentJobs(client, candidateLimit, [record]);
      return await findCandidates(jobs, record, records);
    } catch (error) {
      if (!isAdGenError(error)) throw error;
      if (error.code === "unauthorized") return brakes.paused(error, job, token);
      if (error.code === "rate_limited") return brakes.rateLimited(error, tries);
      if (tries >= listTries) return { isComplete: false };
      await job.updateData({ ...job.data, tries: tries + 1 });
      await job.moveToDelayed(Date.now() + 1_000 * 2 ** tries, token);
      throw new DelayedError();
    }
  };

  const ask = async (
    submission: LostSubmission,
    candidates: readonly CandidateJob[] | undefined,
  ): Promise<Decision> => {
    try {
      const decision = (await onUnknown?.(submission, candidates)) ?? "hold";
      // A program may not pay again by a list that need not show the job. A person may.
      return decision === "resubmit" && !submission.isComplete ? "hold" : decision;
    } catch (error) {
      console.error("adgen-sdk: onUnknown failed", error);
      return "hold";
    }
  };

  /** Waits, then holds the submission, and carries out what `onUnknown` decides. */
  return async (job: Job<SubmissionData>, token: string): Promise<void> => {
    const { id, request } = job.data;
    const record = await records.read(id);
    if (record?.state !== "intent") return;
    const { intentAt = 0, unknownAt, token: intent = "", error } = record;
    const readyAt = (unknownAt ?? intentAt + submitTimeoutMs + deathMarginMs) + settleMs;
    if (Date.now() < readyAt) {
      await job.moveToDelayed(readyAt, token);
      throw new DelayedError();
    }
    const found = await listCandidates(job, token, record);
    const others = (await records.openIds()).filter((other) => other !== id).length;
    // Held before anybody is asked: a decision is a step from held to something else.
    if (!(await records.hold(id, intent, found, others))) return;
    const { candidates, isComplete } = found;
    const facts = { id, request, sentAt: intentAt, error };
    const submission = { ...facts, openElsewhere: others, isComplete };
    const decision = await ask(submission, candidates);
    await job.log(`Unknown outcome; decision: ${JSON.stringify(decision)}`);
    if (decision === "hold") return;
    const done = await records.decide(id, decision);
    const isMade = done === "decided" || done === "carried-out";
    if (!isMade) await job.log(`The decision was not carried out: ${done}`);
  };
};
