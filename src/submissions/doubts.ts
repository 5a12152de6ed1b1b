import type { Clock } from "./clock.ts";
import type { Standing, SubmissionRecord } from "./records.ts";
import type { Records } from "./records-in-store.ts";

/** Tells which submissions under way are lost, by durations of this process's clock alone. */
export interface Doubts {
  /** Time until a record under way counts as lost, from when this process saw it first. */
  readonly leftMs: (standing: Standing, record: SubmissionRecord) => number;
  /**
   * Marks a record under way as in doubt when its lease is over, or its process has ended. Gives the
   * record that stands there then; `undefined` where it is not over.
   */
  readonly markIfOver: (
    standing: Standing,
    record: SubmissionRecord,
  ) => Promise<Standing | undefined>;
  /** Notes that an attempt is in doubt. */
  readonly note: (token: string) => void;
  /** Time since this process knew of the doubt about an attempt. */
  readonly knownForMs: (token: string) => number;
  /** Forgets all that is about other records than these. */
  readonly keepOnly: (standings: readonly Standing[]) => void;
}

/** Most records that are watched. One that is forgotten is watched anew, which only takes longer. */
const mostWatched = 10_000;

/** Makes the watch over records under way. */
export const createDoubts = (records: Records, clock: Clock): Doubts => {
  const seenAt = new Map<string, number>();
  const doubtedAt = new Map<string, number>();

  /** Gives when something was noted first. */
  const firstAt = (times: Map<string, number>, name: string): number => {
    const at = times.get(name) ?? clock.now();
    times.set(name, at);
    const [oldest] = times.keys();
    if (times.size > mostWatched && oldest !== undefined) times.delete(oldest);
    return at;
  };

  const leftMs = ({ rev, isLeft }: Standing, record: SubmissionRecord): number => {
    if (record.state !== "sending" || isLeft) return 0;
    return Math.max(0, record.leaseMs - (clock.now() - firstAt(seenAt, rev)));
  };

  return {
    leftMs,
    async markIfOver(standing, record) {
      if (record.state !== "sending" || leftMs(standing, record) > 0) return undefined;
      const { attempt } = record;
      seenAt.delete(standing.rev);
      const marked = { attempt, state: "in-doubt", why: "process_ended" } as const;
      const { there } = await records.replace(standing, marked);
      return there;
    },
    note: (token) => void firstAt(doubtedAt, token),
    knownForMs: (token) => clock.now() - firstAt(doubtedAt, token),
    keepOnly(standings) {
      const revs = new Set(standings.map(({ rev }) => rev));
      const tokens = new Set(standings.map(({ record }) => record?.attempt.token));
      for (const rev of seenAt.keys()) if (!revs.has(rev)) seenAt.delete(rev);
      for (const token of doubtedAt.keys()) if (!tokens.has(token)) doubtedAt.delete(token);
    },
  };
};
