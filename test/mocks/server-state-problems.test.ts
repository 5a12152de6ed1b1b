import { execFileSync } from "node:child_process";
import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { startMockServer } from "../../mocks/server.ts";
import { startServer } from "./server-sockets.ts";
import { nameBrand, useStateFolders } from "./state-folders.ts";

let folder = "";
let stateFile = "";
useStateFolders((made) => {
  ({ folder, stateFile } = made);
});

const readState = async (url: string): Promise<{ problems: string[] }> =>
  ((await (await fetch(`${url}/__mock/state`)).json()) as { data: { problems: string[] } }).data;

/** Reads the alert of the page, without its elements; empty while there is none. */
const alertOn = async (url: string): Promise<string> => {
  const body = await (await fetch(`${url}/__mock/body`)).text();
  const [, alert = ""] = /<div[^>]* role="alert"[^>]*>([\s\S]*?)<\/div>/.exec(body) ?? [];
  return alert.replace(/<[^>]+>/g, "").trim();
};

/** Serves from a file whose folder a test can take away. */
const serveInHome = async () => {
  const lines: string[] = [];
  const logged: string[] = [];
  const home = join(folder, "home");
  await mkdir(home);
  const file = join(home, "state.json");
  const server = await startMockServer({
    stateFile: file,
    log: (line) => logged.push(line),
    warn: (line) => lines.push(line),
  });
  return { home, file, server, lines, logged };
};

describe("a save that fails", () => {
  it("is told, once for each reason, and so is the next one that works", async () => {
    const { home, file, server, lines, logged } = await serveInHome();
    await rm(home, { recursive: true });
    expect((await nameBrand(server.url, "a")).status).toBe(201);
    expect((await nameBrand(server.url, "b")).status).toBe(201);
    expect(lines).toEqual([expect.stringMatching(/^The state could not be saved: .*ENOENT/)]);
    await mkdir(home);
    await nameBrand(server.url, "c");
    expect(await readFile(file, "utf8")).toContain('"name":"a"');
    expect(lines[1]).toBe(`The state is saved again: ${file}`);
    expect(lines).toHaveLength(2);
    expect(logged.join("\n")).not.toContain("saved");
    await rm(home, { recursive: true });
    server.service.reset();
    await expect(server.close()).rejects.toThrow(/could not be saved/);
    await expect(fetch(server.url)).rejects.toThrow();
  });

  it("stands on the page and in the state for as long as it lasts", async () => {
    const { home, server } = await serveInHome();
    expect((await readState(server.url)).problems).toEqual([]);
    expect(await alertOn(server.url)).toBe("");
    await rm(home, { recursive: true });
    await nameBrand(server.url, "a");
    expect((await readState(server.url)).problems).toEqual([
      expect.stringContaining("The state could not be saved"),
    ]);
    expect(await alertOn(server.url)).toContain("The state could not be saved");
    await mkdir(home);
    await nameBrand(server.url, "b");
    expect((await readState(server.url)).problems).toEqual([]);
    expect(await alertOn(server.url)).toBe("");
    await server.close();
  });

  it("goes to console.error when the server was given no function for it", async () => {
    const complain = vi.spyOn(console, "error").mockImplementation(() => {});
    const home = join(folder, "home");
    await mkdir(home);
    const server = await startMockServer({ stateFile: join(home, "state.json") });
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
    await (await startMockServer({ stateFile })).close();
    const before = await readFile(stateFile, "utf8");
    await chmod(stateFile, 0o444);
    await expect(startMockServer({ stateFile })).rejects.toThrow(
      `The state file ${stateFile} is read-only (mode 444), and it would be replaced: ` +
        "make it writable, or give the server a copy",
    );
    expect(await readFile(stateFile, "utf8")).toBe(before);
    expect((await stat(stateFile)).mode & 0o777).toBe(0o444);
    expect(await readdir(folder)).toEqual(["state.json"]);
  });

  it("is not replaced when it becomes read-only later, and that is told", async () => {
    const lines: string[] = [];
    const server = await startServer({ stateFile, warn: (line) => lines.push(line) });
    const before = await readFile(stateFile, "utf8");
    await chmod(stateFile, 0o444);
    await nameBrand(server.url, "a");
    expect(lines.join("\n")).toMatch(/could not be saved: .*is read-only \(mode 444\)/);
    expect(await readFile(stateFile, "utf8")).toBe(before);
    await chmod(stateFile, 0o600);
    await nameBrand(server.url, "b");
    expect(await readFile(stateFile, "utf8")).toContain('"name":"a"');
  });
});

describe("a state file that is none", () => {
  it.each([
    ["a pipe", async () => void execFileSync("mkfifo", [stateFile])],
    ["a device", async () => symlink("/dev/full", stateFile)],
    ["a device", async () => symlink("/dev/zero", stateFile)],
    ["a folder", async () => mkdir(stateFile)],
  ])("is refused at once: %s", async (kind, prepare) => {
    await prepare();
    await expect(startMockServer({ stateFile })).rejects.toThrow(
      new RegExp(`^The state file .* cannot be read: it is ${kind}$`),
    );
    expect(await readdir(folder)).toEqual(["state.json"]);
  });

  it("is refused when it is too large to read", async () => {
    await writeFile(stateFile, "{}");
    await truncate(stateFile, 300 * 1024 * 1024);
    await expect(startMockServer({ stateFile })).rejects.toThrow(
      "it takes 300 MiB, more than the 256 MiB that the mock reads",
    );
    expect(await readdir(folder)).toEqual(["state.json"]);
  });
});
