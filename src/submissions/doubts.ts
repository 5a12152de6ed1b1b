import type { Doubt } from "../errors/doubt.ts";
import type { Clock } from "./clock.ts";
import { factsOf, jobIdOf, type Standing, type SubmissionRecord } from "./records.ts";
import type { Records } from "./records-in-store.ts";

/** Longest time of an attempt by default, and a quarter of a minute for the service's list. */
const defaultSettleMs = 75_000;

/** Most times that are kept. One that is forgotten begins anew, which only takes longer. */
const mostTimes = 10_000;

/** Makes the watch that tells lost submissions, by durations of this process's clock alone. */
export const createDoubts = (records: Records, clock: Clock) => {
  const seenAt = new Map<string, number>();
  const doubtedAt = new Map<string, number>();

  /** Gives when something was noted first. */
  const firstAt = (times: Map<string, number>, name: string): number => {
    const at = times.get(name) ?? clock.now();
    times.set(name, at);
    const [oldest] = times.keys();
    if (times.size > mostTimes && oldest !== undefined) times.delete(oldest);
    return at;
  };

  /** Time until a record under way counts as lost, from when this process saw it first. */
  const leftMs = ({ rev, isLeft, record }: Standing): number => {
    if (record?.state !== "sending" || isLeft) return 0;
    return Math.max(0, record.leaseMs - (clock.now() - firstAt(seenAt, rev)));
  };

  return {
    leftMs,
    /**
     * Marks a record under way as in doubt when its lease is over, or its process has ended. Gives
     * the record that stands there then.
     */
    async markIfOver(standing: Standing): Promise<Standing | undefined> {
      const { record } = standing;
      if (record?.state !== "sending" || leftMs(standing) > 0) return standing;
      const { attempt } = record;
      const marked = { attempt, state: "in-doubt", why: "process_ended" } as const;
      return (await records.replace(standing, marked)).there;
    },
    /** Notes that an attempt is in doubt. */
    note: (token: string): void => void firstAt(doubtedAt, token),
    /** Describes a record in doubt, as callers get it. */
    describe(id: string, record: SubmissionRecord, settleMs: number = defaultSettleMs): Doubt {
      const { token } = record.attempt;
      const jobId = jobIdOf(record);
      return {
        ...factsOf(id, record),
        token,
        why: record.state === "in-doubt" ? record.why : "process_ended",
        mayStillArrive: clock.now() - firstAt(doubtedAt, token) < settleMs,
        ...(jobId !== undefined && { jobId }),
      };
    },
  };
};

export type Doubts = ReturnType<typeof createDoubts>;
