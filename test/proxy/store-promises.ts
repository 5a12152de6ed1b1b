import type { ProxyStore } from "adgen-sdk/proxy";
import { describe, expect, test } from "vitest";

/** Two ways to one store that holds nothing yet, such as two connections. */
export interface OpenStore {
  readonly stores: readonly [ProxyStore, ProxyStore];
  /** Lets a time pass for the store, in milliseconds. */
  readonly pass: (ms: number) => Promise<void>;
}

const manyAtOnce = <T>(
  [one, other]: OpenStore["stores"],
  act: (store: ProxyStore, index: number) => Promise<T>,
): Promise<T[]> =>
  Promise.all(Array.from({ length: 50 }, (_, index) => act(index % 2 ? one : other, index)));

const life = { ttlMs: 60_000 };
const oddTexts = ["", " ", "a b\r\nDEL x\r\n", "a:b%2Fc", "{a}:*?[", "ünï 😀", "__proto__", "\0"];

/** Tests that each store passes. */
export const testStore = (name: string, open: () => Promise<OpenStore>): void => {
  describe(name, () => {
    test("reads the value that was written last, until it is removed", async () => {
      const [store, other] = (await open()).stores;
      expect(await store.get("a")).toBe(undefined);
      await store.set("a", "1", {});
      await store.set("a", "2", life);
      expect(await other.get("a")).toBe("2");
      expect(await other.get("b")).toBe(undefined);
      await store.remove("a");
      await store.remove("a");
      expect(await other.get("a")).toBe(undefined);
    });

    test("writes a value where there is none, and leaves another", async () => {
      const [store, other] = (await open()).stores;
      expect(await store.setIfAbsent("a", "1", {})).toBe(true);
      expect(await other.setIfAbsent("a", "2", life)).toBe(false);
      expect(await store.get("a")).toBe("1");
      await store.remove("a");
      expect(await store.setIfAbsent("a", "3", life)).toBe(true);
      expect(await other.get("a")).toBe("3");
    });

    test("lets one win of 50 that write at once", async () => {
      const { stores } = await open();
      const won = await manyAtOnce(stores, (store, index) =>
        store.setIfAbsent("a", String(index), life),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await stores[0].get("a")).toBe(String(won.indexOf(true)));
    });

    test("forgets values, numbers and lists when their time is over", async () => {
      const { stores, pass } = await open();
      const [store] = stores;
      const short = { ttlMs: 9.5, list: "l" };
      await Promise.all([
        ...[store.set("a", "1", short), store.setIfAbsent("b", "1", short)],
        ...[store.add("n", 7, 7, 9.5), store.set("c", "1", { list: "m" })],
      ]);
      await pass(20);
      expect(await Promise.all(["a", "b", "n", "c"].map((key) => store.get(key)))).toEqual([
        ...[undefined, undefined, undefined],
        "1",
      ]);
      expect(await store.list("l", 9)).toEqual([]);
      expect(await store.list("m", 9)).toEqual(["c"]);
      expect(await store.setIfAbsent("b", "2", life)).toBe(true);
      expect(await store.add("n", 7, 7, 60_000)).toBe(true);
    });

    test("lets 7 of 50 add that fit, one at a time or in fractions", async () => {
      const { stores } = await open();
      const added = await manyAtOnce(stores, (store) => store.add("n", 1, 7, 60_000));
      expect(added.filter(Boolean)).toHaveLength(7);
      expect(await stores[0].get("n")).toBe("7");
      const fractions = await manyAtOnce(stores, (store) => store.add("f", 0.1, 0.7, 60_000));
      expect(fractions.filter(Boolean)).toHaveLength(7);
      expect(await stores[1].get("f")).toBe("0.7");
    });

    test("takes a greater amount only as a whole, and a smaller one after it", async () => {
      const [store] = (await open()).stores;
      expect(await store.add("n", 8, 7, 60_000)).toBe(false);
      expect(await store.get("n")).toBe(undefined);
      expect(await store.add("n", 5, 7, 60_000)).toBe(true);
      expect(await store.add("n", 2.5, 7, 60_000)).toBe(false);
      expect(await store.add("n", 2, 7, 60_000)).toBe(true);
      expect(await store.add("n", 1e308, 7, 60_000)).toBe(false);
      expect(await store.add("big", 123_456_789.25, 1e12, 60_000)).toBe(true);
      expect(await store.get("big")).toBe("123456789.25");
    });

    test("counts the smallest amount as a millionth at least", async () => {
      const [store] = (await open()).stores;
      for (const amount of [1e-7, 1e-12, Number.MIN_VALUE]) {
        expect(await store.add("none", amount, 0, 60_000)).toBe(false);
        expect(await store.add("n", amount, 0.000003, 60_000)).toBe(true);
      }
      expect(await store.add("n", 1e-7, 0.000003, 60_000)).toBe(false);
      expect(Number(await store.get("n"))).toBe(0.000003);
    });

    test("gives back what was added, and never more", async () => {
      const [store, other] = (await open()).stores;
      for (const amount of [0.1, 0.2]) {
        expect(await store.add("n", amount, 0.3, 60_000)).toBe(true);
      }
      for (const amount of [-0.2, -0.1]) {
        expect(await other.add("n", amount, 0, 60_000)).toBe(true);
      }
      expect(await store.get("n")).toBe("0");
      expect(await store.add("n", -5, 0, 60_000)).toBe(true);
      expect(await store.get("n")).toBe("0");
      expect(await store.add("n", 0.3, 0.3, 60_000)).toBe(true);
      expect(await store.add("n", 0.1, 0.3, 60_000)).toBe(false);
      expect(await store.add("none", -5, 7, 60_000)).toBe(true);
      expect(await store.get("none")).toBe(undefined);
      expect(await store.add("none", 7, 7, 60_000)).toBe(true);
      expect(await store.add("none", 1, 7, 60_000)).toBe(false);
    });

    test("rejects an addition to a value that is no number", async () => {
      const [store] = (await open()).stores;
      await store.set("n", "seven", life);
      await expect(store.add("n", 1, 7, 60_000)).rejects.toThrow(/number|arithmetic/u);
      expect(await store.get("n")).toBe("seven");
    });

    test("lists keys, the newest first, at most as many as were asked for", async () => {
      const [store, other] = (await open()).stores;
      for (const key of ["d", "a", "c", "b"]) {
        await store.set(key, "1", { ...life, list: "l" });
      }
      await store.setIfAbsent("e", "1", { ...life, list: "l" });
      await store.set("x", "1", { ...life, list: "other" });
      await store.set("y", "1", life);
      expect(await other.list("l", 100)).toEqual(["e", "b", "c", "a", "d"]);
      expect(await other.list("l", 2)).toEqual(["e", "b"]);
      expect(await other.list("l", 0)).toEqual([]);
      expect(await other.list("none", 5)).toEqual([]);
      await other.set("a", "2", { ...life, list: "l" });
      expect(await store.list("l", 2)).toEqual(["a", "e"]);
    });

    test("puts no key on a list whose value it did not write", async () => {
      const [store, other] = (await open()).stores;
      expect(await store.setIfAbsent("a", "1", { ...life, list: "mine" })).toBe(true);
      expect(await other.setIfAbsent("a", "2", { ...life, list: "yours" })).toBe(false);
      expect(await other.list("yours", 9)).toEqual([]);
      expect(await other.setIfAbsent("a", "3", { ...life, list: "mine" })).toBe(false);
      expect(await other.list("mine", 9)).toEqual(["a"]);
    });

    test("takes a removed key off its list", async () => {
      const [store, other] = (await open()).stores;
      for (const key of ["a", "b"]) await store.set(key, "1", { list: "mine" });
      await other.remove("a", "mine");
      expect(await store.list("mine", 9)).toEqual(["b"]);
      expect(await store.setIfAbsent("a", "2", { list: "yours" })).toBe(true);
      expect(await other.list("mine", 9)).toEqual(["b"]);
      expect(await other.list("yours", 9)).toEqual(["a"]);
    });

    test.each(oddTexts)("takes %j as key, value and list", async (odd) => {
      const [store, other] = (await open()).stores;
      const long = odd.repeat(10_000);
      await store.set(odd, odd, { ...life, list: `list${odd}` });
      await store.set(`${odd}2`, long, { ...life, list: `list${odd}` });
      expect(await other.get(odd)).toBe(odd);
      expect(await other.get(`${odd}2`)).toBe(long);
      expect(await other.list(`list${odd}`, 9)).toEqual([`${odd}2`, odd]);
      expect(await other.add(`number${odd}`, 1, 7, 60_000)).toBe(true);
      expect(await other.get(`number${odd}`)).toBe("1");
      await other.remove(odd);
      expect(await store.get(odd)).toBe(undefined);
    });
  });
};
