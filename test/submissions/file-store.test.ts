import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import { formatLine, parseLine } from "../../src/submissions/file/lines.ts";
import { createMemoryStore } from "../../src/submissions/memory-store.ts";
import { type FileStore, openFileStore } from "../../src/submissions-file.ts";
import {
  disk,
  folder,
  idsOf,
  linesOf,
  next,
  onList,
  openStore,
  path,
  reopen,
  revsOf,
  stored,
  useFolders,
  writeMany,
} from "./file-stores.ts";
import { bundleChild } from "./kill-process.ts";
import { testRecordStore } from "./store-promises.ts";

useFolders();

testRecordStore("a store in a file", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  store = await reopen(store);
  return { stores: [store, store], pass: async (ms) => void vi.advanceTimersByTime(ms) };
});

testRecordStore("a store in memory", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const memory = createMemoryStore();
  return { stores: [memory, memory], pass: async (ms) => void vi.advanceTimersByTime(ms) };
});

let store: FileStore;
beforeEach(async () => {
  store = await openStore();
});

test("shows nothing before its fsync, which swaps share, each judged by those before it", async () => {
  const { datasync } = disk;
  const seen: unknown[] = [];
  vi.spyOn(disk, "datasync").mockImplementation(async function (this: FileHandle) {
    seen.push([await revsOf(store, "a"), await idsOf(store, "l")]);
    await Reflect.apply(datasync, this, []);
  });

  const first = store.swap("a", "", onList("1"));
  const revs = await writeMany(store, "a", 200, 1);
  await first;

  expect(revs).toEqual(Array.from({ length: 200 }, (_, index) => String(index + 2)));
  expect(seen[0]).toEqual([[undefined], []]);
  expect(seen.length).toBeLessThan(5);
  expect(await revsOf(store, "a")).toEqual(["201"]);
});

test("lets its owner alone read a new file, and the lock beside it", () => {
  const modes = readdirSync(folder).map((name) => statSync(join(folder, name)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o600]);
});

test("refuses swaps once it is closed, and may be closed twice", async () => {
  const late = store.swap("a", "", next("1"));
  await store.close();
  await store.close();

  expect((await late)?.rev).toBe("1");
  await expect(store.swap("a", "1")).rejects.toThrow(`${path} is closed: open it again`);
  expect(readdirSync(folder)).toEqual(["submissions"]);
});

test("tells of the records whose writer has ended, where it knows the writer", async () => {
  await store.close();
  const program = await bundleChild("submissions/children/write-once");
  const writer = spawn(process.execPath, [program, path], { stdio: ["ignore", "pipe", "inherit"] });
  await once(writer.stdout, "data");
  const refused = await openFileStore(path).catch((error: unknown) => error);
  writer.kill("SIGKILL");
  await once(writer, "close");
  const ofChild = readFileSync(path, "utf8");
  expect(refused).toMatchObject({
    name: "StoreError",
    message:
      `The file ${path} is in use by process ${writer.pid}: ` +
      "close it there, or give this process a path of its own",
  });

  store = await openStore();
  await store.swap("mine", "", next("1", { list: "open" }));
  const ofBoth = readFileSync(path, "utf8");
  const left = { ...stored("of the child", "1"), isLeft: true };
  for (const _ of ["as it is", "written anew"]) {
    expect(await store.list("open", 9)).toEqual([stored("mine", "1"), left]);
    expect(await store.get("of the child")).toEqual(left);
    if (linesOf().length < 100) await writeMany(store, "n", 1_100);
    store = await reopen(store);
  }
  expect(linesOf().length).toBeLessThan(100);
  expect(await store.swap("of the child", "1", next("2"))).toEqual(stored("of the child", "2"));

  // The line that names the writer is damaged: it may be alive, also where another one has ended.
  await store.close();
  writeFileSync(path, ofBoth.replace(`{"session":{"pid":${process.pid}`, '{"sessioX":{"pid":0'));
  store = await openStore();
  expect(await store.get("mine")).toEqual(stored("mine", "1"));
  await store.close();
  writeFileSync(path, ofChild.replace('{"session":', '{"sessioX":'));
  store = await openStore();
  for (const times of [1_100, 1]) {
    expect(await store.get("of the child")).toEqual(stored("of the child", "1"));
    await writeMany(store, `n${times}`, times);
    store = await reopen(store);
  }
  expect(linesOf().length).toBeLessThan(100);
});

test("tells programs that live for ten seconds of a submission that another machine has left", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const call = { method: "jobs.submit", body: {}, timeoutMs: 60_000, once: "order-17" };
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  void createSubmissions(store).run(call, () => {
    begin();
    return new Promise(() => {});
  });
  await begun;
  await store.close();
  const [header, ...lines] = linesOf();
  const elsewhere = (line: string): string => {
    const found = parseLine(line);
    if (found === undefined || !("session" in found) || found.session === null) return line;
    return formatLine({ ...found, session: { ...found.session, place: "elsewhere" } });
  };
  writeFileSync(path, `${[header, ...lines.map(elsewhere)].join("\n")}\n`);

  const told: string[][] = [];
  for (let visits = 1; visits <= 9; visits++) {
    store = await openStore();
    const submissions = createSubmissions(store);
    const { unknown, underWay } = await submissions.listOpen();
    told.push([...unknown.map(({ why }) => why), ...underWay.map(() => "under way")]);
    vi.advanceTimersByTime(10_000);
    // The file knows of the time that has passed by what is written.
    await submissions.run({ ...call, once: `${visits}` }, async () => ({ verdict: "settled" }));
    await store.close();
  }
  // A lease is the time of the call and ten seconds.
  const underWay = Array.from({ length: 7 }, () => ["under way"]);
  expect(told).toEqual([...underWay, ["process_ended"], ["process_ended"]]);
});

/** Half of what is written next gets onto the disk. */
const writeHalf = (end: (written: unknown) => unknown): void => {
  const { write } = disk;
  const half = async function (this: FileHandle, ...given: unknown[]) {
    const [bytes, offset, length, at] = given as [Uint8Array, number, number, number];
    return end(await Reflect.apply(write, this, [bytes, offset, Math.floor(length / 2), at]));
  };
  vi.spyOn(disk, "write").mockImplementationOnce(half as never);
};

const breakWrites = (): void =>
  writeHalf(() => {
    throw new Error("EIO: i/o error");
  });

test("writes the rest where the disk has taken a part, and says so", async () => {
  writeHalf((written) => written);
  await store.swap("a", "", next("1"));
  expect(await revsOf(await reopen(store), "a")).toEqual(["1"]);
});

const failOnce = (...names: ("datasync" | "truncate")[]): void => {
  for (const name of names) vi.spyOn(disk, name).mockRejectedValueOnce(new Error("EIO: i/o error"));
};

test.each([
  ["writes a half", breakWrites],
  ["cannot be synced", () => failOnce("datasync")],
  ["cannot be synced, nor cut", () => failOnce("datasync", "truncate")],
])(
  "refuses all swaps of a moment where the disk %s, and takes the next without a trace of them",
  async (_, fail) => {
    await store.swap("a", "", next("1"));
    const lines = linesOf().length;
    fail();

    const steps = [store.swap("a", "1", onList("2")), store.swap("b", "", next("2"))];
    for (const step of steps) await expect(step).rejects.toThrow("EIO");

    expect(await revsOf(store, "a", "b")).toEqual(["1", undefined]);
    expect(await idsOf(store, "l")).toEqual([]);
    expect(await store.swap("c", "", next("3"))).toEqual(stored("c", "3"));
    expect(linesOf()).toHaveLength(lines + 1);
    const again = await reopen(store);
    expect(await revsOf(again, "a", "b", "c")).toEqual(["1", undefined, "3"]);
    expect(await again.list("open", 9)).toEqual([]);
  },
);

test("writes a file that has grown anew, with every record, list and order, for its owner alone", async () => {
  // A file or a link that lies where the new one is written gets none of the records.
  const victim = join(folder, "victim");
  writeFileSync(victim, "another file\n");
  symlinkSync(victim, `${path}.new`);
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  store = await reopen(store);
  await store.swap("gone", "", next("1", { ttlMs: 5_000, list: "l" }));
  await store.swap("stays", "", next("1", { ttlMs: 9_000, list: "l" }));
  clock.mockReturnValue(6_000);
  for (const id of ["b", "a"]) await store.swap(id, "", onList("1"));
  for (let from = 0; from < 3_000; from += 500) await writeMany(store, "n", 500, from);
  await store.swap("last", "", onList("1"));

  expect(linesOf().length).toBeLessThan(1_600);
  for (const _ of ["as it is open", "as it is read"]) {
    expect(await idsOf(store, "l")).toEqual(["last", "a", "b", "stays"]);
    expect(await revsOf(store, "n", "gone")).toEqual(["3000", undefined]);
    // It ages while it is open, by the clock of its process alone.
    clock.mockReturnValue(5);
    vi.spyOn(Date, "now").mockReturnValue(Date.now() + 365 * 24 * 3_600_000);
    store = await reopen(store);
  }
  clock.mockReturnValue(2_900);
  expect(await revsOf(store, "stays")).toEqual(["1"]);
  clock.mockReturnValue(3_100);
  expect(await revsOf(store, "stays")).toEqual([undefined]);
  expect(readFileSync(victim, "utf8")).toBe("another file\n");
  expect(readdirSync(folder)).toHaveLength(3);
  for (const name of readdirSync(folder).filter((one) => one !== "victim")) {
    expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  }
});

test("leaves a file that has grown where it cannot be written anew, and takes swaps", async () => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(disk, "sync").mockRejectedValue(new Error("ENOSPC: no space left"));
  await writeMany(store, "n", 1_100);
  await store.swap("a", "", next("1"));

  expect(printed.mock.calls.map(([line]) => line)).toEqual([
    `adgen-sdk: the file ${path} cannot be made smaller`,
  ]);
  vi.restoreAllMocks();
  expect(await revsOf(await reopen(store), "n", "a")).toEqual(["1100", "1"]);
  expect(readdirSync(folder)).toHaveLength(2);
});
