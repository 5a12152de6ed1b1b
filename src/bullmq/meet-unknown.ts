import { DelayedError, type Job } from "bullmq";
import type { AdGenClient } from "../client.ts";
import { isAdGenError } from "../errors/errors.ts";
import type { Brakes } from "./brakes.ts";
import type { Records, SubmissionRecord } from "./records.ts";
import type { CandidateJob, Decision, LostSubmission, SubmissionData } from "./submission.ts";

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

/** Margin for the clocks of a fleet's machines. */
const clockMarginMs = 600_000;

const mostCandidates = 100;

/** A worker that died said nothing: its POST may be on its way for as long as it may take. */
const deathMarginMs = 2_000;

const listTries = 5;

/** Reads a time that the service may tell; `undefined` where it tells none. */
const madeAt = (job: object): number | undefined => {
  const { created_at } = job as { readonly created_at?: unknown };
  const time = typeof created_at === "string" ? Date.parse(created_at) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
};

/** Makes what happens to a submission with an intent on record and no job. */
export const createMeetUnknown = (setting: UnknownSetting) => {
  const { client, records, brakes, onUnknown, submitTimeoutMs, settleMs, candidateLimit } = setting;

  const listCandidates = async (record: SubmissionRecord): Promise<CandidateJob[]> => {
    const { items } = await client.jobs.list(candidateLimit ? { limit: candidateLimit } : {});
    const { intentAt = 0 } = record;
    const since = intentAt - clockMarginMs;
    const fitting = items.filter((job) => {
      const { action = record.action } = job as { readonly action?: unknown };
      return action === record.action && (madeAt(job) ?? since) >= since;
    });
    const left = await records.withoutOwner(fitting);
    // Of many, those that were made nearest to the POST.
    const distanceOf = (job: object): number => Math.abs((madeAt(job) ?? 0) - intentAt);
    const nearest = left.toSorted((one, other) => distanceOf(one) - distanceOf(other));
    return nearest.slice(0, mostCandidates).map((job) => {
      const { created_at } = job as { readonly created_at?: unknown };
      const { job_id, status } = job;
      return { job_id, status, ...(typeof created_at === "string" && { created_at }) };
    });
  };

  /** Lists candidates; waits and throws while the service does not answer, then does without. */
  const findCandidates = async (
    job: Job<SubmissionData>,
    token: string,
    record: SubmissionRecord,
  ): Promise<CandidateJob[] | undefined> => {
    const { tries = 0 } = job.data;
    try {
      return await listCandidates(record);
    } catch (error) {
      if (!isAdGenError(error)) throw error;
      if (error.code === "unauthorized") return brakes.paused(error, job, token);
      if (error.code === "rate_limited") return brakes.rateLimited(error, tries);
      if (tries >= listTries) return undefined;
      await job.updateData({ ...job.data, tries: tries + 1 });
      await job.moveToDelayed(Date.now() + 1_000 * 2 ** tries, token);
      throw new DelayedError();
    }
  };

  const ask = async (
    submission: LostSubmission,
    candidates: CandidateJob[] | undefined,
  ): Promise<Decision> => {
    try {
      return (await onUnknown?.(submission, candidates)) ?? "hold";
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
    const candidates = await findCandidates(job, token, record);
    const others = (await records.openIds()).filter((other) => other !== id).length;
    // Held before anybody is asked: a decision is a step from held to something else.
    if (!(await records.hold(id, intent, candidates, others))) return;
    const submission = { id, request, sentAt: intentAt, error, openElsewhere: others };
    const decision = await ask(submission, candidates);
    await job.log(`Unknown outcome; decision: ${JSON.stringify(decision)}`);
    if (decision === "hold") return;
    const done = await records.decide(id, decision);
    const isMade = done === "decided" || done === "carried-out";
    if (!isMade) await job.log(`The decision was not carried out: ${done}`);
  };
};
