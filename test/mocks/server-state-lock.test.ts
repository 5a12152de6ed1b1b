import { once } from "node:events";
import { rm, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { relative } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { startMockServer } from "../../mocks/server.ts";
import { takeLock } from "../../src/lock/file-lock.ts";
import { thisProcess } from "../../src/lock/owner.ts";
import { readProcess } from "../../src/lock/read-process.ts";
import { startServer } from "./server-sockets.ts";
import { nameBrand, startChild, useStateFolders } from "./state-folders.ts";

const folder = useStateFolders();

/** A process that does not run: no id is as high. */
const dead = { pid: 99_999_999 };

/** The other process that surely runs. */
const parent = { pid: process.ppid, began: readProcess(process.ppid)?.began ?? "0" };

const refusal = (owner: string): string => `in use by ${owner}`;

/** Leaves the lock of another process, and returns its name. */
const leaveLock = async (owner: object, text = "", file = "state.json"): Promise<string> => {
  const { pid, began, place } = { ...thisProcess(), ...owner };
  const name = `${file}.lock.${pid}.${began}.${place}.0123456789ab`;
  await writeFile(folder.at(name), text);
  return name;
};

/** Lists the lock files; their names begin with the ids of their processes. */
const locks = async (): Promise<string[]> =>
  (await folder.names()).filter((name) => name.includes(".lock."));

const own = expect.stringMatching(new RegExp(`^state\\.json\\.lock\\.${process.pid}\\.`));

describe("a second server on a state file", () => {
  it("does not start, and says who has the file", async () => {
    const { stateFile } = folder;
    const first = await startServer({ stateFile });
    await expect(startMockServer({ stateFile })).rejects.toThrow(
      `The state file ${stateFile} is in use by another server (process ${process.pid}, ${first.url}): ` +
        "stop that one, or give this one a file of its own",
    );
    await nameBrand(first.url, "a");
    expect(await folder.readState()).toContain('"name":"a"');
    await first.close();
    expect(await folder.names()).toEqual(["state.json"]);
    await startServer({ stateFile });
  });

  it("finds the same file by a link, another path and a linked folder", async () => {
    await symlink(folder.path, folder.at("linked"));
    await symlink("state.json", folder.at("link.json"));
    const { stateFile } = folder;
    const names = ["link.json", "linked/state.json"].map(folder.at);
    // The file is not there yet: the first save makes it, behind the link.
    await startServer({ stateFile: folder.at("link.json") });
    for (const name of [...names, relative(process.cwd(), stateFile), stateFile]) {
      await expect(startMockServer({ stateFile: name })).rejects.toThrow(/in use by another/);
    }
    expect(await folder.names()).toEqual(["link.json", "linked", "state.json", own]);
  });

  it("takes over from a killed one whose id another process has, and leaves what is no lock", async () => {
    await leaveLock({ ...parent, began: "1" });
    const mine = ["state.json.lock", "state.json.lock.", "state.json.lock.1.2.old"];
    for (const name of mine) await writeFile(folder.at(name), "mine");
    const { close } = await startServer({ stateFile: folder.stateFile });
    expect((await locks()).filter((name) => !mine.includes(name))).toEqual([own]);
    await close();
    expect(await folder.names()).toEqual(["state.json", ...mine]);
  });
});

describe("a lock of another container", () => {
  const elsewhere = { pid: process.pid, place: "00000000" };

  it("is taken when its owner gives no sign of life", async () => {
    await leaveLock(elsewhere);
    const waits: unknown[] = [];
    const onWait = (...words: unknown[]) => void waits.push(words);
    const lock = await takeLock(folder.stateFile, { refusal, onWait, beatEveryMs: 30 });
    const unseen = `process ${process.pid} of another machine or container`;
    expect(waits).toEqual([[unseen, 120]]);
    expect(await locks()).toEqual([expect.stringContaining(`.${thisProcess().place}.`)]);
    lock.release();
  });

  it("is left alone while its owner gives signs of life", async () => {
    const other = await leaveLock(elsewhere, "other-host\nhttp://127.0.0.1:1");
    const file = folder.at(other);
    let time = 1;
    const beat = setInterval(() => void utimes(file, ++time, time).catch(() => {}), 20);
    onTestFinished(() => clearInterval(beat));
    const name = `process ${process.pid} on other-host, http://127.0.0.1:1`;
    const taking = takeLock(folder.stateFile, { refusal, beatEveryMs: 200 });
    await expect(taking).rejects.toThrow(name);
    expect(await locks()).toEqual([other]);
  });

  it("gets signs of life from this one", async () => {
    const lock = await takeLock(folder.stateFile, { refusal, beatEveryMs: 10 });
    onTestFinished(lock.release);
    const [name = ""] = await locks();
    await utimes(folder.at(name), 1, 1);
    await expect.poll(async () => (await stat(folder.at(name))).mtimeMs).toBeGreaterThan(1000);
  });
});

describe("a lock that is lost", () => {
  it("is made again when somebody has removed it", async () => {
    const { stateFile } = folder;
    const { url } = await startServer({ stateFile });
    for (const name of await locks()) await rm(folder.at(name));
    await nameBrand(url, "a");
    await expect(startMockServer({ stateFile })).rejects.toThrow(
      `in use by another server (process ${process.pid}, ${url})`,
    );
  });

  it("stops the saves of its owner, which says so", async () => {
    const lines: string[] = [];
    const { stateFile } = folder;
    const server = await startMockServer({ stateFile, warn: (line) => lines.push(line) });
    const before = await folder.readState();
    for (const name of await locks()) await rm(folder.at(name));
    const other = await leaveLock(parent, "\nhttp://127.0.0.1:1");
    expect(await nameBrand(server.url, "a")).toBe(201);
    const refused = `in use by another server (process ${parent.pid}, http://127.0.0.1:1)`;
    expect(lines.join("\n")).toContain("could not be saved");
    expect(lines.join("\n")).toContain(refused);
    await expect(server.close()).rejects.toThrow(refused);
    expect(await folder.readState()).toBe(before);
    expect(await locks()).toEqual([other]);
  });
});

it("many servers that start at the same moment leave the file to exactly one", async () => {
  const rounds = Number(process.env["LOCK_ROUNDS"] ?? 16);
  const files = Array.from({ length: rounds }, (_, round) => `${round}.json`);
  // Every other file has the lock of a killed server.
  for (const file of files.filter((_, round) => round % 2 === 1)) await leaveLock(dead, "", file);
  const begin = Date.now() + 1500;
  const args = [String(begin), "25", ...files.map(folder.at)];
  const children = await Promise.all(
    Array.from({ length: 4 }, () => startChild("take-locks.ts", ...args)),
  );
  const won = children.flatMap(({ line }) => JSON.parse(line));
  expect(won.sort((one, other) => one - other)).toEqual(files.map((_, round) => round));
  const exits = children.map(({ child }) => {
    child.stdin?.end();
    return once(child, "exit");
  });
  await Promise.all(exits);
  // Each removes its locks when it exits, and nobody left another file.
  expect(await folder.names()).toEqual([]);
});
