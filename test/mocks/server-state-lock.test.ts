import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { takeLock } from "../../mocks/faces/server/state/lock.ts";
import { createOwner } from "../../mocks/faces/server/state/owner.ts";
import { startMockServer } from "../../mocks/server.ts";
import { startServer } from "./server-sockets.ts";
import { nameBrand, useStateFolders } from "./state-folders.ts";

let folder = "";
let stateFile = "";
let lockFile = "";
useStateFolders((made) => {
  ({ folder, stateFile } = made);
  lockFile = `${stateFile}.lock`;
});

const spawnChild = (script: string, ...args: string[]): ChildProcess => {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
};

const firstLine = async (child: ChildProcess): Promise<string> => {
  const [line] = await once(child.stdout ?? child, "data");
  return String(line).trim();
};

/** A process that does not run: no id is as high. */
const dead = { token: "dead", pid: 99_999_999 };

const leaveLock = (owner: object): Promise<void> =>
  writeFile(lockFile, JSON.stringify({ ...createOwner(), ...owner }));

describe("a second server on a state file", { timeout: 30_000 }, () => {
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
    expect((await readdir(folder)).sort()).toEqual(
      ["link.json", "linked", "state.json", "state.json.lock"].sort(),
    );
  });

  it("does not start beside a server of another process, until that one is killed", async () => {
    const child = spawnChild("./server-saving-child.ts", stateFile);
    const url = await firstLine(child);
    await expect(startMockServer({ stateFile })).rejects.toThrow(`process ${child.pid}, ${url}`);
    await nameBrand(url, "a");
    child.kill("SIGKILL");
    await once(child, "exit");
    expect(await readdir(folder)).toContain("state.json.lock");
    const server = await startServer({ stateFile });
    expect(server.service.account("test-key").brands).toHaveLength(1);
  });

  it("takes the file over when another process has the id of a killed one", async () => {
    await leaveLock({ pid: process.ppid, began: "1" });
    await startServer({ stateFile });
    expect(JSON.parse(await readFile(lockFile, "utf8")).pid).toBe(process.pid);
  });

  it("takes over a lock that was never written to its end", async () => {
    await writeFile(lockFile, "");
    await startServer({ stateFile });
    expect(JSON.parse(await readFile(lockFile, "utf8")).pid).toBe(process.pid);
  });

  it("leaves a file of that name alone that is no lock", async () => {
    await writeFile(lockFile, "mine");
    await expect(startMockServer({ stateFile })).rejects.toThrow(/is no lock of adgen-mock/);
    expect(await readFile(lockFile, "utf8")).toBe("mine");
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
  const elsewhere = { ...dead, place: "other-host 1 2", pid: process.pid };

  it("is taken when its owner gives no sign of life", async () => {
    await leaveLock(elsewhere);
    const lock = await takeLock(stateFile, () => {}, 30);
    expect(JSON.parse(await readFile(lockFile, "utf8")).place).toBe(createOwner().place);
    lock.release();
  });

  it("is left alone while its owner gives signs of life", async () => {
    await leaveLock(elsewhere);
    let time = 1;
    const beat = setInterval(() => void utimes(lockFile, ++time, time).catch(() => {}), 20);
    onTestFinished(() => clearInterval(beat));
    const name = `process ${process.pid} on other-host`;
    await expect(takeLock(stateFile, () => {}, 200)).rejects.toThrow(name);
  });

  it("gets signs of life from this one", async () => {
    const lock = await takeLock(stateFile, () => {}, 10);
    onTestFinished(lock.release);
    await utimes(lockFile, 1, 1);
    await vi.waitFor(async () => expect((await stat(lockFile)).mtimeMs).toBeGreaterThan(1000));
  });
});

describe("a lock that is lost", () => {
  it("is made again when somebody has removed it", async () => {
    const server = await startServer({ stateFile });
    await rm(lockFile);
    await nameBrand(server.url, "a");
    await expect(startMockServer({ stateFile })).rejects.toThrow(/in use/);
  });

  it("stops the saves of its owner, which says so", async () => {
    const lines: string[] = [];
    const server = await startMockServer({ stateFile, warn: (line) => lines.push(line) });
    const before = await readFile(stateFile, "utf8");
    await leaveLock({ ...dead, pid: 4711, url: "http://127.0.0.1:1" });
    expect((await nameBrand(server.url, "a")).status).toBe(201);
    expect(lines.join("\n")).toMatch(
      /could not be saved: .*in use by another server \(process 4711/,
    );
    await expect(server.close()).rejects.toThrow(/in use by another server/);
    expect(await readFile(stateFile, "utf8")).toBe(before);
    expect(JSON.parse(await readFile(lockFile, "utf8")).pid).toBe(4711);
  });
});

describe("many servers that start at the same moment", () => {
  it("leave the file to exactly one", { timeout: 60_000 }, async () => {
    const rounds = Number(process.env["LOCK_ROUNDS"] ?? 16);
    const files = Array.from({ length: rounds }, (_, round) => join(folder, `${round}.json`));
    // Every other file has the lock of a killed server.
    for (const file of files.filter((_, round) => round % 2 === 1)) {
      await writeFile(`${file}.lock`, JSON.stringify({ ...createOwner(), ...dead }));
    }
    const begin = Date.now() + 1500;
    const args = [String(begin), "25", ...files];
    const children = Array.from({ length: 6 }, () =>
      spawnChild("./children/take-locks.ts", ...args),
    );
    const won = (await Promise.all(children.map(firstLine))).flatMap((line) => JSON.parse(line));
    expect(won.sort((one, other) => one - other)).toEqual(files.map((_, round) => round));
    for (const child of children) child.stdin?.end();
    await Promise.all(children.map((child) => once(child, "exit")));
    // Each removes its locks when it exits, and nobody left another file.
    expect(await readdir(folder)).toEqual([]);
  });
});
