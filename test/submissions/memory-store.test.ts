import { createMemoryStore } from "../../src/submissions/memory-store.ts";
import { testRecordStore } from "./store-promises.ts";

testRecordStore("a store in memory", async () => {
  const store = createMemoryStore();
  return {
    stores: [store, store],
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
});
