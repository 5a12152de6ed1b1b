import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, onTestFinished } from "vitest";
import type { MockServiceOptions } from "../../mocks/index.ts";
import { authorized } from "./server-sockets.ts";

/** A folder of a test's own, and the state file that a server may write there. */
export interface StateFolder {
  readonly folder: string;
  readonly stateFile: string;
}

/** Gives each test a folder, and removes all of them after the last test. */
export const useStateFolders = (take: (made: StateFolder) => void): void => {
  const folders: string[] = [];
  beforeEach(async () => {
    const folder = await mkdtemp(join(tmpdir(), "adgen-state-"));
    folders.push(folder);
    take({ folder, stateFile: join(folder, "state.json") });
  });
  // Not after each test: the servers of a test close after it, and save then.
  afterAll(() => Promise.all(folders.map((made) => rm(made, { recursive: true, force: true }))));
};

/** Makes a brand on a server, a change that the server saves. */
export const nameBrand = (url: string, name: string): Promise<Response> =>
  fetch(`${url}/v1/brands`, {
    method: "POST",
    headers: authorized,
    body: JSON.stringify({ name }),
  });

/** Starts another process, which ends with the test. Gives it with the first line that it prints. */
export const startChild = async (script: string, ...args: string[]) => {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [path, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout ?? child, "data");
  return { child, line: String(line).trim() };
};

/** Starts a server that keeps its state in a file, in a process that a test can kill. */
export const startSavingServer = async (stateFile: string, options: MockServiceOptions = {}) => {
  const started = await startChild("./server-saving-child.ts", stateFile, JSON.stringify(options));
  const { child, line: url } = started;
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { child, url, kill };
};
