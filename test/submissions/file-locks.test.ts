import { afterEach, expect, test, vi } from "vitest";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import type { FileStore } from "../../src/submissions/file.ts";
import { queued } from "../helpers/answers.ts";
import { clientOf, pause } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import { idsOf, nextRecord, openBeside, openStore, revsOf, useFolders } from "./file-stores.ts";

useFolders();

let ticks: NodeJS.Timeout | undefined;
afterEach(() => clearInterval(ticks));

/** Locks the file, as a backup or an open `sqlite3` does. Returns the end of the lock. */
const lock = (sql = "BEGIN EXCLUSIVE"): (() => void) => {
  const db = openBeside();
  db.exec(sql);
  return () => db.close();
};

/**
 * Ends a lock after 20 turns of the event loop. A store that waits for five seconds at most, and stops
 * the event loop for a quarter of a second at each of its tries, never gets the lock.
 */
const endAfterTurns = (endLock: () => void): void => {
  let turns = 0;
  ticks = setInterval(() => {
    if (++turns < 20) return;
    clearInterval(ticks);
    endLock();
  }, 5);
};

/** Lets time pass only on the clock by which the store limits its wait. */
const passOnClock = async (ms: number): Promise<void> => {
  vi.advanceTimersByTime(ms);
  await pause(100);
};

const ids = Array.from({ length: 20 }, (_, index) => `id ${index}`);

const writeEach = (store: FileStore) =>
  Promise.allSettled(ids.map((id) => store.swap(id, "", nextRecord("1", { list: "l" }))));

test("a locked store waits without stopping the event loop, and then writes each record once", async () => {
  const store = await openStore();
  endAfterTurns(lock());
  const results = await writeEach(store);
  expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
  expect(await idsOf(store, "l")).toEqual([...ids].reverse());
});

test("a store that stays locked refuses writes after five seconds, and never writes them later", async () => {
  const store = await openStore();
  const endLock = lock();
  vi.useFakeTimers({ toFake: ["performance"] });
  const settled = vi.fn();
  const writes = writeEach(store);
  void writes.then(settled);
  await passOnClock(4_900);
  expect(settled).not.toHaveBeenCalled();
  await passOnClock(200);
  for (const result of await writes) {
    const words = /^The store in .+: another program holds its lock: end /;
    expect(result).toMatchObject({
      reason: { name: "StoreError", message: expect.stringMatching(words) },
    });
  }

  endLock();
  expect(await idsOf(store, "l")).toEqual([]);
  await writeEach(store);
  expect(await idsOf(store, "l")).toEqual([...ids].reverse());
});

test.each([
  ["for a moment", "fulfilled", 1],
  ["for longer than five seconds", "rejected", 0],
])("an order is paid for once when another program holds the lock %s", async (...row) => {
  const [, status, paidMeanwhile] = row;
  const store = await openStore();
  const service = await listen(queued());
  const client = clientOf(service, { submissions: createSubmissions(store) });
  const submit = () => client.jobs.submit({ action: "generate-ad", prompt: "a" }, { once: "a" });
  const endLock = lock();
  vi.useFakeTimers({ toFake: ["performance"] });
  const work = Promise.allSettled([submit(), submit()]);
  if (paidMeanwhile === 1) endAfterTurns(endLock);
  else {
    await pause(100);
    await passOnClock(5_100);
  }
  const first = await work;
  expect(first.map((one) => one.status)).toEqual([status, status]);
  for (const result of first) {
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "store" });
  }
  expect(service.received).toHaveLength(paidMeanwhile);
  if (paidMeanwhile === 0) endLock();
  await submit();
  expect(service.received).toHaveLength(1);
});

test("openFileStore waits for the end of a program that keeps readers out", async () => {
  const before = await openStore();
  await before.swap("a", "", nextRecord("1"));
  await before.close();
  endAfterTurns(lock("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE"));
  expect(await revsOf(await openStore(), "a")).toEqual(["1"]);
});
