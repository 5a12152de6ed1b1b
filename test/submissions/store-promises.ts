import { describe, expect, test } from "vitest";
import type { NextRecord, RecordStore } from "../../src/submissions/record-store.ts";

/** Two ways to one store that holds nothing yet, such as two connections; twice the same will do. */
export interface OpenRecordStore {
  readonly stores: readonly [RecordStore, RecordStore];
  /** Lets a time pass for the store, in milliseconds. */
  readonly pass: (ms: number) => Promise<void>;
}

const oddTexts = ["", " ", "a b\r\nDEL x\r\n", "a:b%2Fc", "{a}:*?[", "ünï 😀", "__proto__", "\0"];

/** A record whose text tells its revision. */
const next = (rev: string, more: Partial<NextRecord> = {}): NextRecord => ({
  rev,
  text: `text of ${rev}`,
  ...more,
});

const stored = (id: string, rev: string) => ({ id, rev, text: `text of ${rev}` });

const idsOf = async (store: RecordStore, name: string, limit = 99): Promise<string[]> =>
  (await store.list(name, limit)).map(({ id }) => id);

/** Tests that each store of records passes. */
export const testRecordStore = (name: string, open: () => Promise<OpenRecordStore>): void => {
  describe(name, () => {
    test("writes a record where there is none, and shows it to others", async () => {
      const [store, other] = (await open()).stores;
      expect(await store.get("a")).toBe(undefined);
      expect(await store.swap("a", "", next("1"))).toMatchObject(stored("a", "1"));
      expect(await other.get("a")).toMatchObject(stored("a", "1"));
      expect(await other.get("b")).toBe(undefined);
    });

    test("replaces the revision that was expected, and no other", async () => {
      const [store, other] = (await open()).stores;
      await store.swap("a", "", next("1"));
      expect(await other.swap("a", "", next("2"))).toMatchObject(stored("a", "1"));
      expect(await other.swap("a", "0", next("2"))).toMatchObject(stored("a", "1"));
      expect(await other.swap("a", "1", next("2"))).toMatchObject(stored("a", "2"));
      expect(await store.swap("a", "1", next("3"))).toMatchObject(stored("a", "2"));
      expect(await store.get("a")).toMatchObject(stored("a", "2"));
      expect(await store.swap("b", "1", next("2"))).toBe(undefined);
      expect(await store.get("b")).toBe(undefined);
    });

    test("removes the revision that was expected, and no other", async () => {
      const [store, other] = (await open()).stores;
      await store.swap("a", "", next("1"));
      expect(await other.swap("a", "")).toMatchObject(stored("a", "1"));
      expect(await other.swap("a", "2")).toMatchObject(stored("a", "1"));
      expect(await other.swap("a", "1")).toBe(undefined);
      expect(await store.get("a")).toBe(undefined);
      expect(await store.swap("a", "1")).toBe(undefined);
      expect(await store.swap("a", "1", next("2"))).toBe(undefined);
      expect(await store.swap("a", "", next("3"))).toMatchObject(stored("a", "3"));
    });

    test("takes one write that comes twice as one, and a late one as none", async () => {
      const [store] = (await open()).stores;
      await store.swap("a", "", next("1"));
      await store.swap("a", "1", next("2"));
      expect(await store.swap("a", "1", next("2"))).toMatchObject(stored("a", "2"));
      await store.swap("a", "2", next("3"));
      expect(await store.swap("a", "1", next("2"))).toMatchObject(stored("a", "3"));
      expect(await store.swap("a", "1")).toMatchObject(stored("a", "3"));
    });

    test.each([
      ["from none", ""],
      ["from one revision", "0"],
    ])("lets one win of 50 that write at once %s", async (_, expected) => {
      const { stores } = await open();
      if (expected !== "") await stores[0].swap("a", "", next(expected));
      const there = await Promise.all(
        Array.from({ length: 50 }, (_, index) =>
          stores[index % 2 ? 1 : 0].swap("a", expected, next(`of ${index}`)),
        ),
      );
      const winner = await stores[0].get("a");
      expect(there.filter((record) => record?.rev !== winner?.rev)).toEqual([]);
      expect(winner?.rev).toMatch(/^of \d+$/);
    });

    test("lets no write of a chain be lost, whoever else writes", async () => {
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
      await Promise.all(Array.from({ length: 20 }, (_, index) => count(index)));
      expect((await stores[0].get("n"))?.text).toBe("20");
    });

    test("lists the records of a list, the one written last first", async () => {
      const [store, other] = (await open()).stores;
      for (const id of ["d", "a", "c", "b"]) await store.swap(id, "", next("1", { list: "l" }));
      await store.swap("x", "", next("1", { list: "other" }));
      await store.swap("y", "", next("1"));
      expect(await idsOf(other, "l")).toEqual(["b", "c", "a", "d"]);
      expect(await idsOf(other, "l", Number.MAX_SAFE_INTEGER)).toEqual(["b", "c", "a", "d"]);
      expect((await other.list("l", 1))[0]).toMatchObject(stored("b", "1"));
      expect(await idsOf(other, "l", 2)).toEqual(["b", "c"]);
      expect(await idsOf(other, "l", 0)).toEqual([]);
      expect(await idsOf(other, "none")).toEqual([]);
      await other.swap("a", "1", next("2", { list: "l" }));
      expect(await idsOf(store, "l", 2)).toEqual(["a", "b"]);
      expect((await store.list("l", 1))[0]).toMatchObject(stored("a", "2"));
    });

    test("has a record on the list that its newest revision names, and on no other", async () => {
      const [store, other] = (await open()).stores;
      for (const id of ["a", "b", "c", "d"]) await store.swap(id, "", next("1", { list: "l" }));
      await other.swap("a", "1", next("2"));
      await other.swap("b", "1", next("2", { list: "m" }));
      await other.swap("c", "1");
      await other.swap("d", "0", next("2", { list: "m" }));
      expect(await idsOf(store, "l")).toEqual(["d"]);
      expect(await idsOf(store, "m")).toEqual(["b"]);
      await store.swap("c", "", next("3"));
      expect(await idsOf(store, "l")).toEqual(["d"]);
    });

    test("forgets a record when its time is over, and keeps one that has none", async () => {
      const { stores, pass } = await open();
      const [store, other] = stores;
      await store.swap("a", "", next("1", { ttlMs: 499.5, list: "l" }));
      await store.swap("b", "", next("1", { list: "l" }));
      // At once: the first must not end before the second, however busy the machine is.
      const first = store.swap("c", "", next("1", { ttlMs: 499.5 }));
      await Promise.all([first, store.swap("c", "1", next("2", { list: "l" }))]);
      await store.swap("d", "", next("1", { ttlMs: 60_000, list: "l" }));
      await pass(520);
      expect(await other.get("a")).toBe(undefined);
      expect(await idsOf(other, "l")).toEqual(["d", "c", "b"]);
      expect(await store.swap("a", "1", next("2"))).toBe(undefined);
      expect(await store.swap("a", "", next("3"))).toMatchObject(stored("a", "3"));
    });

    test.each(oddTexts)("takes %j as id, text and list", async (odd) => {
      const [store, other] = (await open()).stores;
      const long = odd.repeat(10_000);
      await store.swap(odd, "", { rev: "1", text: odd, list: `list${odd}` });
      await store.swap(`${odd}2`, "", { rev: "1", text: long, list: `list${odd}` });
      expect(await other.get(odd)).toMatchObject({ id: odd, rev: "1", text: odd });
      expect((await other.get(`${odd}2`))?.text).toBe(long);
      expect(await idsOf(other, `list${odd}`)).toEqual([`${odd}2`, odd]);
      await other.swap(odd, "1");
      expect(await store.get(odd)).toBe(undefined);
      expect(await idsOf(other, `list${odd}`)).toEqual([`${odd}2`]);
    });
  });
};
