import type { RecordStore, StoredRecord } from "../../src/submissions/record-store.ts";
import { createModel } from "./store-promises.ts";
import type { Process, Random, Time } from "./virtual-world.ts";

/** Chance of each command to find that the store has lost a timer. */
const timerLoss = 0.05;

/**
 * A store that processes share. Its commands may be slow, fail, come twice, or very late. Its clock
 * is set at times, and it may lose its timers.
 */
export const createFaultyStore = (
  time: Time,
  random: Random,
  faultRate: () => number,
  knowsWriters: boolean,
) => {
  const model = createModel();
  /** The writers of revisions. */
  const writers = new Map<string, Process>();
  /** Ends of records with a time to live, by the store's clock. */
  const ends = new Map<string, { readonly rev: string; readonly at: number }>();
  const losesTimers = random.happens(0.3);
  let aheadMs = 0;
  const now = (): number => time.now() + aheadMs;

  const forget = (): void => {
    for (const [id, { rev, at }] of ends) {
      const isLost = losesTimers && id.startsWith("lease:") && random.happens(timerLoss);
      if (at > now() && !isLost) continue;
      model.swap(id, rev);
      ends.delete(id);
    }
  };

  const show = <R extends StoredRecord | undefined>(record: R): R =>
    record && knowsWriters && writers.get(record.rev)?.isDead()
      ? { ...record, isLeft: true }
      : record;

  /** Sends a command, and gives its answer. What has left reaches the store without its process. */
  const command = async <T>(process: Process, run: () => T): Promise<T> => {
    const apply = (): T => {
      forget();
      return run();
    };
    await process.step();
    const fault = random.happens(faultRate())
      ? random.pick(["refused", "lost", "late", "silent and late", "slow", "twice"] as const)
      : "none";
    await time.wait(random.between(1, 20));
    if (fault === "refused" || fault === "late" || fault === "silent and late") {
      if (fault !== "refused") time.after(random.pick([2_000, 9_000, 30_000, 600_000]), apply);
      if (fault === "silent and late") await time.wait(3_600_000);
      await process.step();
      throw new Error(`the store ${fault}`);
    }
    if (fault === "slow") await time.wait(random.between(100, 14_000));
    const answer = apply();
    if (fault === "twice") time.after(random.pick([10, 5_000, 300_000]), apply);
    await time.wait(random.between(1, 20));
    await process.step();
    if (fault === "lost") throw new Error("the store's answer was lost");
    return answer;
  };

  const openFor = (process: Process): RecordStore => ({
    get: (id) => command(process, () => show(model.get(id))),
    swap: (id, expected, next) =>
      command(process, () => {
        if (next) writers.set(next.rev, process);
        const there = model.swap(id, expected, next);
        if (next?.ttlMs !== undefined && there?.rev === next.rev) {
          ends.set(id, { rev: next.rev, at: now() + next.ttlMs });
        }
        return show(there);
      }),
    list: (name, limit) => command(process, () => model.list(name, limit).map(show)),
  });

  const setClock = (): void => {
    aheadMs += random.pick([-1_200_000, -60_000, 60_000, 7_200_000]);
  };

  return { openFor, setClock, texts: model.texts };
};
