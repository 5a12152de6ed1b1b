import type { Doubt } from "../errors/doubt.ts";
import { forgetOldest } from "../forget-oldest.ts";
import type { Clock } from "./clock.ts";
import type { Owners } from "./owners.ts";
import {
  factsOf,
  isGuess,
  isWaiting,
  jobIdOf,
  type Standing,
  type SubmissionRecord,
} from "./records.ts";
import type { Records } from "./records-in-store.ts";

/** Longest time of an attempt by default, and a quarter of a minute for the service's list. */
const defaultSettleMs = 75_000;

/** Makes the watch that tells lost submissions, by durations of this process's clock alone. */
export const createDoubts = (records: Records, owners: Owners, clock: Clock) => {
  /** Times at which this process has met revisions under way, and attempts in doubt. */
  const metAt = new Map<string, number>();

  /** Gives when something was met first. One that is forgotten begins anew, which takes longer. */
  const firstAt = (name: string): number => {
    const at = metAt.get(name) ?? clock.now();
    metAt.set(name, at);
    forgetOldest(metAt);
    return at;
  };

  /** Time until a record under way counts as lost, from when this process met it first. */
  const leftMs = ({ rev, isLeft, record }: Standing): number => {
    if (record?.state !== "sending" || isLeft) return 0;
    return Math.max(0, record.leaseMs - (clock.now() - firstAt(rev)));
  };

  /** Tells why a record is to be in doubt: its POST is over, or its job is another's. */
  const whyInDoubt = async (
    there: Standing,
    open: readonly Standing[] | undefined,
  ): Promise<string | undefined> => {
    const { id, record } = there;
    if (record?.state === "sending" && leftMs(there) <= 0) return "process_ended";
    if (record === undefined || !isGuess(record) || !isWaiting(record)) return undefined;
    const owner = await owners.find(jobIdOf(record) ?? "", open);
    return owner === undefined || owner.id === id ? undefined : "not_its_job";
  };

  return {
    leftMs,
    /**
     * Marks a record as in doubt when its lease is over, when its process has ended, or when an
     * answer contradicts its guess. Gives the record that stands there then.
     *
     * @param open - Records of the open list. Default: it is read where it is needed
     */
    async refresh(there: Standing, open?: readonly Standing[]): Promise<Standing | undefined> {
      const why = await whyInDoubt(there, open);
      if (why === undefined || there.record === undefined) return there;
      const { attempt } = there.record;
      const doubt = { attempt, state: "in-doubt", why } as const;
      return records.change(there.id, (now) => (now === there ? doubt : undefined), there);
    },
    /** Notes that an attempt is in doubt. */
    note: (token: string): void => void firstAt(token),
    /** Describes a record in doubt, as callers get it. */
    describe(id: string, record: SubmissionRecord, settleMs: number = defaultSettleMs): Doubt {
      const { token } = record.attempt;
      const jobId = jobIdOf(record);
      return {
        ...factsOf(id, record),
        token,
        why: record.state === "in-doubt" ? record.why : "process_ended",
        mayStillArrive: clock.now() - firstAt(token) < settleMs,
        ...(jobId !== undefined && { jobId }),
      };
    },
  };
};

export type Doubts = ReturnType<typeof createDoubts>;
