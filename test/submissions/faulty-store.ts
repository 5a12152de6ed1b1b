import type { RecordStore } from "../../src/submissions/store/record-store.ts";
import { createModel } from "./store-promises.ts";
import type { Process, Random, Time } from "./virtual-world.ts";

/** Creates a store that processes share. Its commands may be slow, fail, or arrive twice or late. */
export const createFaultyStore = (time: Time, random: Random, faultRate: () => number) => {
  const model = createModel();

  /** Sends a command. A command that has left reaches the store even if its process dies. */
  const command = async <T>(process: Process, run: () => T): Promise<T> => {
    await process.step();
    const fault = random.happens(faultRate())
      ? random.pick(["refused", "lost", "late", "silent and late", "slow", "twice"] as const)
      : "none";
    await time.wait(random.between(1, 20));
    if (fault === "refused" || fault === "late" || fault === "silent and late") {
      if (fault !== "refused") time.after(random.pick([2_000, 9_000, 30_000, 600_000]), run);
      if (fault === "silent and late") await time.wait(3_600_000);
      await process.step();
      throw new Error(`the store ${fault}`);
    }
    if (fault === "slow") await time.wait(random.between(100, 14_000));
    const answer = run();
    if (fault === "twice") time.after(random.pick([10, 5_000, 300_000]), run);
    await time.wait(random.between(1, 20));
    await process.step();
    if (fault === "lost") throw new Error("the store's answer was lost");
    return answer;
  };

  const openFor = (process: Process): RecordStore => ({
    get: (id) => command(process, () => model.get(id)),
    swap: (id, expected, next) => command(process, () => model.swap(id, expected, next)),
    list: (name, limit) => command(process, () => model.list(name, limit)),
  });

  return { openFor, texts: model.texts };
};
