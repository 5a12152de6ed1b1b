import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, describe, expect, test } from "vitest";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import type { FileStore } from "../../src/submissions/file.ts";
import { queued } from "../helpers/answers.ts";
import { clientOf } from "../helpers/client.ts";
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
  const words = [
    "--no-warnings",
    "--input-type=module",
    "-e",
    holdLock,
    storePath,
    String(ms),
    sql,
  ];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "pipe", "inherit"] });
  holders.push(child);
  await Promise.race([once(child.stdout, "data"), once(child, "exit")]);
  return child;
};

/** Runs a step, and measures the longest time for which the event loop stood still meanwhile. */
const measureStall = async <T>(step: () => Promise<T>): Promise<[result: T, stallMs: number]> => {
  let stallMs = 0;
  let lastAt = performance.now();
  const tick = () => {
    stallMs = Math.max(stallMs, performance.now() - lastAt);
    lastAt = performance.now();
  };
  const ticks = setInterval(tick, 5);
  const result = await step();
  clearInterval(ticks);
  tick();
  return [result, stallMs];
};

/** Maximum stall of the event loop while the store is locked, far shorter than the lock. */
const maxStallMs = 300;

const writeEach = (store: FileStore) =>
  Promise.allSettled(ids.map((id) => store.swap(id, "", nextRecord("1", { list: "l" }))));

const ids = Array.from({ length: 20 }, (_, index) => `id ${index}`);

describe("a store in a file whose lock another program holds", () => {
  test("a locked store waits without stopping the event loop, and then writes each record once", async () => {
    const store = await openStore();
    await hold(1_000);
    const startedAt = performance.now();
    const [results, stallMs] = await measureStall(() => writeEach(store));
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
    expect(performance.now() - startedAt).toBeGreaterThan(700);
    expect(stallMs).toBeLessThan(maxStallMs);
    expect((await store.list("l", 99)).map(({ id }) => id)).toEqual([...ids].reverse());
  });

  test("a store that stays locked refuses writes after five seconds, and never writes them later", {
    timeout: 20_000,
  }, async () => {
    const store = await openStore();
    const holder = await hold(7_000);
    const released = once(holder, "close");
    const startedAt = performance.now();
    const [results, stallMs] = await measureStall(() => writeEach(store));
    const tookMs = performance.now() - startedAt;
    for (const result of results) {
      expect(result).toMatchObject({
        reason: {
          name: "StoreError",
          message: expect.stringMatching(/^The store in .+: another program holds its lock: end /),
        },
      });
    }
    expect(tookMs).toBeGreaterThan(4_900);
    expect(tookMs).toBeLessThan(6_500);
    expect(stallMs).toBeLessThan(maxStallMs);

    await released;
    expect(await store.list("l", 99)).toEqual([]);
    await writeEach(store);
    expect((await store.list("l", 99)).map(({ id }) => id)).toEqual([...ids].reverse());
  });

  test.each([
    [1_000, 1],
    [7_000, 0],
  ])(
    "an order is paid for once when another program holds the lock for %i ms",
    {
      timeout: 20_000,
    },
    async (ms, paidMeanwhile) => {
      const store = await openStore();
      const service = await listen(queued());
      const client = clientOf(service, { submissions: createSubmissions(store) });
      const submit = () =>
        client.jobs.submit({ action: "generate-ad", prompt: "a" }, { once: "a" });
      const released = once(await hold(ms), "close");
      const first = await Promise.allSettled([submit(), submit()]);
      expect(first.map(({ status }) => status)).toEqual(
        Array.from({ length: 2 }, () => (paidMeanwhile === 1 ? "fulfilled" : "rejected")),
      );
      for (const result of first) {
        if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "store" });
      }
      expect(service.received).toHaveLength(paidMeanwhile);
      await released;
      await submit();
      expect(service.received).toHaveLength(1);
    },
  );

  test("openFileStore waits for the end of a program that keeps readers out", async () => {
    const before = await openStore();
    await before.swap("a", "", nextRecord("1"));
    await before.close();
    await hold(700, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    const [opened, stallMs] = await measureStall(() => openStore());
    expect(await revsOf(opened, "a")).toEqual(["1"]);
    expect(stallMs).toBeLessThan(maxStallMs);
  });

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
});
