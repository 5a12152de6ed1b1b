import type { NextRecord, RecordStore, StoredRecord } from "../../src/submissions/record-store.ts";
import type { Process, Random, Time } from "./virtual-world.ts";

interface Kept extends StoredRecord {
  readonly list: string | undefined;
  readonly writer: Process;
}

/** A store that processes share. Its commands may be slow, fail, come twice, or very late. */
export const createFaultyStore = (
  time: Time,
  random: Random,
  faultRate: () => number,
  knowsWriters: boolean,
) => {
  const kept = new Map<string, Kept>();

  const show = (record: Kept | undefined): StoredRecord | undefined => {
    if (record === undefined) return undefined;
    const { id, rev, text, writer } = record;
    return { id, rev, text, ...(knowsWriters && writer.isDead() && { isLeft: true }) };
  };

  const swap = (writer: Process, id: string, expected: string, next?: NextRecord) => {
    if ((kept.get(id)?.rev ?? "") === expected) {
      kept.delete(id);
      if (next) kept.set(id, { id, rev: next.rev, text: next.text, list: next.list, writer });
    }
    return show(kept.get(id));
  };

  /** Sends a command, and gives its answer. What has left reaches the store without its process. */
  const command = async <T>(process: Process, apply: () => T): Promise<T> => {
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
    get: (id) => command(process, () => show(kept.get(id))),
    swap: (id, expected, next) => command(process, () => swap(process, id, expected, next)),
    list: (name, limit) =>
      command(process, () =>
        [...kept.values()]
          .filter(({ list }) => list === name)
          .reverse()
          .slice(0, limit)
          .flatMap((record) => show(record) ?? []),
      ),
  });

  return { openFor, texts: () => Array.from(kept.values(), ({ text }) => text) };
};
