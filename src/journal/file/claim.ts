import { randomBytes } from "node:crypto";
import { closeSync, openSync, readdirSync, statSync, unlinkSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describeOwner, type Owner, ownerRuns, thisProcess } from "./owner.ts";

/** Milliseconds between two signs of life, for processes that cannot see this one. */
const beatEveryMs = 2_000;

/** Time without a sign of life after which a claim counts as left behind. */
const silentMs = 4 * beatEveryMs;

/** Age below which two claims may have been made at the same moment. */
const youngMs = 300;

/** The right of this process to write a journal. */
export interface Claim {
  /** Throws when the claim was removed. */
  readonly confirm: () => void;
  readonly release: () => void;
}

/** A claim as its file's name tells it. */
interface FoundClaim {
  readonly file: string;
  readonly owner: Owner;
}

interface Rival extends FoundClaim {
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

/** Lists the claims for a journal. The names tell the owners, so that no claim is half written. */
const listClaims = (path: string): FoundClaim[] => {
  const prefix = `${basename(path)}.lock.`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix))
    .flatMap((name) => {
      const [pid = "", began = "", place = ""] = name.slice(prefix.length).split(".");
      const owner = { pid: Number(pid), began, place };
      return Number.isInteger(owner.pid) ? [{ file: join(dirname(path), name), owner }] : [];
    });
};

/** Waits for a sign of life from an owner that cannot be seen from here. */
const beats = async (file: string): Promise<boolean> => {
  const first = modifiedAt(file);
  const until = performance.now() + silentMs;
  while (performance.now() < until) {
    await wait(100);
    const now = modifiedAt(file);
    if (now !== first) return now !== undefined;
  }
  return false;
};

/** Gives the first living owner of another claim; removes the claims of dead ones. */
const findRival = async (path: string, own: string): Promise<Rival | undefined> => {
  for (const claim of listClaims(path)) {
    if (claim.file === own) continue;
    const aliveAt = modifiedAt(claim.file);
    if (ownerRuns(claim.owner) ?? (await beats(claim.file))) return { ...claim, aliveAt };
    remove(claim.file);
  }
  return undefined;
};

/**
 * Claims a journal for this process. Each process first writes a claim of its own, then looks for
 * others. So of two processes at least one sees the other, and no claim is ever taken over.
 *
 * @throws Error that names the process which has the journal, or why the folder cannot be written
 */
export const claimFile = async (path: string): Promise<Claim> => {
  const { pid, began, place } = thisProcess();
  for (let attempt = 1; ; attempt++) {
    const own = `${path}.lock.${pid}.${began}.${place}.${randomBytes(6).toString("hex")}`;
    closeSync(openSync(own, "wx", 0o600));
    const startedAt = modifiedAt(own) ?? 0;
    let rival: Rival | undefined;
    try {
      rival = await findRival(path, own);
    } catch (error) {
      remove(own);
      throw error;
    }
    if (rival === undefined) return holdClaim(path, own);
    const ageMs = startedAt - (rival.aliveAt ?? startedAt);
    remove(own);
    if (attempt === 10 || ageMs > youngMs) {
      throw new Error(
        `The journal ${path} is in use by ${describeOwner(rival.owner)}: ` +
          "close it there, or give this process a path of its own",
      );
    }
    // Both may have begun at the same moment, and both give way.
    await wait(10 + 50 * Math.random());
  }
};

const holdClaim = (path: string, own: string): Claim => {
  const beat = setInterval(() => {
    const now = new Date();
    utimes(own, now, now).catch(() => {});
  }, beatEveryMs).unref();
  return {
    confirm: () => {
      if (modifiedAt(own) !== undefined) return;
      throw new Error(
        `The lock of the journal ${path} was removed, so another process may write it: ` +
          "open the journal again",
      );
    },
    release: () => {
      clearInterval(beat);
      remove(own);
    },
  };
};
