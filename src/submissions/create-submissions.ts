import type { Action } from "../contract/actions.ts";
import { isAdGenError } from "../errors/errors.ts";
import { makeError } from "../errors/make-error.ts";
import { describeValue, oneLine } from "../errors/text.ts";
import {
  checkOptions,
  func,
  milliseconds,
  number,
  refuseArgument,
  refuseOption,
  refuseWrite,
} from "../options/rules.ts";
import { createRandomId } from "../random-id.ts";
import { waitAtMost } from "../sleep.ts";
import { abortedError, type PreparedCall, underWayError } from "./call-errors.ts";
import { type Clock, ownClock } from "./clock.ts";
import { createDecisions } from "./decide.ts";
import { createDoubts } from "./doubts.ts";
import { describeFailure } from "./failed-call.ts";
import { createListOpen } from "./list-open.ts";
import { createPaidCalls, type SendPaid } from "./paid-call.ts";
import type { RecordStore } from "./record-store.ts";
import { ownFields } from "./records.ts";
import { boundStore, createRecords, storeError } from "./records-in-store.ts";
import { addCandidates, checkRecoverOptions } from "./recover.ts";
import { createSettling, type LateJob, type LateWrite } from "./settle.ts";
import { describeAccount, digestOf, excerptOf, requireDigest } from "./submission-facts.ts";
import type { PaidCall, Submissions, SubmissionsOptions } from "./submissions.ts";

/** Shortest time to keep records: a process that was down must still find its ids. */
const hourMs = 3_600_000;

/** The longest id of a caller. */
const longestId = 1_024;

const printLateJob = ({ id, jobId }: LateJob): void =>
  console.error(
    `adgen-sdk: the job ${describeValue(jobId)} was made by the submission ${describeValue(id)}, ` +
      "after a decision against it: recover() tells it among the waiting ones",
  );

const printLateWrite = ({ id, error, work }: LateWrite): void => {
  const state =
    work === undefined ? "still not on record: the next call tries again" : "not on record yet";
  console.error(`adgen-sdk: the end of the submission ${describeValue(id)} is ${state}`, error);
};

const requireStore = (store: RecordStore): void => {
  const methods = ["get", "swap", "list"] as const;
  if (methods.every((name) => typeof store?.[name] === "function")) return;
  refuseOption(
    `createSubmissions takes a store: { get, swap, list }, got ${describeValue(store)}; ` +
      "see createMemoryStore",
  );
};

const requireId = (id: unknown): string => {
  if (typeof id !== "string" || id === "" || id.length > longestId) {
    return refuseWrite(
      `once must be text of 1 to ${longestId} characters, got ${describeValue(id)}`,
    );
  }
  // A store in UTF-8 has one letter for all such halves: two ids would be one.
  const isHalf = /\p{Surrogate}/u.test(id);
  return isHalf ? refuseWrite(`once has half of a surrogate pair: ${describeValue(id)}`) : id;
};

/** An id that sorts by its time. */
const createId = (clock: Clock): string => `${clock.wall().toString(36)}-${createRandomId()}`;

/** A call of this process. */
interface CallUnderWay {
  readonly call: PreparedCall;
  readonly ended: Promise<unknown>;
}

/** Makes a client's POST by `run`: at most once for its id. */
const createClientPost =
  (run: Submissions["run"]): Submissions["post"] =>
  async (call, account, send, jobs) => {
    let own: Awaited<ReturnType<typeof send>>["answer"] | undefined;
    const { name, method, path, body, once, waitMs, signal, deadlineAt } = call;
    const paid = {
      ...account,
      once,
      waitMs,
      signal,
      jobs,
      request: { method, path },
      method: name,
      body: body?.fields ?? {},
      timeoutMs: Math.max(1, Math.round(deadlineAt - performance.now())),
      attemptMs: call.attemptTimeoutMs,
    };
    const { answer, jobId } = await run(paid, async ({ canSend }) => {
      const sent = await send(canSend);
      own = sent.answer;
      return { verdict: "settled", answer: own.data, jobId: sent.jobId };
    });
    if (own !== undefined) return own;
    // The check of the answer that stands on record has passed. A job without one was adopted.
    const data = answer ?? { job_id: jobId, status: "queued" };
    return { call, data, fields: { outcome: "unknown", attempts: 0 }, clean: oneLine };
  };

/** {@link createSubmissions} with clocks of its own, as for tests. */
export const createSubmissionsWith = (
  clock: Clock,
  store: RecordStore,
  options: SubmissionsOptions = {},
): Submissions => {
  requireStore(store);
  const { storeTimeoutMs, keepMs, onLateJob, onLateWrite } = checkOptions(
    "createSubmissions",
    {
      storeTimeoutMs: milliseconds(),
      keepMs: number(hourMs, Number.MAX_SAFE_INTEGER, "a number of milliseconds"),
      onLateJob: func<(job: LateJob) => void>(),
      onLateWrite: func<(late: LateWrite) => void>(),
    },
    options,
    refuseOption,
    { storeTimeoutMs: 10_000, onLateJob: printLateJob, onLateWrite: printLateWrite },
  );
  const bounded = boundStore(store, clock, storeTimeoutMs);
  const records = createRecords(bounded);
  const doubts = createDoubts(bounded, records, clock);
  const settling = createSettling(records, clock, onLateJob, onLateWrite);
  const begin = createPaidCalls(records, settling, doubts, clock);
  const decisions = createDecisions(records, doubts, settling);
  const listOpen = createListOpen(records, doubts);
  const search: Submissions["addCandidates"] = (given, jobs, options) =>
    addCandidates(given, jobs, records.findOwner, options);
  /** Calls of this process. A repeat waits for the first one before it asks the store. */
  const underWay = new Map<string, CallUnderWay>();

  const prepare = async (given: PaidCall): Promise<PreparedCall> => {
    const paid = ownFields(given);
    const { once, method, body, ttlMs, attemptMs, timeoutMs, waitMs = timeoutMs, signal } = paid;
    const startedAt = clock.now();
    const leftMs = () => timeoutMs - (clock.now() - startedAt);
    const waitLeftMs = () => Math.min(timeoutMs, waitMs) - (clock.now() - startedAt);
    const isGenerated = once === undefined;
    const id = isGenerated ? createId(clock) : requireId(once);
    const digest = paid.digest ?? (await (isGenerated ? digestOf : requireDigest)(method, body));
    const facts = {
      method,
      submittedAt: new Date(clock.wall()).toISOString(),
      request: excerptOf(body),
      // The action as it was sent: the service says whether it supports it.
      action: typeof body["action"] === "string" ? (body["action"] as Action) : undefined,
      digest,
      attemptMs,
      ...(await describeAccount(paid)),
    };
    const attempt = { facts, isGenerated, ttlMs, keepMs };
    return { id, attempt, digest, timeoutMs, signal, leftMs, waitLeftMs };
  };

  /** Waits for the end of another call with the same id, and gives no answer of it. */
  const waitForOther = async (call: PreparedCall, { call: other, ended }: CallUnderWay) => {
    if (await waitAtMost(clock, call.waitLeftMs(), call.signal, ended)) return;
    throw call.signal?.aborted ? abortedError(call) : underWayError(call, other.leftMs());
  };

  /** Answers that the store has not taken yet come before a look at it. */
  const flushed = async <T>(act: () => Promise<T>): Promise<T> => {
    await settling.flush();
    return act();
  };

  const run: Submissions["run"] = async (paid, send) => {
    const call = await prepare(paid);
    let hasWaited = false;
    // Which request an id names is for the store to say: another one may be waiting for that answer.
    const key = `${call.digest} ${call.id}`;
    // No step lies between the last question and the answer: two calls would begin at once.
    for (let other = underWay.get(key); other; other = underWay.get(key)) {
      await waitForOther(call, other);
      hasWaited = true;
    }
    const sendNow: SendPaid = hasWaited ? (turn) => send({ ...turn, hasWaited }) : send;
    const ended = begin(call, sendNow).finally(() => underWay.delete(key));
    underWay.set(key, { call, ended: ended.catch(() => {}) });
    return ended;
  };

  const findOne: Submissions["find"] = async (id) => {
    const there = await records.get(id);
    if (there === undefined) return { state: "free" };
    // One that has gone meanwhile was there: whoever said "free" would say that nothing was sent.
    const standing = (await doubts.mark(there)) ?? there;
    const { record } = standing;
    switch (record?.state) {
      case undefined:
        throw storeError(`the record of ${describeValue(id)} is damaged`);
      case "dropped":
        return { state: "dropped" };
      case "sending":
        return { state: "sending", leftMs: doubts.leftMs(standing) };
      case "in-doubt":
        return { state: "in-doubt", doubt: doubts.describe(id, record) };
      case "settled":
        return {
          state: "settled",
          job_id: record.jobId,
          isAcknowledged: record.isAcknowledged === true,
        };
    }
  };

  const runOnce: Submissions["run"] = async (paid, send) => {
    const startedAt = clock.now();
    try {
      return await run(paid, send);
    } catch (error) {
      throw await describeFailure(error, paid, clock, startedAt, search);
    }
  };

  return {
    run: runOnce,
    post: createClientPost(runOnce),
    listOpen: () => flushed(() => listOpen()),
    async find(id) {
      if (typeof id === "string" && id !== "") return flushed(() => findOne(id));
      return refuseArgument(`find takes the id of a submission, got ${describeValue(id)}`);
    },
    decide: (doubt, decision) => flushed(() => decisions.decide(doubt, decision)),
    acknowledge: (job) => flushed(() => decisions.acknowledge(job)),
    addCandidates: search,
    async recover(given, jobs) {
      const { settleMs, ...options } = checkRecoverOptions(given);
      // Described before the list: a later description would speak of a later list.
      const listing = flushed(() => listOpen(settleMs));
      const { signal } = options;
      if (!(await waitAtMost(clock, Number.POSITIVE_INFINITY, signal, listing))) {
        throw makeError("aborted", "recoverJobs was aborted", { cause: signal?.reason });
      }
      const open = await listing;
      try {
        const unknown = await search(open.unknown, jobs, options);
        return { ...open, unknown };
      } catch (error) {
        if (!isAdGenError(error) || ["aborted", "store"].includes(error.code)) throw error;
        return { ...open, candidatesError: error };
      }
    },
  };
};

/**
 * Creates submissions: a record of each paid call, by which it is made once. It needs neither a client
 * nor a key, so that a script or a web server can decide too.
 *
 * @throws `ConfigError` for a store without `get`, `swap` or `list`, and for bad options.
 * @example
 * const submissions = createSubmissions(createMemoryStore());
 * const { waiting, unknown } = await submissions.listOpen();
 * for (const doubt of unknown) await submissions.decide(doubt, "drop");
 */
export const createSubmissions = (store: RecordStore, options?: SubmissionsOptions): Submissions =>
  createSubmissionsWith(ownClock, store, options);
