import { isAdGenError } from "../client/errors/errors.ts";
import { createRandomId } from "../client/internal/random-id.ts";
import { waitAtMost } from "../client/internal/sleep.ts";
import { notify } from "../client/options/hooks.ts";
import type { PaidAnswer, SendPaid, SentAnswer } from "../client/options/submissions.ts";
import * as errors from "./call-errors.ts";
import { type Clock, startCounting } from "./store/clock.ts";
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

/** Time by which a lease is longer than its call. Half of it is for a late start of the POST. */
const marginMs = 10_000;

/** Pauses between reads of a submission that is under way elsewhere. */
const firstPauseMs = 100;
const maxPauseMs = 2_000;

/** Longest wait of a call for a record that the store refuses, or that nobody needs. */
const recordWaitMs = 1_000;

/** JSON of an answer, which its caller may change meanwhile; of one too deep for JSON, nothing. */
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
  clock: Clock,
  onLateJob: (job: LateJob) => void,
  onLateWrite: (late: LateWrite) => void,
) => {
  /** Writes the end of an attempt, unless a person has decided about it: then its job is told. */
  const settle = async (
    id: string,
    { token }: Attempt,
    record: SubmissionRecord | undefined,
  ): Promise<void> => {
    const jobId = jobIdOf(record);
    // The mark comes first: without it, a person could take the job for that of another submission.
    const owner =
      record && jobId ? await records.claim(jobId, id, formatRecord(record, 0).ttlMs) : undefined;
    const end = await records.change(id, (now): Change => {
      // Decided "resubmit", and not sent again: the answer saves the second payment.
      if (now === undefined) return record?.state === "settled" ? record : undefined;
      const isOwn = now.record?.attempt.token === token && isUndecided(now.record);
      return isOwn ? (record ?? "free") : undefined;
    });
    const isKept = jobId === undefined || jobIdOf(end?.record) === jobId;
    if (!isKept || owner !== undefined) notify("onLateJob", onLateJob, { id, jobId: jobId ?? "" });
  };

  /** The same, for as long as the store fails. It never rejects, and is waited for a second. */
  const keep = async (id: string, attempt: Attempt, record?: SubmissionRecord): Promise<void> => {
    const write = () => settle(id, attempt, record);
    try {
      await write();
    } catch (error) {
      const work = retryInBackground(clock, write);
      notify("onLateWrite", onLateWrite, { id, error, work });
      await waitAtMost(clock, recordWaitMs, undefined, work);
    }
  };

  const doubtOf = (attempt: Attempt, why: string, answer?: unknown): SubmissionRecord => {
    const settlesAt = Math.ceil(clock.wall() + attempt.settleMs);
    return { attempt, state: "in-doubt", why, settlesAt, answer };
  };

  const recordOf = (attempt: Attempt, { answer, jobId, why }: SentAnswer): SubmissionRecord => {
    const copy = copyOf(answer);
    if (why !== undefined) return doubtOf(attempt, why, copy);
    return { attempt, state: "settled", answer: copy, jobId };
  };

  /** The POST, and the record of its end. */
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
    const kept = keep(call.id, attempt, record);
    const waitMs = answer === undefined ? recordWaitMs : call.leftMs();
    await waitAtMost(clock, Math.min(waitMs, call.leftMs()), call.signal, kept);
    if (failure !== undefined) throw failure;
    return { ...answer, isRepeated: false };
  };

  /** Reserves the id and sends. An id that is taken gives its answer, or is waited for. */
  return async (call: errors.PreparedCall, send: SendPaid): Promise<PaidAnswer> => {
    const { id, timeoutMs, leftMs, signal } = call;
    for (let pauseMs = firstPauseMs; ; ) {
      if (signal?.aborted) throw errors.aborted(call);
      if (leftMs() <= 0) throw errors.tooSlow(call);
      // Each reservation is an attempt of its own: a decision about one never meets another.
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
        // It may stand all the same, now or later.
        if (!isInTime) await takeBack();
      }
      if (!isInTime) throw signal?.aborted ? errors.aborted(call) : errors.tooSlow(call);
      const there = await reserved;
      if (there === undefined) throw storeError("it kept nothing of what was written");
      if (there.rev === own.rev) {
        if (canSend()) return carryOut(call, attempt, canSend, send);
        // Suspended meanwhile: others may hold it for lost.
        await takeBack();
        continue;
      }
      const { record } = there;
      if (record === undefined) throw errors.unreadable(there);
      if (record.attempt.facts.digest !== call.digest) throw errors.otherRequest(call, record);
      switch (record.state) {
        case "dropped":
          throw errors.dropped(call);
        case "settled":
          return { answer: record.answer, jobId: record.jobId, isRepeated: true };
        case "in-doubt":
          if (record.answer === undefined) throw errors.inDoubt(call, record, clock.wall());
          return { answer: record.answer, isRepeated: true };
        case "sending":
          if (pauseMs > call.waitLeftMs()) throw errors.underWay(call, record.until - clock.wall());
          await clock.sleep(pauseMs, signal);
          pauseMs = Math.min(2 * pauseMs, maxPauseMs);
          break;
        default:
          throw record satisfies never;
      }
    }
  };
};
