import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type FileStore, openFileStore } from "../../src/submissions-file.ts";
import { testRecordStore } from "./store-promises.ts";

const folder = mkdtempSync(join(realpathSync(tmpdir()), "adgen-store-"));
const opened: FileStore[] = [];
afterAll(async () => {
  for (const store of opened) await store.close();
  rmSync(folder, { recursive: true, force: true });
});

testRecordStore("a store in a file", async () => {
  const store = await openFileStore(join(folder, String(opened.length)));
  opened.push(store);
  return {
    stores: [store, store],
    pass: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  };
});
