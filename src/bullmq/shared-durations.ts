import type { IRedisClient } from "bullmq";
import type { LearnedDurations, SeenDuration } from "../polling/schedule/durations.ts";

/** Number of durations that a worker which starts learns from. */
const keptDurations = 2_000;

/** The least time between two readings. */
const readEveryMs = 1_000;

type StreamAnswer = [key: string, entries: [id: string, fields: string[]][]][] | null;

/**
 * Shares durations through a stream in Redis. Every worker reads all of it, in the same order, so
 * that all workers know the same. A worker's own durations come back to it with the others'.
 */
export const shareDurations = (
  durations: LearnedDurations,
  key: string,
  connect: () => Promise<IRedisClient>,
) => {
  let lastId = "0";
  let readAt = Number.NEGATIVE_INFINITY;

  const readNew = async (): Promise<void> => {
    const commands = await connect();
    for (;;) {
      const streams = [{ key, id: lastId }];
      const answer = (await commands.xread(streams, { COUNT: 500 })) as StreamAnswer;
      const entries = answer?.[0]?.[1] ?? [];
      for (const [id, fields] of entries) {
        lastId = id;
        const [, action = "", , afterMs, , byMs] = fields;
        durations.add(action, { afterMs: Number(afterMs), byMs: Number(byMs) });
      }
      if (entries.length === 0) return;
    }
  };

  return {
    /** Learns what the fleet has seen since the last time, at most once a second. */
    learn: async (): Promise<void> => {
      const now = performance.now();
      if (now - readAt < readEveryMs) return;
      readAt = now;
      await readNew();
    },
    /** Tells the fleet how long a job took. */
    tell: async (action: string, { afterMs, byMs }: SeenDuration): Promise<void> => {
      const fields = { action, afterMs, byMs };
      const limit = { MAXLEN: keptDurations, approximate: true };
      await (await connect()).xadd(key, "*", fields, limit);
    },
  };
};

/** The durations that a fleet shares. */
export type SharedDurations = ReturnType<typeof shareDurations>;
