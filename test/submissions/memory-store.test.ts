import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createMemoryStore } from "../../src/submissions/memory-store.ts";
import { testRecordStore } from "./store-promises.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

testRecordStore("a store in memory", async () => {
  const store = createMemoryStore();
  return { stores: [store, store], pass: async (ms) => void vi.advanceTimersByTime(ms) };
});

test("a store in memory refuses options, by name: it has none", () => {
  expect(() => createMemoryStore({ maxEntries: 5 } as never)).toThrow(
    'createMemoryStore has no option "maxEntries"; it has none',
  );
});
