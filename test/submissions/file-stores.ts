import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, vi } from "vitest";
import type { NextRecord } from "../../src/submissions/record-store.ts";
import { type FileStore, openFileStore } from "../../src/submissions-file.ts";

/** Folder of the test that runs, and the file in it. */
export let folder = "";
export let path = "";
/** Prototype of Node's file handles, which the module does not export: a disk to break. */
export let disk: FileHandle;

/** Stores of the test, which close after it. */
export const opened: FileStore[] = [];

/** Gives each test of a file a folder of its own. */
export const useFolders = (): void => {
  beforeEach(async () => {
    folder = mkdtempSync(join(realpathSync(tmpdir()), "adgen-store-"));
    path = join(folder, "submissions");
    const handle = await open(folder, "r");
    await handle.close();
    disk = Object.getPrototypeOf(handle);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    for (const store of opened.splice(0)) await store.close();
    rmSync(folder, { recursive: true, force: true });
  });
};

export const openStore = async (place = path): Promise<FileStore> => {
  const store = await openFileStore(place);
  opened.push(store);
  return store;
};

export const reopen = async (store: FileStore): Promise<FileStore> => {
  await store.close();
  return openStore();
};

/** A record whose text tells its revision. */
export const next = (rev: string, more: Partial<NextRecord> = {}): NextRecord => ({
  rev,
  text: `text of ${rev}`,
  ...more,
});
export const onList = (rev: string): NextRecord => next(rev, { list: "l" });
export const stored = (id: string, rev: string) => ({ id, rev, text: `text of ${rev}` });

/** Writes a record many times at once, from one revision on. Gives the revisions that stood then. */
export const writeMany = async (store: FileStore, id: string, times: number, from = 0) => {
  const steps = Array.from({ length: times }, (_, at) =>
    store.swap(id, from + at === 0 ? "" : String(from + at), next(String(from + at + 1))),
  );
  return (await Promise.all(steps)).map((there) => there?.rev);
};

export const revsOf = (store: FileStore, ...ids: string[]): Promise<(string | undefined)[]> =>
  Promise.all(ids.map(async (id) => (await store.get(id))?.rev));

export const idsOf = async (store: FileStore, list: string): Promise<string[]> =>
  (await store.list(list, 9_999)).map(({ id }) => id);

export const linesOf = (): string[] => readFileSync(path, "utf8").trimEnd().split("\n");
