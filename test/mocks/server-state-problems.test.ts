import { execFileSync } from "node:child_process";
import { chmod, mkdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { describe, expect, it, vi } from "vitest";
import { type MockServerOptions, startMockServer } from "../../mocks/server.ts";
import { startServer } from "./server-sockets.ts";
import { nameBrand, useStateFolders } from "./state-folders.ts";

const folder = useStateFolders();

/** Reads the problems in the state, and the alert of the page without its elements. */
const troubles = async (url: string): Promise<[problems: string[], alert: string]> => {
  const { data } = await (await fetch(`${url}/__mock/state`)).json();
  const body = await (await fetch(`${url}/__mock/body`)).text();
  const [, alert = ""] = /<div[^>]* role="alert"[^>]*>([\s\S]*?)<\/div>/.exec(body) ?? [];
  return [data.problems, alert.replace(/<[^>]+>/g, "").trim()];
};

/** Serves from a file whose folder a test can take away. */
const serveInHome = async (options: MockServerOptions = {}) => {
  const home = folder.at("home");
  await mkdir(home);
  const file = folder.at("home/state.json");
  const server = await startMockServer({ stateFile: file, ...options });
  return { home, file, server };
};

describe("a save that fails", () => {
  it("is told, once for each reason, and shown while it lasts, and its end is told", async () => {
    const [lines, logged]: [string[], string[]] = [[], []];
    const { home, file, server } = await serveInHome({
      log: (line) => logged.push(line),
      warn: (line) => lines.push(line),
    });
    const { url } = server;
    expect(await troubles(url)).toEqual([[], ""]);
    await rm(home, { recursive: true });
    expect([await nameBrand(url, "a"), await nameBrand(url, "b")]).toEqual([201, 201]);
    expect(lines).toEqual([expect.stringMatching(/^The state could not be saved: .*ENOENT/)]);
    const alert = expect.stringContaining("The state could not be saved: ENOENT");
    expect(await troubles(url)).toEqual([lines, alert]);
    await mkdir(home);
    await nameBrand(url, "c");
    expect(await readFile(file, "utf8")).toContain('"name":"a"');
    expect(lines.slice(1)).toEqual([`The state is saved again: ${file}`]);
    expect(await troubles(url)).toEqual([[], ""]);
    expect(logged.join("\n")).not.toContain("saved");
    await rm(home, { recursive: true });
    server.service.reset();
    await expect(server.close()).rejects.toThrow(/could not be saved/);
    await expect(fetch(url)).rejects.toThrow();
  });

  it("goes to console.error when the server was given no function for it", async () => {
    const complain = vi.spyOn(console, "error").mockImplementation(() => {});
    const { home, server } = await serveInHome();
    await rm(home, { recursive: true });
    await nameBrand(server.url, "a");
    expect(complain.mock.calls).toEqual([[expect.stringContaining("could not be saved")]]);
    complain.mockRestore();
    await mkdir(home);
    await server.close();
  });
});

describe("a read-only state file", () => {
  it("is refused at the start, for the administrator too, and left as it is", async () => {
    const { stateFile } = folder;
    await (await startMockServer({ stateFile })).close();
    const before = await folder.readState();
    await chmod(stateFile, 0o444);
    await expect(startMockServer({ stateFile })).rejects.toThrow(
      `The state file ${stateFile} is read-only (mode 444), and it would be replaced: ` +
        "make it writable, or give the server a copy",
    );
    expect(await folder.readState()).toBe(before);
    expect((await stat(stateFile)).mode & 0o777).toBe(0o444);
    expect(await folder.names()).toEqual(["state.json"]);
  });

  it("is not replaced when it becomes read-only later, and that is told", async () => {
    const lines: string[] = [];
    const { stateFile } = folder;
    const { url } = await startServer({ stateFile, warn: (line) => lines.push(line) });
    const before = await folder.readState();
    await chmod(stateFile, 0o444);
    await nameBrand(url, "a");
    expect(lines.join("\n")).toMatch(/could not be saved: .*is read-only \(mode 444\)/);
    expect(await folder.readState()).toBe(before);
    await chmod(stateFile, 0o600);
    await nameBrand(url, "b");
    expect(await folder.readState()).toContain('"name":"a"');
  });
});

describe("a state file that is none", () => {
  const makeLarge = async (file: string): Promise<void> => {
    await writeFile(file, "{}");
    await truncate(file, 300 * 1024 * 1024);
  };

  it.each<[reason: string, make: (file: string) => unknown]>([
    ["it is a pipe", (file) => execFileSync("mkfifo", [file])],
    ["it is a device", (file) => symlink("/dev/full", file)],
    ["it is a device", (file) => symlink("/dev/zero", file)],
    ["it is a folder", (file) => mkdir(file)],
    ["it takes 300 MiB, more than the 256 MiB that the mock reads", makeLarge],
  ])("is refused at once, and leaves no lock: %s", async (reason, make) => {
    await make(folder.stateFile);
    await expect(startMockServer({ stateFile: folder.stateFile })).rejects.toThrow(
      new RegExp(`^The state file .* cannot be read: ${reason}$`),
    );
    expect(await folder.names()).toEqual(["state.json"]);
  });

  it("is refused where the folder is missing", async () => {
    const started = startMockServer({ stateFile: folder.at("no/state.json") });
    await expect(started).rejects.toThrow(/cannot be written: ENOENT/);
  });
});
