import { isAction } from "../../contract/actions.ts";
import type { JobReader } from "../http/job-ref.ts";
import type { WaitTicket } from "./poll-ticket.ts";

/** Number of durations to keep for each action, for the jobs that were submitted last. */
const maxKept = 20;

/** Fewer durations than this don't tell the shortest time of a job. */
const minKnown = 5;

/** A wait that begins this long after the submission may have missed the end of its job. */
const maxLateStartMs = 1_000;

/**
 * A job that finished before its first poll counts with less than its age. Otherwise first polls
 * would never come sooner, however quick the service has become.
 */
const shareOfFirstPoll = 0.75;

interface SeenJob {
  readonly submittedAt: number;
  readonly durationMs: number;
}

/** The durations that each client's waits have seen, by action, last submitted first. */
const seen = new WeakMap<JobReader, Map<string, readonly SeenJob[]>>();

const seenJobs = (reader: JobReader, action: string): readonly SeenJob[] =>
  seen.get(reader)?.get(action) ?? [];

/** Returns the durations of the last jobs of an action, in milliseconds. */
export const durationsOf = (reader: JobReader, action = ""): readonly number[] =>
  seenJobs(reader, action).map(({ durationMs }) => durationMs);

/** What a wait knows about its job when the job has completed. */
interface CompletedWait {
  readonly reader: JobReader;
  /** The ticket before this poll. */
  readonly before: WaitTicket;
  readonly action: string | undefined;
  /** Time of the previous poll, and of this one. */
  readonly polledAt: number;
  readonly now: number;
}

/** Notes how long a job took. It finished between the last two polls, so the midpoint counts. */
export const noteDuration = ({ reader, before, action, polledAt, now }: CompletedWait): void => {
  const { submittedAt, startedAt, lastJob } = before;
  // Actions that the API's document doesn't name would fill the memory.
  if (submittedAt === undefined || !isAction(action)) return;
  const isFirstPoll = lastJob === undefined;
  if (isFirstPoll && startedAt - submittedAt > maxLateStartMs) return;
  const durationMs = isFirstPoll
    ? shareOfFirstPoll * (now - submittedAt)
    : (polledAt + now) / 2 - submittedAt;
  // Sort by submission, because among jobs submitted together the slowest finish last.
  const kept = [{ submittedAt, durationMs }, ...seenJobs(reader, action)]
    .sort((one, other) => other.submittedAt - one.submittedAt)
    .slice(0, maxKept);
  seen.set(reader, (seen.get(reader) ?? new Map()).set(action, kept));
};

/** Returns the upper median; `undefined` for no durations. */
export const medianOf = (durations: readonly number[]): number | undefined =>
  [...durations].sort((one, other) => one - other)[Math.floor(durations.length / 2)];

/** Returns the shortest duration, or 0 while too few are known. */
export const minimumOf = (durations: readonly number[]): number =>
  durations.length < minKnown ? 0 : Math.min(...durations);
