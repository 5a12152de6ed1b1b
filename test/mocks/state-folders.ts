import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach } from "vitest";
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
