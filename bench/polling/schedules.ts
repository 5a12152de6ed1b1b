/** Waits by a schedule alone, without a client: polls cost nothing and take no time. */
import type { Schedule as Learned } from "../../src/polling/schedule/durations.ts";
import type { Wait } from "./effort.ts";
import { action } from "./job-service.ts";

/** Says when to poll next, from the time of the last poll and the number of polls so far. */
export type Schedule = (waitedMs: number, polls: number) => number;

/** Polls a job of that duration until it has finished, or until the deadline. */
export const simulate = (
  schedule: Schedule,
  durationMs: number,
  deadlineMs = Number.POSITIVE_INFINITY,
): Wait & { readonly unfinishedAtMs: number } => {
  let [polls, lookedAt, unfinishedAtMs] = [0, 0, 0];
  for (;;) {
    const at = Math.min(deadlineMs, schedule(lookedAt, polls));
    polls += 1;
    if (at >= durationMs || at >= deadlineMs) {
      return { durationMs, polls, delayMs: at - durationMs, unfinishedAtMs };
    }
    lookedAt = at;
    unfinishedAtMs = at;
  }
};

/** The first poll comes after one interval. */
export const fixed =
  (intervalMs: number): Schedule =>
  (waitedMs) =>
    waitedMs + intervalMs;

interface Growth {
  readonly factor: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Part by which each wait is longer or shorter. */
  readonly jitter?: number;
}

/** The first poll comes at once. */
export const backOff =
  ({ factor, fromMs, toMs, jitter = 0 }: Growth, random: () => number): Schedule =>
  (waitedMs, polls) => {
    if (polls === 0) return 0;
    const wait = Math.min(fromMs * factor ** (polls - 1), toMs);
    return waitedMs + wait * (1 + jitter * (2 * random() - 1));
  };

/** Ours, by what was learned of the action. */
export const learned =
  (durations: Learned, targetDelayMs?: number): Schedule =>
  (waitedMs) =>
    durations.nextPollAt(action, waitedMs, targetDelayMs);

/** Polls jobs one after the other by our schedule, which learns from each. */
export const simulateLearning = (
  durations: Learned,
  jobs: readonly number[],
  targetDelayMs?: number,
): Wait[] =>
  jobs.map((durationMs) => {
    const wait = simulate(learned(durations, targetDelayMs), durationMs);
    durations.add(action, { afterMs: wait.unfinishedAtMs, byMs: durationMs + wait.delayMs });
    return wait;
  });
