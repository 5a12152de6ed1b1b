import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, statSync, unlinkSync, writeFileSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { hostName, type Owner, ownerRuns, thisProcess } from "./owner.ts";

/** The right of this process to write a file. */
export interface FileLock {
  /** Leaves a word for the refusals of other processes, such as the address of a server. */
  readonly tell: (word: string) => void;
  /**
   * Makes sure that this process still has the lock, and makes it again where another program has
   * removed it.
   *
   * @throws Error with the refusal, when another process may have the file by now
   */
  readonly confirm: () => void;
  readonly release: () => void;
}

/** Options of {@link takeLock}. */
export interface LockOptions {
  /** Writes the message of the error for a file that another owner has. */
  readonly refusal: (owner: string, isThisProcess: boolean) => string;
  /** Called before the wait for a sign of life from an owner that cannot be seen from here. */
  readonly onWait?: (owner: string, atMostMs: number) => void;
  /** Milliseconds between two signs of life. */
  readonly beatEveryMs?: number;
}

/** Signs of life that an owner may leave out before its lock counts as left behind. */
const beatsLeftOut = 4;

/** Age below which two locks may have been made at the same moment. */
const youngMs = 300;

/** A lock file. Its name tells the owner, so that no lock is half written. */
interface FoundLock {
  readonly file: string;
  readonly owner: Owner;
}

interface Rival extends FoundLock {
  /** Time of its last sign of life when it was found. */
  readonly aliveAt: number | undefined;
}

const modifiedAt = (file: string): number | undefined =>
  statSync(file, { throwIfNoEntry: false })?.mtimeMs;

const remove = (file: string): void => {
  try {
    unlinkSync(file);
  } catch {
    // Another process was quicker.
  }
};

/** Lock files of this process, which it removes when it exits. */
const held = new Set<string>();

const removeAll = (): void => {
  for (const file of held) remove(file);
};

/** Makes a lock file, and gives signs of life until the returned function removes it. */
const place = (file: string, beatEveryMs: number): (() => void) => {
  writeFileSync(file, hostName(), { flag: "wx", mode: 0o600 });
  if (held.size === 0) process.on("exit", removeAll);
  held.add(file);
  const beat = setInterval(() => {
    const now = new Date();
    utimes(file, now, now).catch(() => {});
  }, beatEveryMs).unref();
  return () => {
    clearInterval(beat);
    remove(file);
    held.delete(file);
    if (held.size === 0) process.off("exit", removeAll);
  };
};

const listLocks = (path: string): FoundLock[] => {
  const prefix = `${basename(path)}.lock.`;
  return readdirSync(dirname(path)).flatMap((name) => {
    const words = name.startsWith(prefix) ? name.slice(prefix.length) : "";
    const [, pid, began, place] = /^(\d+)\.(\d+)\.([0-9a-f]{8})\.[0-9a-f]+$/.exec(words) ?? [];
    if (pid === undefined || began === undefined || place === undefined) return [];
    return [{ file: join(dirname(path), name), owner: { pid: Number(pid), began, place } }];
  });
};

const nameOwner = ({ file, owner }: FoundLock): string => {
  let text = "";
  try {
    text = readFileSync(file, "utf8");
  } catch {
    // It has just been removed.
  }
  const [host, word] = text.split("\n");
  const isHere = owner.place === thisProcess().place;
  const where = host ? ` on ${host}` : " of another machine or container";
  return `process ${owner.pid}${isHere ? "" : where}${word ? `, ${word}` : ""}`;
};

/** Waits for a sign of life from an owner that cannot be seen from here. */
const beats = async (file: string, everyMs: number): Promise<boolean> => {
  const first = modifiedAt(file);
  const until = performance.now() + everyMs * beatsLeftOut;
  while (performance.now() < until) {
    await wait(Math.min(100, everyMs / 4));
    const now = modifiedAt(file);
    if (now !== first) return now !== undefined;
  }
  return false;
};

/**
 * Takes the lock of a file, which lies beside the file. Each process first writes a lock file of its
 * own, then looks for others. So of two processes at least one sees the other, and no lock is ever
 * taken over. Those of processes that have ended are removed.
 *
 * @throws Error with the refusal, or the system's own where the folder cannot be written
 */
export const takeLock = async (
  path: string,
  { refusal, onWait, beatEveryMs = 2_000 }: LockOptions,
): Promise<FileLock> => {
  const me = thisProcess();
  const refuse = (rival: FoundLock): never => {
    const { pid, place } = rival.owner;
    throw new Error(refusal(nameOwner(rival), pid === me.pid && place === me.place));
  };

  const findRival = async (own: string): Promise<Rival | undefined> => {
    for (const other of listLocks(path)) {
      if (other.file === own) continue;
      const aliveAt = modifiedAt(other.file);
      let runs = held.has(other.file) || ownerRuns(other.owner);
      if (runs === undefined) {
        onWait?.(nameOwner(other), beatEveryMs * beatsLeftOut);
        runs = await beats(other.file, beatEveryMs);
      }
      if (runs) return { ...other, aliveAt };
      remove(other.file);
    }
    return undefined;
  };

  const hold = (own: string, release: () => void): FileLock => {
    let text = hostName();
    return {
      tell(word) {
        text = `${hostName()}\n${word}`;
        if (modifiedAt(own) !== undefined) writeFileSync(own, text);
      },
      confirm() {
        if (modifiedAt(own) !== undefined) return;
        writeFileSync(own, text, { mode: 0o600 });
        const others = listLocks(path).filter(({ file }) => file !== own);
        const rival = others.find(({ owner }) => ownerRuns(owner) !== false);
        if (rival === undefined) return;
        remove(own);
        refuse(rival);
      },
      release,
    };
  };

  for (let attempt = 1; ; attempt++) {
    const words = [me.pid, me.began, me.place, randomBytes(6).toString("hex")];
    const own = `${path}.lock.${words.join(".")}`;
    const release = place(own, beatEveryMs);
    const startedAt = modifiedAt(own) ?? 0;
    let rival: Rival | undefined;
    try {
      rival = await findRival(own);
      if (rival === undefined) return hold(own, release);
    } catch (error) {
      release();
      throw error;
    }
    release();
    const ageMs = startedAt - (rival.aliveAt ?? startedAt);
    if (attempt === 10 || ageMs > youngMs) refuse(rival);
    // Both may have begun at the same moment, and both give way.
    await wait(10 + 50 * Math.random());
  }
};
