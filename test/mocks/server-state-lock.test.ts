import { execFileSync } from "node:child_process";
import fs from "node:fs/promises";
import { relative } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { type MockServerOptions, startMockServer } from "../../mocks/server.ts";
import { startServer } from "./server-sockets.ts";
import { nameBrand, useStateFolders } from "./state-folders.ts";

const folder = useStateFolders();

describe("a second server on a state file", () => {
  it("does not start while the first one runs", async () => {
    const { stateFile } = folder;
    const first = await startServer({ stateFile });
    await expect(startMockServer({ stateFile })).rejects.toThrow(
      `The state file ${stateFile} is in use by another server: ` +
        "stop that one, or give this one a file of its own",
    );
    await nameBrand(first.url, "a");
    await first.close();
    expect(await folder.readState()).toContain('"name":"a"');
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
    expect(await folder.names()).toEqual(["link.json", "linked", "state.json"]);
  });

  it("is refused where another file has the name of its lock, which stays as it is", async () => {
    const { stateFile } = folder;
    await fs.writeFile(`${stateFile}.lock`, "mine");
    await expect(startMockServer({ stateFile })).rejects.toThrow("cannot be written: file is not");
    expect(await fs.readFile(`${stateFile}.lock`, "utf8")).toBe("mine");
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
    const takeAway = (from: string) => fs.rename(from, folder.at(`gone-${lines.length}`));
    const { home, file, server } = await serveInHome({
      log: (line) => logged.push(line),
      warn: (line) => lines.push(line),
    });
    const { url } = server;
    await takeAway(home);
    expect([await nameBrand(url, "a"), await nameBrand(url, "b")]).toEqual([201, 201]);
    const failed = [expect.stringMatching(/^The state could not be saved: .*ENOENT/)];
    await expect.poll(() => lines).toEqual(failed);
    expect(await problemsAt(url)).toEqual(lines);
    await fs.mkdir(home);
    await nameBrand(url, "c");
    await expect.poll(() => lines.slice(1)).toEqual([`The state is saved again: ${file}`]);
    expect(await fs.readFile(file, "utf8")).toContain('"name":"a"');
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
    const said = [[expect.stringContaining("could not be saved")]];
    await expect.poll(() => complain.mock.calls).toEqual(said);
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
  await expect
    .poll(() => lines.join("\n"))
    .toMatch(/could not be saved: .*is read-only \(mode 444\)/);
  expect(await folder.readState()).toBe(before);
  await fs.chmod(stateFile, 0o600);
  await nameBrand(url, "b");
  await close();
  const saved = await folder.readState();
  expect(saved).toContain('"name":"a"');

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

it.each<[kind: string, make: (file: string) => unknown]>([
  ["pipe", (file) => execFileSync("mkfifo", [file])],
  ["device", (file) => fs.symlink("/dev/zero", file)],
  ["folder", (file) => fs.mkdir(file)],
])("a state file that is a %s is refused at once, without a lock", async (_, make) => {
  await make(folder.stateFile);
  await expect(startMockServer({ stateFile: folder.stateFile })).rejects.toThrow(
    /^The state file .* is a folder, a pipe or a device$/,
  );
  expect(await folder.names()).toEqual(["state.json"]);
  const started = startMockServer({ stateFile: folder.at("no/state.json") });
  await expect(started).rejects.toThrow(/cannot be written: ENOENT/);
});
