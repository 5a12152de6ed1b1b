import { unlinkSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { setTimeout as wait } from "node:timers/promises";
import {
  beats,
  beatsLeftOut,
  create,
  lookEveryMs,
  readOwner,
  readText,
  replace,
  torn,
} from "./lock-file.ts";
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

/** Locks of this process, which it releases when it exits. */
const held = new Map<string, Lock>();

const releaseAll = (): void => {
  for (const lock of held.values()) lock.release();
};

interface Patience {
  /** Milliseconds between two signs of life. */
  readonly everyMs: number;
  /** Is told of an owner that cannot be seen from here, before the wait for a sign of life. */
  readonly onWait: (owner: Owner) => void;
}

/**
 * Takes a lock, also from an owner that was killed. Two processes may find the same dead owner at
 * the same time. Its token names a second lock, and who takes that one may replace the first.
 *
 * @returns the owner that holds the lock instead; `undefined` when it was taken
 */
const take = async (path: string, me: Owner, patience: Patience): Promise<Owner | undefined> => {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    if (create(path, me)) return undefined;
    const owner = await readOwner(path);
    if (owner === undefined) {
      await wait(lookEveryMs);
      continue;
    }
    const runs = owner !== torn && (held.has(owner.token) || ownerRuns(owner));
    if (runs === undefined) patience.onWait(owner);
    if (runs ?? (await beats(path, patience.everyMs))) return owner;
    const turn = `${path}.${owner.token}`;
    const other = await take(turn, me, patience);
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
 * @param warn - Is told that the owner cannot be seen from here, before the wait for a sign of life
 * @param everyMs - Milliseconds between two signs of life
 * @throws Error when another server holds it, or when the folder cannot be written
 */
export const takeLock = async (
  file: string,
  warn: (line: string) => void,
  everyMs: number = beatEveryMs,
): Promise<Lock> => {
  const path = `${file}.lock`;
  let me = createOwner();
  const refuse = (owner: Owner): never => {
    const name = nameOwner(owner, me.place);
    const remedy = "stop that one, or give this one a file of its own";
    throw new Error(`The state file ${file} is in use by another server (${name}): ${remedy}`);
  };
  const onWait = (owner: Owner): void => {
    const seconds = Math.ceil((everyMs * beatsLeftOut) / 1000);
    const name = nameOwner(owner, me.place);
    warn(
      `The state file ${file} is in use by ${name}: waiting up to ${seconds} s for a sign of life`,
    );
  };
  const other = await take(path, me, { everyMs, onWait });
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
