import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, vi } from "vitest";
import { type FileStore, openFileStore } from "../../src/submissions/file.ts";
import type { NextRecord } from "../../src/submissions/store/record-store.ts";

/** Folder of the running test, and the path of the store in it. */
export let storeFolder = "";
export let storePath = "";

const opened: { close(): unknown }[] = [];

/** Creates a folder for each test, and removes it after the test. */
export const useFolders = (): void => {
  beforeEach(() => {
    storeFolder = mkdtempSync(join(realpathSync(tmpdir()), "adgen-store-"));
    storePath = join(storeFolder, "submissions");
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    for (const one of opened.splice(0)) await one.close();
    rmSync(storeFolder, { recursive: true, force: true });
  });
};

export const openStore = async (place = storePath): Promise<FileStore> => {
  const store = await openFileStore(place);
  opened.push(store);
  return store;
};

/** Opens the file of a store with SQLite, as another program does. */
export const openBeside = (place = storePath): DatabaseSync => {
  const db = new DatabaseSync(place);
  opened.push({ close: () => db.isOpen && db.close() });
  return db;
};

/** Returns a record whose text names its revision. */
export const nextRecord = (rev: string, more: Partial<NextRecord> = {}): NextRecord => ({
  rev,
  text: `text of ${rev}`,
  ...more,
});
export const storedRecord = (id: string, rev: string) => ({ id, rev, text: `text of ${rev}` });

export const revsOf = (store: FileStore, ...ids: string[]): Promise<(string | undefined)[]> =>
  Promise.all(ids.map(async (id) => (await store.get(id))?.rev));

export const idsOf = async (store: FileStore, list: string): Promise<string[]> =>
  (await store.list(list, 9_999)).map(({ id }) => id);
