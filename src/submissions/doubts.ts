import { type Doubt, settleMsOf } from "../errors/doubt.ts";
import { forgetOldest, remembered } from "../forget-oldest.ts";
import type { Clock } from "./clock.ts";
import type { RecordStore } from "./record-store.ts";
import {
  type DoubtRecord,
  factsOf,
  formatRecord,
  type StoredSubmission,
  timerKeyOf,
} from "./records.ts";
import type { Records } from "./records-in-store.ts";

/**
 * Detects submissions whose process died. The time of their calls is counted in two places, and
 * whichever ends first makes the doubt:
 *
 * - A timer in the store, which readers share, however short they live. It can end too soon: a
 *   clock is set, or the store loses it.
 * - The memory of a reader that lives on, by a clock that nobody can set.
 *
 * A doubt that comes too soon must cost nothing. The end of the call still replaces it. And nothing
 * is submitted again before the lease has passed in memory too.
 */
export const createDoubts = (store: RecordStore, records: Records, clock: Clock) => {
  /** Times at which this process has met attempts under way, and those that are surely over. */
  const metAt = new Map<string, number>();
  /** Attempts whose POST this process makes. */
  const held = new Set<string>();
  /** Times to remember: two for each record of the longest list that was read at once. */
  let most = remembered;

  /** Time since something was first met. What was forgotten begins anew, and takes longer. */
  const sinceMs = (name: string): number => {
    const at = metAt.get(name) ?? clock.now();
    metAt.set(name, at);
    forgetOldest(metAt, most);
    return clock.now() - at;
  };
  const sinceMetMs = (token: string): number => sinceMs(`attempt ${token}`);
  const sinceOverMs = (token: string): number => sinceMs(`doubt ${token}`);

  /** Time until a record under way counts as lost, from when this process met it first. */
  const leftMs = ({ isLeft, record }: StoredSubmission): number => {
    if (record?.state !== "sending") return 0;
    // The revision with a timer was written by a reader: its end says nothing of the call.
    if (isLeft && !record.hasTimer) return 0;
    return Math.max(0, record.leaseMs - sinceMetMs(record.attempt.token));
  };

  /** Doubt that a record under way has become, because its POST is over. */
  const findDoubt = async (there: StoredSubmission): Promise<DoubtRecord | undefined> => {
    const { rev, record } = there;
    if (record?.state !== "sending") return undefined;
    const { attempt } = record;
    const doubt = { attempt, state: "in-doubt", why: "process_ended" } as const;
    if (leftMs(there) <= 0) return doubt;
    if (!record.hasTimer || held.has(attempt.token)) return undefined;
    const isRunning = await store.get(timerKeyOf(rev)).then(Boolean, () => true);
    return isRunning ? undefined : { ...doubt, leaseMs: record.leaseMs };
  };

  /** Starts the timer of a lease. Returns the record that stands there then. */
  const beginTimer = async (there: StoredSubmission): Promise<StoredSubmission | undefined> => {
    const { id, rev, record } = there;
    if (record?.state !== "sending" || record.hasTimer || held.has(record.attempt.token)) {
      return there;
    }
    const next = formatRecord({ ...record, hasTimer: true });
    const timer = { rev: next.rev, text: "{}", list: undefined, ttlMs: record.leaseMs };
    // The timer comes first: a record that tells of one never precedes it.
    const begun = await store.swap(timerKeyOf(next.rev), "", timer);
    return begun?.rev === next.rev ? records.swap(id, rev, next) : there;
  };

  /** Time in milliseconds until nothing of a submission in doubt may arrive, as this process knows. */
  const settlesInMs = ({ attempt, why, leaseMs }: DoubtRecord, settleMs?: number): number => {
    const { token, facts } = attempt;
    const knownMs = leaseMs === undefined ? sinceOverMs(token) : sinceMetMs(token);
    const { attemptMs } = facts;
    return Math.max(0, settleMsOf({ why, attemptMs, leaseMs }, settleMs) - knownMs);
  };

  /** Marks a record as in doubt when its call is lost. Returns the record that stands there then. */
  const mark = async (there: StoredSubmission): Promise<StoredSubmission | undefined> => {
    const doubt = await findDoubt(there);
    if (doubt === undefined) return there;
    return records.change(there.id, (now) => (now === there ? doubt : undefined), there);
  };

  return {
    leftMs,
    settlesInMs,
    mark,
    /** Notes that this process makes the POST of an attempt: it need not look after it. */
    hold: (token: string): void => void held.add(token),
    /** Notes that the end of that POST is on record. */
    release: (token: string): void => void held.delete(token),
    /**
     * The same, and starts the timer of its lease, which all readers share.
     *
     * @param count - Number of records that are looked at together
     */
    async refresh(there: StoredSubmission, count = 1): Promise<StoredSubmission | undefined> {
      most = Math.max(most, 2 * count);
      const marked = await mark(there);
      // Where no timer begins, the next reader begins it: a list is right without.
      return marked === there ? beginTimer(there).catch(() => there) : marked;
    },
    /** Notes that an attempt is in doubt. */
    note: (token: string): void => void sinceOverMs(token),
    /** Describes a record in doubt, as callers get it. */
    describe(id: string, record: DoubtRecord, settleMs?: number): Doubt {
      const { attempt, why, leaseMs } = record;
      return {
        ...factsOf(id, record),
        token: attempt.token,
        why,
        mayStillArrive: settlesInMs(record, settleMs) > 0,
        ...(leaseMs !== undefined && { leaseMs }),
      };
    },
  };
};

export type Doubts = ReturnType<typeof createDoubts>;
