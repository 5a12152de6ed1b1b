import { expect, test } from "vitest";
import { createMemoryStore } from "../../src/submissions/memory-store.ts";
import { testRecordStore } from "./store-promises.ts";

testRecordStore("a store in memory", async () => {
  const store = createMemoryStore();
  return {
    stores: [store, store],
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
});

test("a store in memory refuses options, by name: it has none", () => {
  expect(() => createMemoryStore({ maxEntries: 5 } as never)).toThrow(
    'createMemoryStore has no option "maxEntries"; it has none',
  );
});
