import type { ErrorFields } from "../errors/error-fields.ts";
import { isAdGenError } from "../errors/errors.ts";
import { forgetOldest } from "../forget-oldest.ts";
import { createRandomId } from "../random-id.ts";
import { waitAtMost } from "../sleep.ts";
import { abortedError, inDoubtError, type PreparedCall, underWayError } from "./call-errors.ts";
import { type Clock, startCounting } from "./clock.ts";
import { decideTurn, type PaidAnswer } from "./decide-turn.ts";
import type { Doubts } from "./doubts.ts";
import {
  type Attempt,
  formatRecord,
  ownFields,
  type StoredSubmission,
  type SubmissionRecord,
} from "./records.ts";
import { mostTurns, type Records, storeError, tooOftenError } from "./records-in-store.ts";
import type { Settling } from "./settle.ts";

/** The end of a POST, as its sender judges it. */
export interface PostEnd {
  /**
   * `settled`: a usable answer came, or a broken one that names its job. `free`: the POST was surely
   * not carried out. `doubt`: it may have been.
   */
  readonly verdict: "settled" | "free" | "doubt";
  /** JSON that each repeat of the id is to get. */
  readonly answer?: unknown;
  /** Job that was made. */
  readonly jobId?: string | undefined;
  /** Error for this call: always, unless a usable answer came. */
  readonly error?: unknown;
}

/** The time of a POST. */
export interface PostTurn {
  /** Time that is left of the call, in milliseconds. The POST must end within it. */
  readonly leftMs: () => number;
  /**
   * Whether a request may leave now. To be asked just before each: after a suspension another
   * process may hold the submission for lost.
   */
  readonly canSend: () => boolean;
  /** This call has waited for another one of its id, which was not carried out. */
  readonly hasWaited: boolean;
}

/** Sends the POST, in as many attempts as are safe. An error of this library tells its outcome. */
export type SendPaid = (turn: PostTurn) => Promise<PostEnd>;

/** Time by which a lease is longer than its call. Half of it is for a late start of the POST. */
const marginMs = 10_000;

/** Pauses between reads of a submission that is under way in another process. */
const firstPauseMs = 100;
const longestPauseMs = 2_000;

/** Longest wait for the record of a POST that failed, or that never left. */
const failureWaitMs = 1_000;

/** Most levels of an answer that is kept whole. JSON of some thousand cannot be written. */
const mostLevels = 500;

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === "object" &&
  value !== null &&
  (levels === 0 || Object.values(value).some((item) => isDeeper(item, levels - 1)));

/**
 * Copies an answer, because its caller may change it before the store has taken it. Of one that is
 * too deep for JSON, the plain fields are kept: its id is among them. A job needs none.
 */
const copyAnswer = (answer: unknown, jobId: string | undefined): unknown => {
  if (answer === undefined) return undefined;
  if (!isDeeper(answer, mostLevels)) return JSON.parse(JSON.stringify(answer));
  if (jobId !== undefined) return undefined;
  return Object.fromEntries(
    Object.entries(Object(answer)).filter(([, item]) => !isDeeper(item, 0)),
  );
};

/** What became of a POST, by the error that its sender throws. */
const endOfFailure = (error: unknown): PostEnd => {
  const { outcome = "unknown", jobId }: ErrorFields = ownFields(isAdGenError(error) ? error : {});
  if (outcome !== "unknown") return { verdict: "free", error };
  // A broken answer has named its job.
  return { verdict: jobId === undefined ? "doubt" : "settled", jobId, error };
};

/** Record of the end of a POST; none for one that was surely not carried out. */
const recordOfEnd = (
  attempt: Attempt,
  { verdict, answer, jobId, error }: PostEnd,
): SubmissionRecord | undefined => {
  if (verdict === "free") return undefined;
  if (verdict === "settled") {
    return { attempt, state: "settled", answer: copyAnswer(answer, jobId), jobId };
  }
  return { attempt, state: "in-doubt", why: isAdGenError(error) ? error.code : "unknown" };
};

export const createPaidCalls = (
  records: Records,
  settling: Settling,
  doubts: Doubts,
  clock: Clock,
) => {
  /** Attempts of this process whose POST will never leave, and whose records may stand. */
  const unsent = new Set<string>();
  const isUnsent = (token: string): boolean => unsent.has(token);

  /** Gives up an attempt before its POST. It waits, because its program may end with the call. */
  const giveUp = async (
    call: PreparedCall,
    reserved: StoredSubmission,
    attempt: Attempt,
  ): Promise<void> => {
    unsent.add(attempt.token);
    forgetOldest(unsent);
    const waitMs = Math.min(failureWaitMs, call.leftMs());
    await waitAtMost(clock, waitMs, call.signal, settling.free(reserved, attempt));
  };

  /** Error of a call that has ended before its POST: by its signal, or by its time. */
  const overError = (call: PreparedCall) =>
    call.signal?.aborted
      ? abortedError(call)
      : storeError(`it took longer than the ${call.timeoutMs} ms of the call`);

  /** Waits for a store within the call's time. */
  const inTime = async <T>(call: PreparedCall, work: Promise<T>): Promise<T> => {
    if (await waitAtMost(clock, call.leftMs(), call.signal, work)) return work;
    throw overError(call);
  };

  /** The POST, and the record of its end. */
  const carryOut = async (
    call: PreparedCall,
    attempt: Attempt,
    there: StoredSubmission,
    turn: PostTurn,
    send: SendPaid,
  ): Promise<PaidAnswer> => {
    const { token } = attempt;
    doubts.hold(token);
    let end: PostEnd;
    try {
      end = ownFields(await send(turn));
    } catch (error) {
      end = endOfFailure(error);
    }
    if (end.verdict === "doubt") doubts.note(token);
    const kept = settling.keep(there, attempt, recordOfEnd(attempt, end));
    void kept.finally(() => doubts.release(token));
    const waitMs = end.verdict === "settled" ? call.leftMs() : failureWaitMs;
    await waitAtMost(clock, Math.min(waitMs, call.leftMs()), call.signal, kept);
    if (end.error !== undefined || end.verdict !== "settled") throw end.error;
    const { answer, jobId } = end;
    return { answer, jobId, isRepeated: false };
  };

  /** Writes the record of a new attempt where `expected` stands. */
  const reserve = async (call: PreparedCall, expected: string) => {
    // Each reservation is an attempt of its own: a decision about one never meets another.
    const attempt: Attempt = { token: createRandomId(), ...call.attempt };
    const leaseMs = call.timeoutMs + marginMs;
    const record: SubmissionRecord = { attempt, state: "sending", leaseMs };
    const next = formatRecord(record);
    const sinceAskedMs = startCounting(clock);
    const canSend = (): boolean =>
      call.leftMs() > 0 &&
      !call.signal?.aborted &&
      sinceAskedMs() + call.leftMs() <= leaseMs - marginMs / 2;
    try {
      const there = await inTime(call, records.swap(call.id, expected, next));
      return { attempt, rev: next.rev, canSend, there };
    } catch (error) {
      // It may stand all the same, now or later.
      await giveUp(call, { ...next, id: call.id, isLeft: false, record }, attempt);
      throw error;
    }
  };

  /** The answer of an attempt whose end the store has not taken yet. */
  const answerLate = (call: PreparedCall, record: SubmissionRecord): PaidAnswer | undefined => {
    const there = { id: call.id, rev: "late", isLeft: false, text: "", record };
    const own = { call, rev: "", expected: "", canSend: false, isUnsent };
    const step = decideTurn(there, own);
    if (step.next === "refuse") throw step.error;
    return step.next === "answer" ? structuredClone(step.answer) : undefined;
  };

  /**
   * Reserves the id, sends, and records the end. An id that is taken gives its answer, or is waited
   * for.
   */
  return async (call: PreparedCall, send: SendPaid): Promise<PaidAnswer> => {
    const { id } = call;
    settling.resume();
    let pauseMs = firstPauseMs;
    let hasWaited = false;
    let expected = "";
    for (let turns = 0; turns < mostTurns; turns++) {
      if (call.signal?.aborted || call.leftMs() <= 0) throw overError(call);
      const late = settling.lateOf(id);
      const known = late?.record?.state === "settled" && answerLate(call, late.record);
      if (known) return known;
      if (late !== undefined) await inTime(call, late.write());

      const { attempt, rev, canSend, there } = await reserve(call, expected);
      const own = { call, rev, expected, canSend: canSend(), isUnsent };
      let step = decideTurn(there, own);
      if (there !== undefined && ["wait", "answer", "refuse"].includes(step.next)) {
        // Noted before the look: the other call may end meanwhile.
        hasWaited ||= step.next === "wait";
        const now = await inTime(call, doubts.refresh(there));
        step = decideTurn(now, { ...own, expected: there.rev });
      }
      expected = "";
      switch (step.next) {
        case "send": {
          const turn = { leftMs: call.leftMs, canSend, hasWaited };
          return carryOut(call, attempt, step.there, turn, send);
        }
        case "giveUp":
          await giveUp(call, step.there, attempt);
          break;
        case "takeOver":
          expected = step.rev;
          break;
        case "wait":
          if (pauseMs > call.waitLeftMs()) throw underWayError(call, doubts.leftMs(step.there));
          await clock.sleep(pauseMs, call.signal);
          pauseMs = Math.min(2 * pauseMs, longestPauseMs);
          turns = 0;
          break;
        case "answer":
          return step.answer;
        case "doubt":
          throw inDoubtError(call, doubts.describe(id, step.record));
        case "refuse":
          throw step.error;
      }
    }
    throw tooOftenError(id);
  };
};
