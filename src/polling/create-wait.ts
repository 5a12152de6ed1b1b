import { memoryOf } from "../resources/job-memory.ts";
import { type JobReader, type JobRef, readJobRef, usableIdOf } from "../resources/job-ref.ts";
import { waitAfter } from "./plan-look.ts";
import type { PollConfig } from "./poll-options.ts";
import type { LearnedDurations } from "./schedule/durations.ts";
import type { Gate, Wait } from "./wait.ts";

const settleNothing = () => {};

/** Makes the record of a wait. */
export const createWait = (
  reader: JobReader,
  ref: JobRef,
  config: PollConfig,
  surroundings: { durations: LearnedDurations; gate: Gate; now: number },
  isStepwise = false,
): Wait => {
  const { now } = surroundings;
  const id = usableIdOf(ref);
  const submission = id === undefined ? undefined : memoryOf(reader)?.submissionOf(id);
  const action = submission?.action ?? readJobRef(ref).action;
  const bornAt =
    submission === undefined ? now : now - Math.max(0, performance.now() - submission.answeredAt);
  const wait: Wait = {
    ref,
    id,
    config,
    durations: surroundings.durations,
    gate: surroundings.gate,
    isStepwise,
    startedAt: now,
    deadlineAt: now + config.timeoutMs,
    bornAt,
    isBirthKnown: submission !== undefined,
    action: typeof action === "string" ? action : undefined,
    nextAt: now,
    looks: 0,
    attempts: 0,
    blindLooks: 0,
    failures: undefined,
    lastJob: undefined,
    lookedAt: now,
    unfinishedMs: 0,
    finishedMs: undefined,
    place: "resting",
    askedAt: now,
    list: undefined,
    isUnlisted: id === undefined,
    wasWoken: false,
    stopListening: undefined,
    ending: undefined,
    resolve: settleNothing,
    reject: settleNothing,
  };
  if (submission !== undefined && !config.isPaceForced) {
    const waitMs = waitAfter(wait, { retryAfterMs: submission.retryAfterMs }, now, 0);
    wait.nextAt = Math.max(now, bornAt + Math.ceil(waitMs));
  }
  return wait;
};
