import { describe, expect, test } from "vitest";
import type {
  NextRecord,
  RecordStore,
  StoredRecord,
} from "../../src/submissions/store/record-store.ts";
import { createRandom, type Process, type Random, type Time } from "./virtual-world.ts";

/** Two connections to one empty store. They may be the same object. */
export interface OpenRecordStore {
  readonly stores: readonly [RecordStore, RecordStore];
  /** Lets time pass for the store, in milliseconds. */
  readonly pass: (ms: number) => Promise<void>;
}

const oddTexts = ["", " ", "a b\r\nDEL x\r\n", "a:b%2Fc", "{a}:*?[", "ünï 😀", "__proto__", "\0"];

const shown = (record: StoredRecord | undefined) =>
  record && { id: record.id, rev: record.rev, text: record.text };

/** Creates the simplest store, in a map that tests can read. Other stores give the same answers. */
export const createMapStore = () => {
  const values = new Map<string, NextRecord & { readonly until: number }>();
  const read = (id: string): StoredRecord | undefined => {
    const { rev, text, until } = values.get(id) ?? { rev: "", text: "", until: 0 };
    return until > Date.now() ? { id, rev, text } : undefined;
  };
  const store: RecordStore = {
    get: async (id) => read(id),
    swap: async (id, expected, next) => {
      if ((read(id)?.rev ?? "") !== expected) return read(id);
      // The record written last moves to the end.
      values.delete(id);
      if (next === undefined) return undefined;
      const { ttlMs = Number.POSITIVE_INFINITY } = next;
      values.set(id, { ...next, until: Date.now() + ttlMs });
      return read(id);
    },
    list: async (name, limit) =>
      [...values]
        .filter(([, { list }]) => list === name)
        .reverse()
        .flatMap(([id]) => read(id) ?? [])
        .slice(0, limit),
  };
  return { store, values };
};

/** Creates a store that processes share. Its commands may be slow, fail, or arrive twice or late. */
export const createFaultyStore = (time: Time, random: Random, faultRate: () => number) => {
  const { store, values } = createMapStore();

  /** Sends a command. A command that has left reaches the store even if its process dies. */
  const command = async <T>(process: Process, run: () => Promise<T>): Promise<T> => {
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
    const answer = await run();
    if (fault === "twice") time.after(random.pick([10, 5_000, 300_000]), run);
    await time.wait(random.between(1, 20));
    await process.step();
    if (fault === "lost") throw new Error("the store's answer was lost");
    return answer;
  };

  const openFor = (process: Process): RecordStore => ({
    get: (id) => command(process, () => store.get(id)),
    swap: (id, expected, next) => command(process, () => store.swap(id, expected, next)),
    list: (name, limit) => command(process, () => store.list(name, limit)),
  });

  return { openFor, texts: () => Array.from(values.values(), ({ text }) => text) };
};

/** Defines the tests that each store of records must pass. */
export const testRecordStore = (name: string, open: () => Promise<OpenRecordStore>): void => {
  describe(name, () => {
    test(`${name} answers random swaps, reads and lists as the model does`, async () => {
      const { stores } = await open();
      const { store: model, values } = createMapStore();
      const seed = Date.now() % 1_000_000_000;
      const random = createRandom(seed);
      const lists = oddTexts.slice(0, 3).map((odd) => `list${random.pick([odd, ""])}`);
      let last: Parameters<RecordStore["swap"]> | undefined;
      for (let step = 1; step <= 120; step++) {
        const where = `seed ${seed}, step ${step}`;
        const index = random.below(2);
        const [store, other] = index ? stores : [stores[1], stores[0]];
        const id = random.pick(["a", "b", ...oddTexts]);
        const there = (await model.get(id))?.rev ?? "";
        const revs = Array.from(values.values(), ({ rev }) => rev);
        const expected = random.happens(0.7) ? there : random.pick(["", "0", ...revs]);
        const odd = random.pick(oddTexts);
        const next = {
          rev: String(step),
          text: random.happens(0.05) ? odd.repeat(10_000) : odd,
          ...(random.happens(0.7) && { list: random.pick(lists) }),
        };
        // A client library may send a command twice, and a command may arrive late.
        if (last === undefined || random.happens(0.8)) {
          last = random.happens(0.25) ? [id, expected] : [id, expected, next];
        }
        expect(shown(await store.swap(...last)), where).toEqual(await model.swap(...last));
        for (const one of [last[0], random.pick(oddTexts)]) {
          expect(shown(await other.get(one)), where).toEqual(await model.get(one));
        }
        const list = random.pick([...lists, "none"]);
        const limit = random.pick([0, 1, 2, 99, Number.MAX_SAFE_INTEGER]);
        const listed = (await other.list(list, limit)).map(shown);
        expect(listed, where).toEqual(await model.list(list, limit));
      }
    });

    test(`${name} loses no write when many writers compete for one record`, async () => {
      const { stores } = await open();
      const count = async (index: number): Promise<void> => {
        const store = stores[index % 2 ? 1 : 0];
        for (;;) {
          const before = await store.get("n");
          const text = String(Number(before?.text ?? 0) + 1);
          const rev = `${index} ${text}`;
          if ((await store.swap("n", before?.rev ?? "", { rev, text }))?.rev === rev) return;
        }
      };
      await Promise.all(Array.from({ length: 30 }, (_, index) => count(index)));
      expect((await stores[0].get("n"))?.text).toBe("30");
    });

    test(`${name} forgets a record after its time to live, and keeps a record without one`, async () => {
      const { stores, pass } = await open();
      const [store, other] = stores;
      const write = (id: string, ttlMs?: number, rev = "1") => {
        const next = { rev, text: `text of ${rev}`, list: "l", ...(ttlMs && { ttlMs }) };
        return store.swap(id, rev === "1" ? "" : "1", next);
      };
      await write("a", 99.5);
      await write("b");
      // Both writes leave together, so that the first record cannot expire before the second write.
      await Promise.all([write("c", 99.5), write("c", undefined, "2")]);
      await write("d", 60_000);
      await pass(120);
      expect(await other.get("a")).toBe(undefined);
      expect((await other.list("l", 9)).map(({ id }) => id)).toEqual(["d", "c", "b"]);
      expect(await store.swap("a", "1", { rev: "2", text: "" })).toBe(undefined);
      expect(await write("a")).toMatchObject({ rev: "1" });
    });
  });
};
