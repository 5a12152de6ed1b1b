import { expect, test } from "vitest";
import { type Collection, createCollection } from "../../mocks/domain/collection.ts";

interface Item {
  readonly id: string;
}

/** Milliseconds of a hundred lists, the best of many. */
const bestTime = (collection: Collection<Item>): number => {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 20; round += 1) {
    const startedAt = performance.now();
    for (let run = 0; run < 100; run += 1) collection.list(10, (item) => item);
    best = Math.min(best, performance.now() - startedAt);
  }
  return best;
};

test("a list keeps its order, and takes no longer after twenty thousand deletions", () => {
  const few = createCollection<Item>();
  few.set({ id: "first" });
  few.set({ id: "last" });
  const many = createCollection<Item>();
  many.set({ id: "first" });
  for (let count = 0; count < 20_000; count += 1) many.set({ id: `${count}` });
  many.set({ id: "last" });
  for (let count = 0; count < 20_000; count += 1) expect(many.delete(`${count}`)).toBe(true);

  expect([many.size, many.delete("0"), many.get("0")]).toEqual([2, false, undefined]);
  expect(many.list(10, ({ id }) => id)).toEqual(["last", "first"]);
  many.set({ id: "first" });
  expect(many.list(1, ({ id }) => id)).toEqual(["last"]);
  bestTime(few);
  expect(bestTime(many) / bestTime(few)).toBeLessThan(20);
});
