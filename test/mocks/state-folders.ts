import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeEach, onTestFinished } from "vitest";
import { createAsk, globalFetch } from "./ask.ts";

/** Gives each test a folder, and removes all of them after the last test. */
export const useStateFolders = () => {
  const folders: string[] = [];
  const at = (name: string): string => join(folders.at(-1) ?? "", name);
  beforeEach(async () => {
    folders.push(await mkdtemp(join(tmpdir(), "adgen-state-")));
  });
  // Not after each test: the servers of a test close after it, and save then.
  afterAll(() => Promise.all(folders.map((made) => rm(made, { recursive: true, force: true }))));
  return {
    get path() {
      return at("");
    },
    /** The state file that a server may write there. */
    get stateFile() {
      return at("state.json");
    },
    /** Gives the path of a name in the folder. */
    at,
    /** Lists the files there but the lock, which stays. */
    names: async (): Promise<string[]> =>
      (await readdir(at(""))).filter((name) => name !== "state.json.lock").sort(),
    readState: (): Promise<string> => readFile(at("state.json"), "utf8"),
  };
};

/** Makes a brand on a server, a change that the server saves. Gives the status. */
export const nameBrand = async (url: string, name: string): Promise<number> =>
  (await createAsk(globalFetch, "test-key", url)("POST", "/v1/brands", { name })).status;

/** Starts another process, which ends with the test. Gives it with the first line that it prints. */
export const startChild = async (script: string, ...args: string[]) => {
  const path = fileURLToPath(new URL(`./children/${script}`, import.meta.url));
  const child: ChildProcess = spawn(process.execPath, [path, ...args], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [line] = await once(child.stdout ?? child, "data");
  return { child, line: String(line).trim() };
};

/** Starts a server that keeps its state in a file, in a process that a test can kill. */
export const startSavingServer = async (stateFile: string, timeline: string) => {
  const args = ["--port", "0", "--state", stateFile, "--timeline", timeline];
  const { child, line } = await startChild("../../../mocks/cli.ts", ...args);
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { child, url: /http:\S+/.exec(line)?.[0] ?? "", kill };
};
