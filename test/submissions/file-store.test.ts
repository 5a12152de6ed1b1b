import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { type FileStore, openFileStore } from "../../src/submissions-file.ts";
import {
  folder,
  handlePrototype,
  next,
  opened,
  openStore,
  path,
  useFolders,
  writeMany,
} from "./file-stores.ts";
import { testRecordStore } from "./store-promises.ts";

useFolders();

const stored = (rev: string) => ({ rev, text: `text of ${rev}` });

const linesOf = (): string[] => readFileSync(path, "utf8").trimEnd().split("\n");

const idsOf = async (store: FileStore, list: string): Promise<string[]> =>
  (await store.list(list, 9_999)).map(({ id }) => id);

testRecordStore("a store in a file", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const store = await openStore();
  return { stores: [store, store], pass: async (ms) => void vi.advanceTimersByTime(ms) };
});

describe("a store in a file", () => {
  it("keeps records and lists for the next opening", async () => {
    const first = await openStore();
    for (const id of ["a", "b", "ü\n☀️", "gone"]) await first.swap(id, "", next("1", { list: "l" }));
    await first.swap("a", "1", next("2", { list: "l" }));
    await first.swap("gone", "1");
    await first.swap("plain", "", next("1"));
    await first.close();

    const store = await openStore();

    expect(await store.list("l", 9)).toEqual([
      { id: "a", ...stored("2") },
      { id: "ü\n☀️", ...stored("1") },
      { id: "b", ...stored("1") },
    ]);
    expect(await store.get("plain")).toEqual({ id: "plain", ...stored("1") });
    expect(await store.get("gone")).toBe(undefined);
  });

  it("refuses what is no path, before it touches a file", async () => {
    for (const [given, kind] of [
      [undefined, "undefined"],
      ["", "an empty text"],
      [{}, "object"],
    ]) {
      await expect(openFileStore(given as never)).rejects.toMatchObject({
        code: "config",
        message: `openFileStore takes the path of a file, got ${String(kind)}`,
      });
    }
  });

  it("can be read by its owner alone", async () => {
    const store = await openStore();
    await store.swap("a", "", next("1"));

    expect(readdirSync(folder)).toHaveLength(2);
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o77).toBe(0);
    }
  });

  it("shares an fsync among the swaps of a moment, each judged by those before it", async () => {
    const store = await openStore();
    const datasync = vi.spyOn(await handlePrototype(), "datasync");

    const revs = await writeMany(store, "a", 200);

    expect(revs).toEqual(Array.from({ length: 200 }, (_, index) => String(index + 1)));
    expect(datasync.mock.calls.length).toBeLessThan(5);
  });

  it("shows nothing that is not safe yet", async () => {
    const store = await openStore();
    const prototype = await handlePrototype();
    const { datasync } = prototype;
    const seen: unknown[] = [];
    vi.spyOn(prototype, "datasync").mockImplementation(async function (this: FileHandle) {
      seen.push(await store.get("a"), await store.list("l", 9));
      await Reflect.apply(datasync, this, []);
    });

    await store.swap("a", "", next("1", { list: "l" }));

    expect(seen).toEqual([undefined, []]);
    expect(await store.get("a")).toMatchObject({ rev: "1" });
  });

  it("refuses swaps once it is closed, and may be closed twice", async () => {
    const store = await openStore();
    const late = store.swap("a", "", next("1"));
    await store.close();
    await store.close();

    expect((await late)?.rev).toBe("1");
    await expect(store.swap("a", "1")).rejects.toThrow(`${path} is closed: open it again`);
    expect(readdirSync(folder)).toEqual(["submissions"]);
  });

  it("lets a record age only while it is open, and over openings", async () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(1_000_000);
    const first = await openStore();
    await first.swap("a", "", next("1", { ttlMs: 10_000 }));
    clock.mockReturnValue(1_006_000);
    await first.swap("b", "", next("1", { ttlMs: 10_000 }));
    await first.close();
    clock.mockReturnValue(5);
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 365 * 24 * 3_600_000);
    const store = await openStore();
    clock.mockReturnValue(3_900);
    expect((await store.get("a"))?.rev).toBe("1");
    clock.mockReturnValue(4_100);
    expect(await store.get("a")).toBe(undefined);
    expect((await store.get("b"))?.rev).toBe("1");
  });
});

describe("a writer that has ended", () => {
  const pathOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
  const script = [
    "--import",
    pathOf("../helpers/from-source.ts"),
    pathOf("./children/write-once.ts"),
  ];

  /** Starts a process that writes a record, and stays. */
  const startWriter = async () => {
    const writer = spawn(process.execPath, [...script, path], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(writer.stdout, "data");
    return writer;
  };

  it("is told of its records, and of no others", async () => {
    const writer = await startWriter();
    const refused = await openFileStore(path).catch((error: unknown) => error);
    writer.kill("SIGKILL");
    await once(writer, "close");

    const store = await openStore();
    const left = await store.get("of the child");
    await store.swap("mine", "", next("1", { list: "open" }));

    expect(refused).toMatchObject({
      name: "StoreError",
      message:
        `The file ${path} is in use by process ${writer.pid}: ` +
        "close it there, or give this process a path of its own",
    });
    expect(left).toMatchObject({ rev: "1", isLeft: true });
    expect(await store.list("open", 9)).toEqual([
      { id: "mine", ...stored("1") },
      { ...left, id: "of the child" },
    ]);
    await writeMany(store, "n", 1_100);
    await store.close();
    // The file was written anew in between.
    expect(linesOf().length).toBeLessThan(100);
    const again = await openStore();
    expect(await again.get("of the child")).toEqual(left);
    expect(await again.get("mine")).toEqual({ id: "mine", ...stored("1") });
    expect(await again.swap("of the child", "1", next("2"))).toEqual({
      id: "of the child",
      ...stored("2"),
    });
  });

  it("is not told of where the line that names it is damaged", async () => {
    const writer = await startWriter();
    writer.kill("SIGKILL");
    await once(writer, "close");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace('{"session":', '{"sessioX":'));
    for (const size of [1_100, 1]) {
      const store = await openFileStore(path);
      expect(await store.get("of the child")).toEqual({ id: "of the child", ...stored("1") });
      // Written anew in between.
      await writeMany(store, `n${size}`, size);
      await store.close();
    }
    expect(linesOf().length).toBeLessThan(100);
  });

  it("is not one that has closed the store, and still runs", async () => {
    const first = await openStore();
    await first.swap("a", "", next("1"));
    await first.close();

    expect(await (await openStore()).get("a")).toEqual({ id: "a", ...stored("1") });
  });
});

describe("a disk that fails", () => {
  it("refuses a swap, and takes the next without a trace of the first", async () => {
    const store = await openStore();
    await store.swap("a", "", next("1"));
    const prototype = await handlePrototype();
    const { write } = prototype;
    // Half of the record gets onto the disk.
    const failing = vi.spyOn(prototype, "write").mockImplementation(async function (
      this: FileHandle,
      ...given: unknown[]
    ) {
      const [bytes, offset, length, at] = given as [Uint8Array, number, number, number];
      await Reflect.apply(write, this, [bytes, offset, Math.floor(length / 2), at]);
      throw new Error("ENOSPC: no space left");
    } as never);

    await expect(store.swap("a", "1", next("2", { list: "l" }))).rejects.toThrow("ENOSPC");
    expect(await store.get("a")).toMatchObject(stored("1"));
    expect(await store.list("l", 9)).toEqual([]);
    failing.mockRestore();
    expect(await store.swap("a", "1", next("3"))).toMatchObject(stored("3"));
    await store.close();

    const again = await openStore();
    expect(await again.get("a")).toMatchObject(stored("3"));
    expect(await again.list("open", 9)).toEqual([]);
  });

  it("refuses all swaps that share a failed fsync, also where it cannot cut them off", async () => {
    const store = await openStore();
    await store.swap("a", "", next("1"));
    const prototype = await handlePrototype();
    vi.spyOn(prototype, "datasync").mockRejectedValueOnce(new Error("EIO: i/o error"));
    vi.spyOn(prototype, "truncate").mockRejectedValueOnce(new Error("EIO: i/o error"));

    const steps = [store.swap("a", "1", next("2")), store.swap("b", "", next("2"))];
    const outcomes = await Promise.allSettled(steps);
    const lines = linesOf().length;
    await store.swap("c", "", next("3"));

    expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(linesOf()).toHaveLength(lines - 1);
    await store.close();
    const again = await openStore();
    const revs = await Promise.all(["a", "b", "c"].map(async (id) => (await again.get(id))?.rev));
    expect(revs).toEqual(["1", undefined, "3"]);
  });
});

describe("a file that has grown", () => {
  it("is written anew, with every record, list, order and age", async () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(0);
    const store = await openStore();
    await store.swap("gone", "", next("1", { ttlMs: 5_000, list: "l" }));
    await store.swap("stays", "", next("1", { ttlMs: 9_000, list: "l" }));
    clock.mockReturnValue(6_000);
    for (const id of ["b", "a"]) await store.swap(id, "", next("1", { list: "l" }));
    for (let from = 0; from < 3_000; from += 500) await writeMany(store, "n", 500, from);
    await store.swap("last", "", next("1", { list: "l" }));

    expect(linesOf().length).toBeLessThan(1_600);
    for (const one of [store, undefined]) {
      if (one === undefined) await store.close();
      const now = one ?? (await openStore());
      expect(await idsOf(now, "l")).toEqual(["last", "a", "b", "stays"]);
      expect((await now.get("n"))?.rev).toBe("3000");
    }
    clock.mockReturnValue(6_000 + 3_100);
    expect(await opened.at(-1)?.get("stays")).toBe(undefined);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toHaveLength(2);
  });

  it("stays as it is where it cannot be written anew, and takes swaps", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const store = await openStore();
    const prototype = await handlePrototype();
    vi.spyOn(prototype, "sync").mockRejectedValue(new Error("ENOSPC: no space left"));
    await writeMany(store, "n", 1_100);
    await store.swap("a", "", next("1"));

    expect(printed.mock.calls.map(([line]) => line)).toEqual([
      `adgen-sdk: the file ${path} cannot be made smaller`,
    ]);
    vi.restoreAllMocks();
    await store.close();
    const again = await openStore();
    expect((await again.get("n"))?.rev).toBe("1100");
    expect((await again.get("a"))?.rev).toBe("1");
    expect(readdirSync(folder)).toHaveLength(2);
  });
});
