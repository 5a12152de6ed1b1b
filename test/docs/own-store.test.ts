// The example of a store of one's own passes the tests of the library's own stores.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import { createSqliteStore } from "../../examples/sqlite-store.ts";
import { testRecordStore } from "../submissions/store-promises.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

testRecordStore("the example of a store", async () => {
  const path = join(mkdtempSync(join(tmpdir(), "adgen-own-store-")), "records.db");
  return {
    stores: [createSqliteStore(path), createSqliteStore(path)],
    pass: async (ms) => void vi.advanceTimersByTime(ms),
  };
});
