import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test, vi } from "vitest";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import type { FileStore } from "../../src/submissions/file.ts";
import { queued } from "../helpers/answers.ts";
import { clientOf, pause } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { nextRecord, openBeside, openStore, revsOf, storePath, useFolders } from "./file-stores.ts";

useFolders();

const holders: ChildProcess[] = [];
afterEach(() => {
  for (const holder of holders.splice(0)) holder.kill("SIGKILL");
});

const holdLock = `
import { DatabaseSync } from "node:sqlite";
const [path, ms, sql] = process.argv.slice(1);
const db = new DatabaseSync(path);
db.exec(sql);
console.log("held");
setTimeout(() => db.close(), Number(ms));`;

/** Starts a program that holds the lock of the file, as a backup or an open `sqlite3` does. */
const hold = async (ms: number, sql = "BEGIN EXCLUSIVE"): Promise<ChildProcess> => {
  const flags = ["--no-warnings", "--input-type=module", "-e", holdLock];
  const words = [...flags, storePath, String(ms), sql];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  holders.push(child);
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  return child;
};

/** Ends a program that holds the lock. */
const release = async (holder: ChildProcess): Promise<void> => {
  if (holder.exitCode !== null) return;
  const closed = once(holder, "close");
  holder.kill("SIGKILL");
  await closed;
};

/** Runs a step, and measures the longest time for which the event loop stood still meanwhile. */
const measureStall = async <T>(step: () => Promise<T>): Promise<[result: T, stallMs: number]> => {
  let stallMs = 0;
  let lastAt = Date.now();
  const tick = () => {
    stallMs = Math.max(stallMs, Date.now() - lastAt);
    lastAt = Date.now();
  };
  const ticks = setInterval(tick, 5);
  const result = await step();
  clearInterval(ticks);
  tick();
  return [result, stallMs];
};

/** Milliseconds for which a program holds the lock, and the longest allowed stall, far below. */
const heldMs = 700;
const maxStallMs = 300;

/** A busy machine may stall a process for that long, but not in three runs. */
const measuresStall = { retry: 2 };

/** Lets time pass only on the clock by which the store limits its wait. */
const passOnClock = async (ms: number): Promise<void> => {
  vi.advanceTimersByTime(ms);
  await pause(100);
};

const ids = Array.from({ length: 20 }, (_, index) => `id ${index}`);

const writeEach = (store: FileStore) =>
  Promise.allSettled(ids.map((id) => store.swap(id, "", nextRecord("1", { list: "l" }))));

const listedIds = async (store: FileStore) => (await store.list("l", 99)).map(({ id }) => id);

test(
  "a locked store waits without stopping the event loop, and then writes each record once",
  measuresStall,
  async () => {
    const store = await openStore();
    await hold(heldMs);
    const startedAt = performance.now();
    const [results, stallMs] = await measureStall(() => writeEach(store));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(performance.now() - startedAt).toBeGreaterThan(heldMs - 300);
    expect(stallMs).toBeLessThan(maxStallMs);
    expect(await listedIds(store)).toEqual([...ids].reverse());
  },
);

test(
  "a store that stays locked refuses writes after five seconds, and never writes them later",
  measuresStall,
  async () => {
    const store = await openStore();
    const holder = await hold(60_000);
    vi.useFakeTimers({ toFake: ["performance"] });
    const settled = vi.fn();
    const [results, stallMs] = await measureStall(async () => {
      const writes = writeEach(store);
      void writes.then(settled);
      await passOnClock(4_900);
      expect(settled).not.toHaveBeenCalled();
      await passOnClock(200);
      return writes;
    });
    for (const result of results) {
      const words = /^The store in .+: another program holds its lock: end /;
      expect(result).toMatchObject({
        reason: { name: "StoreError", message: expect.stringMatching(words) },
      });
    }
    expect(stallMs).toBeLessThan(maxStallMs);

    await release(holder);
    expect(await listedIds(store)).toEqual([]);
    await writeEach(store);
    expect(await listedIds(store)).toEqual([...ids].reverse());
  },
);

test.each([
  ["for a moment", heldMs, "fulfilled", 1],
  ["for longer than five seconds", 60_000, "rejected", 0],
])("an order is paid for once when another program holds the lock %s", async (...row) => {
  const [, ms, status, paidMeanwhile] = row;
  const store = await openStore();
  const service = await listen(queued());
  const client = clientOf(service, { submissions: createSubmissions(store) });
  const submit = () => client.jobs.submit({ action: "generate-ad", prompt: "a" }, { once: "a" });
  const holder = await hold(ms);
  vi.useFakeTimers({ toFake: ["performance"] });
  const work = Promise.allSettled([submit(), submit()]);
  if (paidMeanwhile === 0) {
    await pause(100);
    await passOnClock(5_100);
  }
  const first = await work;
  expect(first.map((one) => one.status)).toEqual([status, status]);
  for (const result of first) {
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "store" });
  }
  expect(service.received).toHaveLength(paidMeanwhile);
  await release(holder);
  await submit();
  expect(service.received).toHaveLength(1);
});

test(
  "openFileStore waits for the end of a program that keeps readers out",
  measuresStall,
  async () => {
    const before = await openStore();
    await before.swap("a", "", nextRecord("1"));
    await before.close();
    await hold(heldMs, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    const [opened, stallMs] = await measureStall(() => openStore());
    expect(await revsOf(opened, "a")).toEqual(["1"]);
    expect(stallMs).toBeLessThan(maxStallMs);
  },
);

test("a program that reads the file does not block a write", async () => {
  const store = await openStore();
  await store.swap("a", "", nextRecord("1"));
  const reader = openBeside();
  reader.exec("BEGIN");
  reader.prepare("SELECT * FROM records").all();
  const startedAt = performance.now();
  expect((await store.swap("a", "1", nextRecord("2")))?.rev).toBe("2");
  expect(performance.now() - startedAt).toBeLessThan(1_000);
});
