import { isAdGenError } from "../client/errors/errors.ts";
import { createRandomId } from "../client/internal/platform.ts";
import { waitAtMost } from "../client/internal/sleep.ts";
import { callObserver } from "../client/options/hooks.ts";
import type { PaidAnswer, SendPaid, SentAnswer } from "../client/options/submissions.ts";
import * as errors from "./call-errors.ts";
import type { PreparedCall } from "./prepare-call.ts";
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

/**
 * Time by which a lease outlives the timeout of its call, in milliseconds. The POST may start late
 * by half of it.
 */
const marginMs = 10_000;

/** Pauses between attempts to reserve an id that is under way elsewhere, in milliseconds. */
const firstPauseMs = 100;
const maxPauseMs = 2_000;

/**
 * Maximum wait of a call, in milliseconds, for a write that the store refuses, or whose result the
 * caller does not need.
 */
const recordWaitMs = 1_000;

/** Copies an answer, because its caller may change it. An answer too deep for JSON is not kept. */
const copyOf = (answer: unknown): unknown => {
  try {
    return answer === undefined ? undefined : JSON.parse(JSON.stringify(answer));
  } catch {
    return undefined;
  }
};

/** Creates the function that makes a paid call at most once for its id. */
export const createRunOnce = (
  records: Records,
  clock: StoreClock,
  onLateJob: (job: LateJob) => void,
  onLateWrite: (late: LateWrite) => void,
) => {
  /**
   * Records the end of an attempt. If a person has decided about the attempt meanwhile, the record
   * stays and `onLateJob` is told of the job.
   */
  const recordEnd = async (
    id: string,
    { token }: Attempt,
    record: SubmissionRecord | undefined,
  ): Promise<void> => {
    const jobId = jobIdOf(record);
    // The mark comes first, so that nobody can adopt the job for another submission meanwhile.
    const owner =
      record && jobId ? await records.claim(jobId, id, formatRecord(record, 0).ttlMs) : undefined;
    const end = await records.change(id, (now): Change => {
      // The answer came after the decision "resubmit", but before the next call. It is kept, so
      // that the next call returns it and doesn't pay again.
      if (now === undefined) return record?.state === "settled" ? record : undefined;
      const isOwn = now.record?.attempt.token === token && isUndecided(now.record);
      return isOwn ? (record ?? "free") : undefined;
    });
    const isKept = jobId === undefined || jobIdOf(end?.record) === jobId;
    if (!isKept || owner !== undefined)
      callObserver("onLateJob", onLateJob, { id, jobId: jobId ?? "" });
  };

  /**
   * Records the end of an attempt, and goes on in the background while the store fails. It never
   * rejects.
   */
  const ensureEndRecorded = async (
    id: string,
    attempt: Attempt,
    record?: SubmissionRecord,
  ): Promise<void> => {
    const write = () => recordEnd(id, attempt, record);
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

  /** Sends the POST, and records its end. */
  const carryOut = async (
    call: PreparedCall,
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
    const recorded = ensureEndRecorded(call.id, attempt, record);
    const waitMs = answer === undefined ? recordWaitMs : call.leftMs();
    await waitAtMost(clock, Math.min(waitMs, call.leftMs()), call.signal, recorded);
    if (failure !== undefined) throw failure;
    return { ...answer, isRepeated: false };
  };

  /**
   * Reserves the id and sends. If the id is taken, it returns the earlier answer or waits for it.
   */
  return async (call: PreparedCall, send: SendPaid): Promise<PaidAnswer> => {
    const { id, timeoutMs, leftMs, signal } = call;
    for (let pauseMs = firstPauseMs; ; ) {
      if (signal?.aborted) throw errors.abortedError(call);
      if (leftMs() <= 0) throw errors.tooSlowError(call);
      // Each reservation gets a token, so that a decision about one attempt never changes another.
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
          // The write may have succeeded anyway, or may still arrive.
          await takeBack();
          // A caller that repeats at once must not starve the writes that run in the background.
          await clock.sleep(0);
        }
      }
      if (!isInTime) throw signal?.aborted ? errors.abortedError(call) : errors.tooSlowError(call);
      const there = await reserved;
      if (there === undefined) throw storeError("it returned no record after a write");
      if (there.rev === own.rev) {
        if (canSend()) return carryOut(call, attempt, canSend, send);
        // The process was suspended, so others may consider the submission lost by now.
        await takeBack();
        continue;
      }
      const { record } = there;
      if (record === undefined) throw errors.unreadableRecordError(there);
      if (record.attempt.facts.digest !== call.digest) throw errors.otherRequestError(call, record);
      switch (record.state) {
        case "dropped":
          throw errors.droppedError(call);
        case "settled":
          return { answer: record.answer, jobId: record.jobId, isRepeated: true };
        case "in-doubt":
          if (record.answer === undefined) throw errors.inDoubtError(call, record, clock.wall());
          return { answer: record.answer, isRepeated: true };
        case "sending":
          if (pauseMs > call.waitLeftMs())
            throw errors.underWayError(call, record.until - clock.wall());
          await clock.sleep(pauseMs, signal);
          pauseMs = Math.min(2 * pauseMs, maxPauseMs);
          break;
        default:
          throw record satisfies never;
      }
    }
  };
};
