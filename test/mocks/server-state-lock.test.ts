import { once } from "node:events";
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMockServer } from "../../mocks/server.ts";
import { takeLock } from "../../src/lock/file-lock.ts";
import { thisProcess } from "../../src/lock/owner.ts";
import { readProcess } from "../../src/lock/read-process.ts";
import { startServer } from "./server-sockets.ts";
import { nameBrand, startChild, startSavingServer, useStateFolders } from "./state-folders.ts";

let folder = "";
let stateFile = "";
useStateFolders((made) => {
  ({ folder, stateFile } = made);
});

/** A process that does not run: no id is as high. */
const dead = { pid: 99_999_999 };

/** The other process that surely runs. */
const parent = { pid: process.ppid, began: readProcess(process.ppid)?.began ?? "0" };

const refusal = (owner: string): string => `in use by ${owner}`;

/** Leaves the lock of another process, and returns its path. */
const leaveLock = async (owner: object, text = "", file = stateFile): Promise<string> => {
  const { pid, began, place } = { ...thisProcess(), ...owner };
  const path = `${file}.lock.${pid}.${began}.${place}.0123456789ab`;
  await writeFile(path, text);
  return path;
};

/** Lists the processes that have locks, by the names of the lock files. */
const lockOwners = async (): Promise<number[]> => {
  const start = `${basename(stateFile)}.lock.`;
  const names = (await readdir(folder)).filter((name) => name.startsWith(start));
  return names.map((name) => Number(name.slice(start.length).split(".")[0]));
};

const findLock = async (): Promise<string> => {
  const names = await readdir(folder);
  return join(folder, names.find((name) => name.includes(".lock.")) ?? "no lock");
};

describe("a second server on a state file", () => {
  it("does not start, and says who has the file", async () => {
    const first = await startServer({ stateFile });
    await expect(startMockServer({ stateFile })).rejects.toThrow(
      `The state file ${stateFile} is in use by another server (process ${process.pid}, ${first.url}): ` +
        "stop that one, or give this one a file of its own",
    );
    await nameBrand(first.url, "a");
    expect(await readFile(stateFile, "utf8")).toContain('"name":"a"');
    await first.close();
    expect(await readdir(folder)).toEqual(["state.json"]);
    await startServer({ stateFile });
  });

  it("finds the same file by a link, another path and a linked folder", async () => {
    const linkedFolder = join(folder, "linked");
    await symlink(folder, linkedFolder);
    const link = join(folder, "link.json");
    await symlink("state.json", link);
    const names = [link, join(linkedFolder, "state.json"), relative(process.cwd(), stateFile)];
    // The file is not there yet: the first save makes it, behind the link.
    await startServer({ stateFile: link });
    for (const name of [...names, stateFile]) {
      await expect(startMockServer({ stateFile: name })).rejects.toThrow(/in use by another/);
    }
    const kept = (await readdir(folder)).filter((name) => !name.includes(".lock."));
    expect(kept.sort()).toEqual(["link.json", "linked", "state.json"]);
    expect(await lockOwners()).toEqual([process.pid]);
  });

  it("does not start beside a server of another process, until that one is killed", async () => {
    const { child, url, kill } = await startSavingServer(stateFile);
    await expect(startMockServer({ stateFile })).rejects.toThrow(`process ${child.pid}, ${url}`);
    await nameBrand(url, "a");
    await kill();
    expect(await lockOwners()).toEqual([child.pid]);
    const server = await startServer({ stateFile });
    expect(server.service.account("test-key").brands).toHaveLength(1);
  });

  it("takes the file over when another process has the id of a killed one", async () => {
    await leaveLock({ ...parent, began: "1" });
    await startServer({ stateFile });
    expect(await lockOwners()).toEqual([process.pid]);
  });

  it("leaves files of such names alone that are no locks", async () => {
    const names = ["state.json.lock", "state.json.lock.", "state.json.lock.1.2.old"];
    for (const name of names) await writeFile(join(folder, name), "mine");
    await (await startMockServer({ stateFile })).close();
    expect((await readdir(folder)).sort()).toEqual(["state.json", ...names]);
  });

  it.each([
    ["no JSON", async () => writeFile(stateFile, "{")],
    ["a folder of that name", async () => mkdir(stateFile)],
  ])("leaves no lock when it does not start: %s", async (_, prepare) => {
    await prepare();
    await expect(startMockServer({ stateFile })).rejects.toThrow(/state\.json/);
    expect(await readdir(folder)).toEqual(["state.json"]);
  });
});

describe("a lock of another container", () => {
  const elsewhere = { pid: process.pid, place: "00000000" };

  it("is taken when its owner gives no sign of life", async () => {
    await leaveLock(elsewhere);
    const waits: unknown[] = [];
    const onWait = (...words: unknown[]) => void waits.push(words);
    const lock = await takeLock(stateFile, { refusal, onWait, beatEveryMs: 30 });
    const unseen = `process ${process.pid} of another machine or container`;
    expect(waits).toEqual([[unseen, 120]]);
    expect(await findLock()).toContain(`.${thisProcess().place}.`);
    expect(await lockOwners()).toHaveLength(1);
    lock.release();
  });

  it("is left alone while its owner gives signs of life", async () => {
    const other = await leaveLock(elsewhere, "other-host\nhttp://127.0.0.1:1");
    let time = 1;
    const beat = setInterval(() => void utimes(other, ++time, time).catch(() => {}), 20);
    onTestFinished(() => clearInterval(beat));
    const name = `process ${process.pid} on other-host, http://127.0.0.1:1`;
    await expect(takeLock(stateFile, { refusal, beatEveryMs: 200 })).rejects.toThrow(name);
    expect(await findLock()).toBe(other);
  });

  it("gets signs of life from this one", async () => {
    const lock = await takeLock(stateFile, { refusal, beatEveryMs: 10 });
    onTestFinished(lock.release);
    const lockFile = await findLock();
    await utimes(lockFile, 1, 1);
    await expect.poll(async () => (await stat(lockFile)).mtimeMs).toBeGreaterThan(1000);
  });
});

describe("a lock that is lost", () => {
  it("is made again when somebody has removed it", async () => {
    const server = await startServer({ stateFile });
    await rm(await findLock());
    await nameBrand(server.url, "a");
    await expect(startMockServer({ stateFile })).rejects.toThrow(
      `in use by another server (process ${process.pid}, ${server.url})`,
    );
  });

  it("stops the saves of its owner, which says so", async () => {
    const lines: string[] = [];
    const server = await startMockServer({ stateFile, warn: (line) => lines.push(line) });
    const before = await readFile(stateFile, "utf8");
    await rm(await findLock());
    const other = await leaveLock(parent, "\nhttp://127.0.0.1:1");
    expect((await nameBrand(server.url, "a")).status).toBe(201);
    const refused = `in use by another server (process ${parent.pid}, http://127.0.0.1:1)`;
    expect(lines.join("\n")).toContain("could not be saved");
    expect(lines.join("\n")).toContain(refused);
    await expect(server.close()).rejects.toThrow(refused);
    expect(await readFile(stateFile, "utf8")).toBe(before);
    expect(await findLock()).toBe(other);
    expect(await lockOwners()).toEqual([parent.pid]);
  });
});

describe("many servers that start at the same moment", () => {
  it("leave the file to exactly one", async () => {
    const rounds = Number(process.env["LOCK_ROUNDS"] ?? 16);
    const files = Array.from({ length: rounds }, (_, round) => join(folder, `${round}.json`));
    // Every other file has the lock of a killed server.
    for (const file of files.filter((_, round) => round % 2 === 1)) {
      await leaveLock(dead, "", file);
    }
    const begin = Date.now() + 1500;
    const args = [String(begin), "25", ...files];
    const children = await Promise.all(
      Array.from({ length: 6 }, () => startChild("./children/take-locks.ts", ...args)),
    );
    const won = children.flatMap(({ line }) => JSON.parse(line));
    expect(won.sort((one, other) => one - other)).toEqual(files.map((_, round) => round));
    await Promise.all(
      children.map(({ child }) => {
        child.stdin?.end();
        return once(child, "exit");
      }),
    );
    // Each removes its locks when it exits, and nobody left another file.
    expect(await readdir(folder)).toEqual([]);
  });
});
