import type { Action } from "../contract/actions.ts";
import { addFields } from "../errors/adgen-error.ts";
import { isAdGenError } from "../errors/errors.ts";
import { describeValue } from "../errors/text.ts";
import {
  checkOptions,
  func,
  milliseconds,
  number,
  refuseArgument,
  refuseOption,
  refuseWrite,
  withMethods,
} from "../options/rules.ts";
import type { PreparedCall } from "./call-errors.ts";
import { type Clock, ownClock } from "./clock.ts";
import { createDecide, createList } from "./decide.ts";
import { digestOf, excerptOf } from "./facts.ts";
import { createOnce } from "./once.ts";
import { describeDoubt } from "./record.ts";
import type { RecordStore } from "./record-store.ts";
import { boundStore, createRecords, storeError } from "./records.ts";
import type {
  LateJob,
  LateWrite,
  PaidCall,
  Submissions,
  SubmissionsOptions,
} from "./submissions.ts";

/** Shortest time to keep records: a process that was down must still find its ids. */
const hourMs = 3_600_000;

/** Time that the service may take to list a new job. */
const listingMs = 15_000;

/** Longest time of an attempt by default. */
const usualAttemptMs = 60_000;

/** The longest id of a caller. */
const longestId = 1_024;

const printLateJob = ({ id, jobId }: LateJob): void =>
  console.error(
    `adgen-sdk: the job ${describeValue(jobId)} was made by the submission ${describeValue(id)}, ` +
      "after a decision against that: it is charged",
  );

const printLateWrite = ({ id, error }: LateWrite): void =>
  console.error(
    `adgen-sdk: the end of the submission ${describeValue(id)} is not on record yet`,
    error,
  );

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

/** {@link createSubmissions} with clocks of its own, as for tests. */
export const createSubmissionsWith = (
  clock: Clock,
  store: RecordStore,
  options: SubmissionsOptions = {},
): Submissions => {
  withMethods("a store, with get, swap, list", "get", "swap", "list")(store, "store", refuseOption);
  const { storeTimeoutMs, keepMs, settleMs, onLateJob, onLateWrite } = checkOptions(
    "createSubmissions",
    {
      storeTimeoutMs: milliseconds(),
      keepMs: number(hourMs, Number.MAX_SAFE_INTEGER, "a number of milliseconds"),
      settleMs: number(0, Number.MAX_SAFE_INTEGER, "a number of milliseconds"),
      onLateJob: func<(job: LateJob) => void>(),
      onLateWrite: func<(late: LateWrite) => void>(),
    },
    options,
    refuseOption,
    { storeTimeoutMs: 10_000, onLateJob: printLateJob, onLateWrite: printLateWrite },
  );
  const records = createRecords(boundStore(store, clock, storeTimeoutMs), clock);
  const once = createOnce(records, clock, onLateJob, onLateWrite);

  const prepare = async (paid: PaidCall): Promise<PreparedCall> => {
    const { method, body, origin, ttlMs, attemptMs = 0, timeoutMs, signal } = paid;
    const { waitMs = timeoutMs, digest = await digestOf([method, origin, body]) } = paid;
    const startedAt = clock.now();
    const leftMs = () => timeoutMs - (clock.now() - startedAt);
    const facts = {
      method,
      submittedAt: new Date(clock.wall()).toISOString(),
      request: excerptOf(body),
      // The action as it was sent: the service says whether it supports it.
      action: typeof body["action"] === "string" ? (body["action"] as Action) : undefined,
      digest,
    };
    const attempt = {
      facts,
      settleMs: settleMs ?? Math.max(usualAttemptMs, attemptMs) + listingMs,
      ttlMs,
      keepMs,
    };
    const waitLeftMs = () => leftMs() - Math.max(0, timeoutMs - waitMs);
    return { id: requireId(paid.once), attempt, digest, timeoutMs, signal, leftMs, waitLeftMs };
  };

  return {
    async run(paid, send) {
      try {
        return await once(await prepare(paid), send);
      } catch (error) {
        // An earlier call with the id may have sent it.
        const isUntold = isAdGenError(error) && error.code === "store" && !error.outcome;
        throw isUntold ? addFields(error, { outcome: "unknown" }) : error;
      }
    },
    decide: createDecide(records, clock),
    listOpen: createList(records, clock),
    async find(id) {
      if (typeof id !== "string" || id === "") {
        return refuseArgument(`find takes the id of a submission, got ${describeValue(id)}`);
      }
      const there = await records.get(id);
      if (there === undefined) return { state: "free" };
      const { record } = there;
      switch (record?.state) {
        case undefined:
          throw storeError(`the record of ${describeValue(id)} is damaged`);
        case "dropped":
          return { state: "dropped" };
        case "sending":
          return { state: "sending", leftMs: record.until - clock.wall() };
        case "in-doubt":
          return { state: "in-doubt", doubt: describeDoubt(id, record, clock.wall()) };
        case "settled":
          return { state: "settled", job_id: record.jobId };
      }
    },
  };
};

/**
 * Creates submissions: a record of each paid call with an id, by which it is made once. It needs
 * neither a client nor a key, so that a script or a web server can decide too.
 *
 * @throws `AdGenError`
 * - `config`: the store has no `get`, `swap` or `list`, or an option makes no sense.
 * @example
 * const submissions = createSubmissions(createMemoryStore());
 * const { unknown } = await submissions.listOpen();
 * for (const doubt of unknown) await submissions.decide(doubt, "drop");
 */
export const createSubmissions = (store: RecordStore, options?: SubmissionsOptions): Submissions =>
  createSubmissionsWith(ownClock, store, options);
