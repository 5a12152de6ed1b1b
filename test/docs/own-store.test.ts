// The store of the guide about limits and owners passes the tests of the library's own stores.
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, vi } from "vitest";
import { writeRecipe } from "../helpers/recipes.ts";
import { testRecordStore } from "../submissions/store-promises.ts";

const folder = writeRecipe("docs/guides/limits-and-owners.md");
const { createSqliteStore } = await import(pathToFileURL(join(folder, "sqlite-store.ts")).href);

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

let opened = 0;
testRecordStore("the store of the guide", async () => {
  const path = join(folder, `${opened++}.db`);
  return {
    stores: [createSqliteStore(path), createSqliteStore(path)],
    pass: async (ms) => void vi.advanceTimersByTime(ms),
  };
});
