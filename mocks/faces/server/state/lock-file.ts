import { readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type Owner, parseOwner } from "./owner.ts";

/** Signs of life that a server may leave out before another one takes its lock. */
export const beatsLeftOut = 4;

/** Milliseconds between two looks at a file that another process is about to write. */
export const lookEveryMs = 20;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/** Reads a file; `undefined` when there is none. */
export const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
};

/** Creates a lock file; `false` when there is one. */
export const create = (path: string, owner: Owner): boolean => {
  try {
    writeFileSync(path, `${JSON.stringify(owner)}\n`, { flag: "wx" });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // A full disk leaves an empty file.
    if (codeOf(error) === "ENOSPC") unlinkSync(path);
    throw error;
  }
};

/** Replaces a lock file in one step. */
export const replace = (path: string, owner: Owner): void => {
  const temporary = `${path}.${owner.token}.new`;
  create(temporary, owner);
  renameSync(temporary, path);
};

/** Owner in a lock file that was never written to its end. */
export const torn: Owner = { token: "torn", pid: 0, place: "" };

/** Reads who holds a lock. The file may be new, and still empty; `undefined` without a file. */
export const readOwner = async (path: string): Promise<Owner | undefined> => {
  for (let look = 0; look < 10; look += 1) {
    const text = readText(path);
    if (text === undefined) return undefined;
    const owner = parseOwner(text);
    if (owner !== undefined) return owner;
    if (text !== "") throw new Error(`The file ${path} is no lock of adgen-mock: move it away`);
    await wait(lookEveryMs);
  }
  return torn;
};

/** Waits for a sign of life in a lock file: its owner renews the file's time again and again. */
export const beats = async (path: string, everyMs: number): Promise<boolean> => {
  const timeOf = (): number | undefined => statSync(path, { throwIfNoEntry: false })?.mtimeMs;
  const first = timeOf();
  const until = performance.now() + everyMs * beatsLeftOut;
  while (performance.now() < until) {
    await wait(Math.min(everyMs / 4, 250));
    const now = timeOf();
    if (now !== first) return now !== undefined;
  }
  return false;
};
