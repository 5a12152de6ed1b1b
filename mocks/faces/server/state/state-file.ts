import { readFile } from "node:fs/promises";
import type { MockService } from "../../../service/mock-service.ts";
import { messageOf } from "../log-line.ts";
import { lockFile } from "./lock-file.ts";
import { placeOf, replaceFile, requireReplaceable } from "./replace-file.ts";

type Stateful = Pick<MockService, "snapshotText" | "restore" | "accounts" | "addAccount" | "moves">;

/** Milliseconds until a background save, which takes up all changes of that time. */
const saveSoonMs = 250;

/** Time that background saves leave to everything else, as a multiple of the time of a save. */
const saveSoonShare = 4;

/** Restores the file's world, and opens the accounts again that the file does not hold. */
const restoreFrom = async (service: Stateful, path: string): Promise<void> => {
  const before = service.accounts.map(({ key, credits }) => ({ key, credits }));
  const text = await readFile(path, "utf8");
  try {
    service.restore(JSON.parse(text));
  } catch (error) {
    const mistake =
      error instanceof SyntaxError
        ? "is not JSON; it was left as it is"
        : `is no snapshot; it was left as it is: ${messageOf(error)}`;
    throw new Error(`The state file ${path} ${mistake}`);
  }
  const known = new Set(service.accounts.map(({ key }) => key));
  for (const { key, credits } of before) {
    if (!known.has(key)) service.addAccount(key, { credits });
  }
};

/** A snapshot's text without the time, which changes by itself. */
const contentOf = (text: string): string => JSON.stringify({ ...JSON.parse(text), at: 0 });

/** File that a service is kept in. */
export type StateFile = Awaited<ReturnType<typeof openStateFile>>;

/**
 * Takes the lock of the file, loads the file into the service when there is one, and keeps it up
 * to date. One save runs at a time; all changes that come meanwhile are in the next one.
 *
 * @param warn - Is told when saving begins to fail, and when it works again
 * @throws Error when another server has the file, or when it cannot be used; it stays as it is
 */
export const openStateFile = async (
  given: string,
  service: Stateful,
  warn: (line: string) => void,
) => {
  const path = await placeOf(given);
  const release = await lockFile(path);
  try {
    if (await requireReplaceable(path)) await restoreFrom(service, path);
  } catch (error) {
    release();
    throw error;
  }
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let saved = "";
  /** Count of the service's moves that the file holds. */
  let savedMoves = -1;
  let tookMs = 0;
  let background: NodeJS.Timeout | undefined;
  let problem: string | undefined;

  const write = async (): Promise<void> => {
    next = undefined;
    const startedAt = performance.now();
    const { moves } = service;
    const text = service.snapshotText({ journal: false });
    // Most others differ in length, too, and parsing is slow.
    if (text.length !== saved.length || contentOf(text) !== contentOf(saved)) {
      await replaceFile(path, text);
      saved = text;
    }
    savedMoves = moves;
    tookMs = performance.now() - startedAt;
  };

  /** Saves after the save that runs; all that ask until then share the next one. */
  const saveNext = (): Promise<void> => {
    next ??= running
      .catch(() => {})
      .then(() => {
        running = write();
        return running;
      });
    return next;
  };

  const saveOr = (message: string): Promise<void> =>
    saveNext().catch((error) => {
      throw new Error(`${message}: ${messageOf(error)}`);
    });

  /** Waits for a save. Says when saving begins to fail, and when it works again. */
  const told = async (saving: Promise<void>): Promise<void> => {
    try {
      await saving;
      if (problem !== undefined) warn(`The state is saved again: ${path}`);
      problem = undefined;
    } catch (error) {
      const before = problem;
      problem = `The state could not be saved: ${messageOf(error)}`;
      if (problem !== before) warn(problem);
    }
  };

  return {
    /** Trouble with the file at this moment, in words. */
    problems: (): readonly string[] => (problem === undefined ? [] : [problem]),
    /** Writes the file for the first time. @throws Error when it cannot be written */
    claim: (): Promise<void> => saveOr(`The state file ${path} cannot be written`),
    /** Resolves when all changes so far are saved, or when that failed and was said. */
    save: (): Promise<void> => told(saveNext()),
    /**
     * Saves what a request that only reads has changed. Such a request waits only when it moved
     * a job on or met a fault: an answer tells of it. The rest is saved a moment later.
     */
    savePoll: (): Promise<void> | undefined => {
      if (savedMoves !== service.moves && problem === undefined) return told(saveNext());
      background ??= setTimeout(
        () => {
          background = undefined;
          void told(saveNext());
        },
        Math.max(saveSoonMs, tookMs * saveSoonShare),
      ).unref();
      return undefined;
    },
    /** Gives the file up without a save. */
    abandon: (): void => {
      clearTimeout(background);
      release();
    },
    /** Saves a last time, and gives the file up. @throws Error when it could not be written */
    close: async (): Promise<void> => {
      clearTimeout(background);
      await saveOr("The state could not be saved").finally(release);
    },
  };
};
