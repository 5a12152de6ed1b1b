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

test("things are read newest first, from any of them on, and deleted ones are left out", () => {
  const collection = createCollection<Item>();
  for (const id of ["a", "b", "c", "d"]) collection.set({ id });
  collection.delete("c");
  const read = (before?: string): string[] => Array.from(collection.newest(before), ({ id }) => id);
  expect(read()).toEqual(["d", "b", "a"]);
  expect(read("b")).toEqual(["a"]);
  expect(read("a")).toEqual([]);
  expect(read("nobody")).toEqual([]);
});

test("a lasting list walks only once through the things that are left out", () => {
  const things = createCollection<Item>();
  const gone = new Set<string>();
  let walked = 0;
  const listed = (limit = 100): string[] => {
    walked = 0;
    return things.listLasting(limit, ({ id }) => {
      walked += 1;
      return gone.has(id) ? null : id;
    });
  };
  const add = (...ids: string[]): void => {
    for (const id of ids) things.set({ id });
  };
  add("first", ...Array.from({ length: 1_000 }, (_, count) => `a${count}`), "middle");
  for (let count = 0; count < 1_000; count += 1) gone.add(`a${count}`);
  expect([listed(), walked]).toEqual([["middle", "first"], 1_002]);
  expect([listed(), walked]).toEqual([["middle", "first"], 2]);
  expect([listed(1), walked]).toEqual([["middle"], 1]);

  add(...Array.from({ length: 500 }, (_, count) => `b${count}`), "last");
  for (let count = 0; count < 500; count += 1) gone.add(`b${count}`);
  gone.add("middle");
  expect([listed(2), walked]).toEqual([["last", "first"], 503]);
  expect([listed(), walked]).toEqual([["last", "first"], 2]);
  expect(Array.from(things.newest(), ({ id }) => id)).toEqual(["last", "first"]);

  // They are there all the same, for others who ask.
  expect([things.size, things.get("a7"), things.list(2, ({ id }) => id)]).toEqual([
    1_503,
    { id: "a7" },
    ["last", "b499"],
  ]);
  for (let count = 0; count < 1_000; count += 1) things.delete(`a${count}`);
  expect(listed()).toEqual(["last", "first"]);
  for (const id of ["first", "last"]) gone.add(id);
  expect(listed()).toEqual([]);
  add("new");
  expect([listed(), walked]).toEqual([["new"], 1]);
});
