import { readFileSync, renameSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import { createOwner, type Owner, ownerRuns, parseOwner } from "./owner.ts";

/** A lock that this process holds. */
export interface Lock {
  /** Writes the server's address into the lock, for the message of a second server. */
  tell(url: string): void;
  /**
   * Makes sure that the lock is still there and this process's own.
   *
   * @throws Error when another server has it
   */
  confirm(): void;
  /** Gives the lock up. */
  release(): void;
}

/** Milliseconds between two signs of life, for servers that cannot see this process. */
const beatEveryMs = 2000;

/** Signs of life that a server may leave out before another one takes its lock. */
const beatsLeftOut = 4;

/** Milliseconds between two looks at a file that another process is about to write. */
const lookEveryMs = 20;

/** Locks of this process, which it releases when it exits. */
const held = new Map<string, Lock>();

const releaseAll = (): void => {
  for (const lock of held.values()) lock.release();
};

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

/** Reads a file; `undefined` when there is none. */
const readText = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
};

/** Creates a lock file; `false` when there is one. */
const create = (path: string, owner: Owner): boolean => {
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
const replace = (path: string, owner: Owner): void => {
  const temporary = `${path}.${owner.token}.new`;
  create(temporary, owner);
  renameSync(temporary, path);
};

/** Owner in a lock file that was never written to its end. */
const torn: Owner = { token: "torn", pid: 0, place: "" };

/** Reads who holds a lock. The file may be new, and still empty; `undefined` without a file. */
const readOwner = async (path: string): Promise<Owner | undefined> => {
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
const beats = async (path: string, everyMs: number): Promise<boolean> => {
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

/**
 * Takes a lock, also from an owner that was killed. Two processes may find the same dead owner at
 * the same time. Its token names a second lock, and who takes that one may replace the first.
 *
 * @returns the owner that holds the lock instead; `undefined` when it was taken
 */
const take = async (path: string, me: Owner, everyMs: number): Promise<Owner | undefined> => {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (create(path, me)) return undefined;
    const owner = await readOwner(path);
    if (owner === undefined) {
      await wait(lookEveryMs);
      continue;
    }
    const runs = owner !== torn && (held.has(owner.token) || ownerRuns(owner));
    if (runs ?? (await beats(path, everyMs))) return owner;
    const turn = `${path}.${owner.token}`;
    const other = await take(turn, me, everyMs);
    if (other !== undefined) return other;
    try {
      const isSame = (await readOwner(path))?.token === owner.token;
      if (isSame) {
        replace(path, me);
        return undefined;
      }
    } finally {
      unlinkSync(turn);
    }
  }
  throw new Error(`The lock ${path} cannot be taken: it is there, and cannot be read`);
};

const nameOwner = ({ pid, place, url }: Owner, here: string): string => {
  const [machine = "", ...rest] = place.split(" ");
  const where = place === here ? "" : ` on ${machine || rest.join(" ")}`;
  return `process ${pid}${where}${url === undefined ? "" : `, ${url}`}`;
};

/**
 * Takes the lock of a file, which lies beside the file.
 *
 * @param everyMs - Milliseconds between two signs of life
 * @throws Error when another server holds it, or when the folder cannot be written
 */
export const takeLock = async (file: string, everyMs: number = beatEveryMs): Promise<Lock> => {
  const path = `${file}.lock`;
  let me = createOwner();
  const refuse = (owner: Owner): never => {
    const name = nameOwner(owner, me.place);
    const remedy = "stop that one, or give this one a file of its own";
    throw new Error(`The state file ${file} is in use by another server (${name}): ${remedy}`);
  };
  const other = await take(path, me, everyMs);
  if (other !== undefined) refuse(other);

  const ownerNow = (): Owner | undefined => parseOwner(readText(path) ?? "");
  const isMine = (): boolean => ownerNow()?.token === me.token;
  const beat = setInterval(() => {
    const now = new Date();
    if (isMine()) utimes(path, now, now).catch(() => {});
  }, everyMs).unref();
  const lock: Lock = {
    tell: (url) => {
      me = { ...me, url };
      if (isMine()) replace(path, me);
    },
    confirm: () => {
      // Somebody may have removed the lock, or the whole folder.
      if (isMine() || create(path, me)) return;
      const owner = ownerNow();
      if (owner?.token !== me.token) refuse(owner ?? torn);
    },
    release: () => {
      clearInterval(beat);
      held.delete(me.token);
      if (held.size === 0) process.off("exit", releaseAll);
      try {
        if (isMine()) unlinkSync(path);
      } catch {
        // The next server sees that this process is gone.
      }
    },
  };
  if (held.size === 0) process.on("exit", releaseAll);
  held.set(me.token, lock);
  return lock;
};
