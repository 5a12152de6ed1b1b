import { isAdGenError } from "../client/errors/errors.ts";
import { createRandomId } from "../client/internal/random-id.ts";
import { waitAtMost } from "../client/internal/sleep.ts";
import { callObserver } from "../client/options/hooks.ts";
import type { PaidAnswer, SendPaid, SentAnswer } from "../client/options/submissions.ts";
import * as errors from "./call-errors.ts";
import { type StoreClock, startCounting } from "./store/clock.ts";
import {
  type Attempt,
  formatRecord,
  isUndecided,
  jobIdOf,
  type SubmissionRecord,
} from "./store/record.ts";
import { type Change, type Records, storeError } from "./store/records.ts";
import { retryInBackground } from "./store/retry-in-background.ts";
import type { LateJob, LateWrite } from "./submissions-options.ts";

/** A lease outlasts its call by this time. The POST may start late by half of it. */
const marginMs = 10_000;

/** Pauses between reads of a submission that another call is sending. */
const firstPauseMs = 100;
const maxPauseMs = 2_000;

/** Longest time for which a call waits for a record that the store refuses, or that nobody needs. */
const recordWaitMs = 1_000;

/** Copies an answer, which its caller may change later. Returns `undefined` if it is too deep for JSON. */
const copyOf = (answer: unknown): unknown => {
  try {
    return answer === undefined ? undefined : JSON.parse(JSON.stringify(answer));
  } catch {
    return undefined;
  }
};

/** Creates the function that makes paid calls, each at most once for its id. */
export const createRunOnce = (
  records: Records,
  clock: StoreClock,
  onLateJob: (job: LateJob) => void,
  onLateWrite: (late: LateWrite) => void,
) => {
  /** Writes the end of an attempt. If a person has decided about the attempt, reports its job instead. */
  const writeEnd = async (
    id: string,
    { token }: Attempt,
    record: SubmissionRecord | undefined,
  ): Promise<void> => {
    const jobId = jobIdOf(record);
    // The mark comes first: without it, a person could adopt the job for another submission.
    const owner =
      record && jobId ? await records.claim(jobId, id, formatRecord(record, 0).ttlMs) : undefined;
    const end = await records.change(id, (now): Change => {
      // A person decided "resubmit", but nothing was sent again yet: this answer saves the second payment.
      if (now === undefined) return record?.state === "settled" ? record : undefined;
      const isOwn = now.record?.attempt.token === token && isUndecided(now.record);
      return isOwn ? (record ?? "free") : undefined;
    });
    const isKept = jobId === undefined || jobIdOf(end?.record) === jobId;
    if (!isKept || owner !== undefined)
      callObserver("onLateJob", onLateJob, { id, jobId: jobId ?? "" });
  };

  /** Writes the end of an attempt, and keeps retrying while the store fails. Never rejects; returns after a second at most. */
  const writeEndOrRetry = async (
    id: string,
    attempt: Attempt,
    record?: SubmissionRecord,
  ): Promise<void> => {
    const write = () => writeEnd(id, attempt, record);
    try {
      await write();
    } catch (error) {
      const work = retryInBackground(clock, write);
      callObserver("onLateWrite", onLateWrite, { id, error, work });
      await waitAtMost(clock, recordWaitMs, undefined, work);
    }
  };

  const doubtOf = (attempt: Attempt, why: string, answer?: unknown): SubmissionRecord => {
    const settlesAt = Math.ceil(clock.wall() + attempt.lateArrivalMs);
    return { attempt, state: "in-doubt", why, settlesAt, answer };
  };

  const recordOf = (attempt: Attempt, { answer, jobId, why }: SentAnswer): SubmissionRecord => {
    const copy = copyOf(answer);
    if (why !== undefined) return doubtOf(attempt, why, copy);
    return { attempt, state: "settled", answer: copy, jobId };
  };

  /** Sends the POST and records its end. */
  const carryOut = async (
    call: errors.PreparedCall,
    attempt: Attempt,
    canSend: () => boolean,
    send: SendPaid,
  ): Promise<PaidAnswer> => {
    let record: SubmissionRecord | undefined;
    let answer: Awaited<ReturnType<SendPaid>>;
    let failure: unknown;
    try {
      answer = await send({ leftMs: call.leftMs, canSend });
      if (answer !== undefined) record = recordOf(attempt, answer);
    } catch (error) {
      failure = error;
      const {
        outcome = "unknown",
        jobId,
        code,
      } = isAdGenError(error) ? error : { code: "unknown" };
      if (jobId !== undefined) record = { attempt, state: "settled", jobId };
      else if (outcome === "unknown") record = doubtOf(attempt, code);
    }
    const kept = writeEndOrRetry(call.id, attempt, record);
    const waitMs = answer === undefined ? recordWaitMs : call.leftMs();
    await waitAtMost(clock, Math.min(waitMs, call.leftMs()), call.signal, kept);
    if (failure !== undefined) throw failure;
    return { ...answer, isRepeated: false };
  };

  /** Reserves the id and sends the call. If the id is taken, returns its answer or waits for it. */
  return async (call: errors.PreparedCall, send: SendPaid): Promise<PaidAnswer> => {
    const { id, timeoutMs, leftMs, signal } = call;
    for (let pauseMs = firstPauseMs; ; ) {
      if (signal?.aborted) throw errors.abortedError(call);
      if (leftMs() <= 0) throw errors.tooSlowError(call);
      // Each reservation is a new attempt, so that a decision about one never changes another.
      const attempt: Attempt = { token: createRandomId(), ...call.attempt };
      const until = Math.ceil(clock.wall() + timeoutMs + marginMs);
      const own = formatRecord({ attempt, state: "sending", until }, clock.wall());
      const sinceAskedMs = startCounting(clock);
      const canSend = (): boolean =>
        leftMs() > 0 && !signal?.aborted && sinceAskedMs() + leftMs() <= timeoutMs + marginMs / 2;
      const takeBack = async (): Promise<unknown> => {
        const waitMs = Math.min(recordWaitMs, leftMs());
        return waitAtMost(clock, waitMs, signal, records.swap(id, own.rev)).catch(() => {});
      };
      const reserved = records.swap(id, "", own);
      let isInTime = false;
      try {
        isInTime = await waitAtMost(clock, leftMs(), signal, reserved);
      } finally {
        if (!isInTime) {
          // The write may have succeeded anyway, or may succeed later.
          await takeBack();
          // A caller that repeats at once must not starve the writes that run in the background.
          await clock.sleep(0);
        }
      }
      if (!isInTime) throw signal?.aborted ? errors.abortedError(call) : errors.tooSlowError(call);
      const there = await reserved;
      if (there === undefined) throw storeError("it kept nothing of what was written");
      if (there.rev === own.rev) {
        if (canSend()) return carryOut(call, attempt, canSend, send);
        // The process was suspended: others may already treat this attempt as lost.
        await takeBack();
        continue;
      }
      const { record } = there;
      if (record === undefined) throw errors.unreadableError(there);
      if (record.attempt.facts.digest !== call.digest) throw errors.otherRequestError(call, record);
      switch (record.state) {
        case "dropped":
          throw errors.droppedError(call);
        case "in-doubt":
          if (record.answer === undefined) throw errors.inDoubtError(call, record, clock.wall());
          return { answer: record.answer, jobId: undefined, isRepeated: true };
        case "settled":
          return { answer: record.answer, jobId: record.jobId, isRepeated: true };
        case "sending":
          break;
        default:
          record satisfies never;
      }
      if (pauseMs > call.waitLeftMs())
        throw errors.underWayError(call, record.until - clock.wall());
      await clock.sleep(pauseMs, signal);
      pauseMs = Math.min(2 * pauseMs, maxPauseMs);
    }
  };
};
