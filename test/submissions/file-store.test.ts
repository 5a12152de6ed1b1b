import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import * as fs from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import { type FileStore, openFileStore } from "../../src/submissions/file.ts";
import { nameThisProcess } from "../../src/submissions/file-store/writers.ts";
import { createMemoryStore } from "../../src/submissions/store/memory-store.ts";
import { queued } from "../helpers/answers.ts";
import { clientOf, pause, rejection } from "../helpers/client.ts";
import { listen } from "../helpers/http-server.ts";
import {
  idsOf,
  nextRecord,
  openBeside,
  openStore,
  revsOf,
  storedRecord,
  storeFolder,
  storePath,
  useFolders,
} from "./file-stores.ts";
import { bundleChild } from "./killed-processes.ts";
import { testRecordStore } from "./store-promises.ts";

useFolders();

testRecordStore("a store in a file", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const stores = [await openStore(), await openStore()] as const;
  return { stores, pass: async (ms) => void vi.advanceTimersByTime(ms) };
});

testRecordStore("a store in memory", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const memory = createMemoryStore();
  return { stores: [memory, memory], pass: async (ms) => void vi.advanceTimersByTime(ms) };
});

test("a store in a file makes each commit safe on the disk", async () => {
  const exec = vi.spyOn(DatabaseSync.prototype, "exec");
  await openStore();
  const [db] = exec.mock.contexts as DatabaseSync[];
  const read = (name: string) => Object.values(db?.prepare(`PRAGMA ${name}`).get() ?? {})[0];
  expect([read("journal_mode"), read("synchronous"), read("fullfsync")]).toEqual(["wal", 2, 1]);
});

test("a store in a file has files that only their owner may read", async () => {
  await (await openStore()).swap("a", "", nextRecord("1"));
  const names = fs.readdirSync(storeFolder);
  expect(names).toEqual(["submissions", "submissions-shm", "submissions-wal"]);
  expect(names.map((name) => fs.statSync(join(storeFolder, name)).mode & 0o777)).toEqual(
    names.map(() => 0o600),
  );
});

test("a closed store refuses all calls, and may be closed twice", async () => {
  const store = await openStore();
  const late = store.swap("a", "", nextRecord("1"));
  await Promise.all([store.close(), store.close()]);

  expect((await late)?.rev).toBe("1");
  for (const ask of [() => store.swap("a", "1"), () => store.get("a"), () => store.list("l", 9)]) {
    expect((await rejection(ask())).message).toMatch(/not open|finalized/);
  }
  expect(fs.readdirSync(storeFolder)).toEqual(["submissions"]);
  expect(await revsOf(await openStore(), "a")).toEqual(["1"]);
});

test("a record is orphaned once its process was killed, and not before", async () => {
  const program = await bundleChild("submissions/children/write-records");
  const child = spawn(process.execPath, [program, storePath, "1", "stay"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  const store = await openStore();
  await store.swap("mine", "", nextRecord("1", { list: "l" }));
  const mine = storedRecord("mine", "1");
  const theirs = { id: "0", rev: "1", text: "x".repeat(8_192) };
  expect(await store.list("l", 9)).toEqual([mine, theirs]);

  child.kill("SIGKILL");
  await once(child, "close");

  const left = { ...theirs, isOrphaned: true };
  expect(await store.list("l", 9)).toEqual([mine, left]);
  expect(await store.get("0")).toEqual(left);
  expect(await store.swap("0", "1", nextRecord("2"))).toEqual(storedRecord("0", "2"));
});

/** Id, start time, boot and namespaces of this process, as a record names its writer. */
const [pid = "", startedAt = "", boot = "", ...namespaces] = (nameThisProcess() ?? "").split(" ");
const dead = "99999999";

test.skipIf(pid === "").each([
  ["with another start time", [pid, "1", boot, ...namespaces], true],
  ["with an id that no process has", [dead, startedAt, boot, ...namespaces], true],
  ["that is this process", [pid, startedAt, boot, ...namespaces], false],
  ["of another user", ["1", "x", boot, ...namespaces], false],
  ["from before the last boot, or from elsewhere", [dead, "1", "other", ...namespaces], false],
  ["in another container", [dead, "1", boot, "pid:[1]", namespaces[1] ?? ""], false],
  ["in another time namespace", [dead, "1", boot, namespaces[0] ?? "", "time:[1]"], false],
  ["that is not known", [], false],
])(
  "a record of a process %s is orphaned only if the process has certainly ended",
  async (_, name, isOrphaned) => {
    const store = await openStore();
    await store.swap("a", "", nextRecord("1"));
    if (name[0] === "1") {
      vi.spyOn(process, "kill").mockImplementation(() => {
        throw Object.assign(new Error("EPERM"), { code: "EPERM" });
      });
    }
    openBeside()
      .prepare("UPDATE records SET writer = ?")
      .run(name.join(" ") || null);
    expect(await store.get("a")).toEqual({
      ...storedRecord("a", "1"),
      ...(isOrphaned && { isOrphaned }),
    });
  },
);

test("a full disk loses no record that was written before", async () => {
  const program = await bundleChild("submissions/children/write-records");
  // The limit of a file is 256 blocks, of 512 or 1024 bytes depending on the shell.
  const limited = `ulimit -f 256; trap "" XFSZ; exec "$0" "$1" "$2" 9999`;
  const child = spawn("sh", ["-c", limited, process.execPath, program, storePath]);
  let printed = "";
  child.stdout.on("data", (chunk) => {
    printed += chunk;
  });
  await once(child, "close");

  const { count, code, message } = JSON.parse(printed);
  expect({ code, message }).toEqual({
    code: "store",
    message: expect.stringMatching(/(disk I.O error|full): .+ space/),
  });
  const store = await openStore();
  expect(await idsOf(store, "l")).toHaveLength(count);
  expect(count).toBeGreaterThan(0);
  expect((await store.swap("new", "", nextRecord("1")))?.rev).toBe("1");
});

const rename = () => fs.renameSync(storePath, `${storePath}.1`);
const rotate = () => {
  rename();
  fs.writeFileSync(storePath, "");
};
const replaceByCopy = () => {
  fs.copyFileSync(storePath, `${storePath}-copy`);
  fs.renameSync(`${storePath}-copy`, storePath);
};

test.each<[string, () => void]>([
  ["was deleted", () => fs.rmSync(storePath)],
  ["was renamed", rename],
  ["was renamed and created again, as by a log rotation", rotate],
  ["was replaced by a copy", replaceByCopy],
])("a store whose file %s refuses swaps, and still returns its records", async (_, touch) => {
  const store = await openStore();
  await store.swap("a", "", nextRecord("1"));
  touch();
  const error = await rejection(store.swap("a", "1", nextRecord("2")));
  expect(error.message).toContain("it was removed or replaced: open it again");
  expect(await revsOf(store, "a")).toEqual(["1"]);
});

const write = (text: string) => () => fs.writeFileSync(storePath, text);
const ofOther = () => openBeside().exec("CREATE TABLE records (id); VACUUM");
const isOurs = async () => (await openStore()).close();
const damage = (at: number, text: string) => async () => {
  await isOurs();
  const file = fs.openSync(storePath, "r+");
  fs.writeSync(file, text, at);
  fs.closeSync(file);
};

const ofFormat = (format: number) => async () => {
  await isOurs();
  openBeside().exec(`PRAGMA user_version = ${format}`);
};
const belowFile = () => {
  fs.rmSync(storeFolder, { recursive: true });
  fs.writeFileSync(storeFolder, "");
};
const linked = async () => {
  await isOurs();
  fs.linkSync(storePath, `${storePath}-2`);
};
const newFile = "give the path of a new file";
const backup = "restore it from a backup";

test.each<[string, () => unknown, string, string]>([
  [
    "a path in a folder that is not there",
    () => fs.rmSync(storeFolder, { recursive: true }),
    "ENOENT",
    "create its folder first",
  ],
  ["a path below a file", belowFile, "ENOTDIR", "give the path of a file in a folder"],
  ["a folder", () => fs.mkdirSync(storePath), "it is a folder", "give the path of a file in it"],
  [
    "a socket or a device",
    () => fs.symlinkSync("/dev/null", storePath),
    "not a regular file",
    "another path",
  ],
  ["a file with a second name", linked, "2 names (hard links)", "remove the other names"],
  ["a text", write("hello\nworld\n"), "not a database", newFile],
  ["a database of another program", ofOther, "belongs to another program", "give another path"],
  ["a store of an older version", ofFormat(0), "format is 0, and this version reads 1", newFile],
  ["a store of a newer version", ofFormat(2), "format is 2, and this version reads 1", newFile],
  ["a store with a damaged header", damage(20, "x".repeat(30)), "not a database", backup],
  ["a store with a damaged page", damage(4_096, "damaged"), "is malformed", backup],
])(
  "openFileStore refuses %s, says what to do, and leaves the file as it is",
  async (_, prepare, words, remedy) => {
    await prepare();
    const isFile = fs.existsSync(storePath) && fs.statSync(storePath).isFile();
    const before = isFile ? fs.readFileSync(storePath) : undefined;

    const error = await rejection(openFileStore(storePath));

    expect(error).toMatchObject({ name: "StoreError", code: "store" });
    expect(error.message).toContain(`The store in ${storePath} failed: `);
    expect(error.message).toContain(words);
    expect(error.message).toContain(remedy);
    expect(error.message).not.toContain("\n");
    expect(isFile ? fs.readFileSync(storePath) : undefined).toEqual(before);
  },
);

test.each([
  [undefined, "undefined"],
  ["", "an empty text"],
  [{}, "object"],
])("openFileStore refuses %j as a path before it touches a file", async (given, kind) => {
  expect(await rejection(openFileStore(given as never))).toMatchObject({
    code: "config",
    message: `openFileStore takes the path of a file, got ${kind}`,
  });
});

test("openFileStore names the runtimes that have SQLite if this runtime has none", async () => {
  const program = await bundleChild("submissions/children/write-records");
  const child = spawn(process.execPath, ["--no-experimental-sqlite", program, storePath, "1"]);
  const [printed] = await Promise.all([once(child.stdout, "data"), once(child, "close")]);
  expect(String(printed)).toContain(
    "openFileStore needs node:sqlite: Node 22.13, Bun 1.4 and Deno 2.9 have it",
  );
  expect(fs.readdirSync(storeFolder)).toEqual([]);
});

test("a store does not ask Deno's user for a permission to read /proc", async () => {
  const asked: string[] = [];
  const querySync = ({ path: of }: { path: string }) => {
    asked.push(of);
    return { state: "prompt" };
  };
  vi.stubGlobal("Deno", { permissions: { querySync } });
  expect(nameThisProcess()).toBe(undefined);
  await (await openStore()).swap("a", "", nextRecord("1"));
  vi.unstubAllGlobals();
  expect(asked).toContain("/proc/self/mountinfo");
  expect(openBeside().prepare("SELECT writer FROM records").get()).toEqual({ writer: null });
});

test.each([
  ["after all processes have closed the store", true],
  ["once no write waits, without a close", false],
])("the file alone has every record %s", async (_, isClosed) => {
  const stores = [await openStore(), await openStore()];
  await Promise.all(stores.map((store, index) => store.swap(`${index}`, "", nextRecord("1"))));
  if (isClosed) await Promise.all(stores.map((store) => store.close()));
  else await pause(20);
  fs.copyFileSync(storePath, `${storePath}-copy`);
  expect(await revsOf(await openStore(`${storePath}-copy`), "0", "1")).toEqual(["1", "1"]);
});

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

/** Tells whether this user may mount in a namespace that ends with its process. */
const mayMount = spawnSync("unshare", ["-m", "true"]).status === 0;

/** Runs a child that writes, after commands that prepare its mounts. */
const runMounted = async (commands: string, at: string) => {
  const child = await bundleChild("submissions/children/write-records");
  const script = `set -e; cd "$0"; ${commands}; "$1" "$2" "$3" "$4"`;
  const words = [storeFolder, process.execPath, child, at, "3"];
  return JSON.parse(
    execFileSync("unshare", ["-m", "sh", "-c", script, ...words], { encoding: "utf8" }),
  );
};

describe.skipIf(!mayMount)("a store in a file, where this user may mount", () => {
  test("openFileStore refuses a file that is mounted by itself", async () => {
    const commands = "touch host 'my file'; mount --bind host 'my file'";
    expect(await runMounted(commands, join(storeFolder, "my file"))).toEqual({
      count: 0,
      name: "StoreError",
      code: "store",
      message: expect.stringMatching(
        /: the file is mounted by itself, .+: mount its folder instead$/,
      ),
    });
  });

  test.each([
    ["in a folder that is mounted", "mkdir host there; mount --bind host there", "there/store"],
    ["beside another file that is mounted", "touch a b; mount --bind a b", "store"],
  ])("openFileStore opens a file %s", async (_, commands, name) => {
    expect(await runMounted(commands, join(storeFolder, name))).toEqual({ count: 3 });
  });

  test.each([
    ["in a read-only folder", "EROFS: ", ""],
    ["of a read-only disk", "unable to open database file: ", "there/store"],
  ])("openFileStore refuses a file %s, and says what to do", async (_, words, existing) => {
    fs.mkdirSync(join(storeFolder, "there"));
    if (existing) await (await openStore(join(storeFolder, existing))).close();
    const mount = "mount --bind there there; mount -o remount,bind,ro there";
    const { count, name, message } = await runMounted(mount, join(storeFolder, "there/store"));
    expect([count, name]).toEqual([0, "StoreError"]);
    expect(message).toContain(words);
    expect(message).toContain("let this process write to the file and to its folder");
  });
});
