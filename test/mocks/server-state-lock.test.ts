import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { rmSync, utimesSync } from "node:fs";
import fs from "node:fs/promises";
import { relative } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type MockServerOptions, startMockServer } from "../../mocks/server.ts";
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
  await fs.writeFile(folder.at(name), text);
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
    await fs.symlink(folder.path, folder.at("linked"));
    await fs.symlink("state.json", folder.at("link.json"));
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
    for (const name of mine) await fs.writeFile(folder.at(name), "mine");
    const { close } = await startServer({ stateFile: folder.stateFile });
    expect((await locks()).filter((name) => !mine.includes(name))).toEqual([own]);
    await close();
    expect(await folder.names()).toEqual(["state.json", ...mine]);
  });
});

describe("a lock of another container", () => {
  const elsewhere = { pid: process.pid, place: "00000000" };

  it("is taken when its owner gives no sign of life, and its new owner gives some", async () => {
    await leaveLock(elsewhere);
    const waits: unknown[] = [];
    const onWait = (...words: unknown[]) => void waits.push(words);
    const lock = await takeLock(folder.stateFile, { refusal, onWait, beatEveryMs: 30 });
    onTestFinished(lock.release);
    expect(waits).toEqual([[`process ${process.pid} of another machine or container`, 120]]);
    const [name = "", ...others] = await locks();
    expect([name, others]).toEqual([own, []]);
    expect(name).toContain(`.${thisProcess().place}.`);
    await fs.utimes(folder.at(name), 1, 1);
    const givenAt = async () => (await fs.stat(folder.at(name))).mtimeMs;
    await expect.poll(givenAt, { timeout: 60_000 }).toBeGreaterThan(1000);
  });

  it("is taken when its owner removes it meanwhile", async () => {
    const other = await leaveLock(elsewhere);
    await fs.utimes(folder.at(other), 1, 1);
    // In one step: on a busy machine the wait could end in between.
    const onWait = () => void setTimeout(() => rmSync(folder.at(other)), 20);
    const lock = await takeLock(folder.stateFile, { refusal, onWait, beatEveryMs: 200 });
    onTestFinished(lock.release);
    expect(await locks()).toEqual([own]);
  });

  it("is left alone while its owner gives signs of life", async () => {
    const other = await leaveLock(elsewhere, "other-host\nhttp://127.0.0.1:1");
    let time = 1;
    const beat = setInterval(() => utimesSync(folder.at(other), ++time, time), 20);
    onTestFinished(() => clearInterval(beat));
    const taking = takeLock(folder.stateFile, { refusal, beatEveryMs: 200 });
    const name = `process ${process.pid} on other-host, http://127.0.0.1:1`;
    await expect(taking).rejects.toThrow(name);
    expect(await locks()).toEqual([other]);
  });
});

describe("a lock that is lost", () => {
  it("is made again when somebody has removed it", async () => {
    const { stateFile } = folder;
    const { url } = await startServer({ stateFile });
    for (const name of await locks()) await fs.rm(folder.at(name));
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
    for (const name of await locks()) await fs.rm(folder.at(name));
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

const problemsAt = async (url: string): Promise<string[]> =>
  (await (await fetch(`${url}/__mock/state`)).json()).data.problems;

/** Serves from a file whose folder a test can take away. */
const serveInHome = async (options: MockServerOptions = {}) => {
  const home = folder.at("home");
  await fs.mkdir(home);
  const file = folder.at("home/state.json");
  const server = await startMockServer({ stateFile: file, ...options });
  return { home, file, server };
};

describe("a save that fails", () => {
  it("is told, once for each reason, and shown while it lasts, and its end is told", async () => {
    const [lines, logged]: [string[], string[]] = [[], []];
    // A save of a moment later could meet a folder that is half removed.
    const takeAway = (from: string) => fs.rename(from, folder.at(`gone-${lines.length}`));
    const { home, file, server } = await serveInHome({
      log: (line) => logged.push(line),
      warn: (line) => lines.push(line),
    });
    const { url } = server;
    await takeAway(home);
    expect([await nameBrand(url, "a"), await nameBrand(url, "b")]).toEqual([201, 201]);
    expect(lines).toEqual([expect.stringMatching(/^The state could not be saved: .*ENOENT/)]);
    expect(await problemsAt(url)).toEqual(lines);
    await fs.mkdir(home);
    await nameBrand(url, "c");
    expect(await fs.readFile(file, "utf8")).toContain('"name":"a"');
    expect(lines.slice(1)).toEqual([`The state is saved again: ${file}`]);
    expect(await problemsAt(url)).toEqual([]);
    expect(logged.join("\n")).not.toContain("saved");
    await takeAway(home);
    server.service.reset();
    await expect(server.close()).rejects.toThrow(/could not be saved/);
    await expect(fetch(url)).rejects.toThrow();
  });

  it("goes to console.error when the server was given no function for it", async () => {
    const complain = vi.spyOn(console, "error").mockImplementation(() => {});
    const { home, server } = await serveInHome();
    await fs.rm(home, { recursive: true });
    await nameBrand(server.url, "a");
    expect(complain.mock.calls).toEqual([[expect.stringContaining("could not be saved")]]);
    complain.mockRestore();
    await fs.mkdir(home);
    await server.close();
  });
});

it("a read-only state file is refused at the start, and not replaced when it becomes so later", async () => {
  const lines: string[] = [];
  const { stateFile } = folder;
  const warn = (line: string) => lines.push(line);
  const { url, close } = await startServer({ stateFile, warn });
  const before = await folder.readState();
  await fs.chmod(stateFile, 0o444);
  await nameBrand(url, "a");
  expect(lines.join("\n")).toMatch(/could not be saved: .*is read-only \(mode 444\)/);
  expect(await folder.readState()).toBe(before);
  await fs.chmod(stateFile, 0o600);
  await nameBrand(url, "b");
  const saved = await folder.readState();
  expect(saved).toContain('"name":"a"');
  await close();

  await fs.chmod(stateFile, 0o444);
  // The administrator, too, is refused.
  await expect(startMockServer({ stateFile })).rejects.toThrow(
    `The state file ${stateFile} is read-only (mode 444), and it would be replaced: ` +
      "make it writable, or give the server a copy",
  );
  expect(await folder.readState()).toBe(saved);
  expect((await fs.stat(stateFile)).mode & 0o777).toBe(0o444);
  expect(await folder.names()).toEqual(["state.json"]);
});

it.each<[reason: string, make: (file: string) => unknown]>([
  ["it is a pipe", (file) => execFileSync("mkfifo", [file])],
  ["it is a device", (file) => fs.symlink("/dev/full", file)],
  ["it is a device", (file) => fs.symlink("/dev/zero", file)],
  ["it is a folder", (file) => fs.mkdir(file)],
  [
    "it takes 300 MiB, more than the 256 MiB that the mock reads",
    (file) => fs.writeFile(file, "{}").then(() => fs.truncate(file, 300 * 1024 * 1024)),
  ],
])("a state file that is none is refused at once, without a lock: %s", async (reason, make) => {
  await make(folder.stateFile);
  await expect(startMockServer({ stateFile: folder.stateFile })).rejects.toThrow(
    new RegExp(`^The state file .* cannot be read: ${reason}$`),
  );
  expect(await folder.names()).toEqual(["state.json"]);
  const started = startMockServer({ stateFile: folder.at("no/state.json") });
  await expect(started).rejects.toThrow(/cannot be written: ENOENT/);
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
