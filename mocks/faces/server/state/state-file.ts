import { readFile } from "node:fs/promises";
import type { MockService } from "../../../service/mock-service.ts";
import { messageOf } from "../log-line.ts";
import { lockFile } from "./lock-file.ts";
import { placeOf, replaceFile, requireReplaceable } from "./replace-file.ts";

type Stateful = Pick<MockService, "snapshotText" | "restore" | "accounts" | "addAccount">;

/** Milliseconds until a save, which takes up all changes of that time. */
const saveSoonMs = 250;

/** Time that saves leave to everything else, as a multiple of the time of a save. */
const saveSoonShare = 4;

type Accounts = Readonly<Record<string, Parameters<MockService["addAccount"]>[1]>>;

/** Restores the file's world, and opens the accounts again that the file does not hold. */
const restoreFrom = async (
  service: Stateful,
  accounts: Accounts | undefined,
  path: string,
): Promise<void> => {
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
    if (!known.has(key)) service.addAccount(key, accounts?.[key] ?? { credits });
  }
};

/** File that a service is kept in. */
export type StateFile = Awaited<ReturnType<typeof openStateFile>>;

/**
 * Takes the lock of the file, loads the file into the service when there is one, and keeps it up
 * to date. One save runs at a time, and changes of a quarter of a second share one.
 *
 * @param accounts - What the accounts of the service were opened with
 * @param warn - Is told when saving begins to fail, and when it works again
 * @throws Error when another server has the file, or when it cannot be used; it stays as it is
 */
export const openStateFile = async (
  given: string,
  { service, accounts }: { readonly service: Stateful; readonly accounts: Accounts | undefined },
  warn: (line: string) => void,
) => {
  const path = await placeOf(given);
  const release = await lockFile(path);
  try {
    if (await requireReplaceable(path)) await restoreFrom(service, accounts, path);
  } catch (error) {
    release();
    throw error;
  }
  let running: Promise<void> = Promise.resolve();
  let tookMs = 0;
  let waiting: NodeJS.Timeout | undefined;
  let problem: string | undefined;

  const write = async (): Promise<void> => {
    const startedAt = performance.now();
    await replaceFile(path, service.snapshotText({ journal: false }));
    tookMs = performance.now() - startedAt;
  };

  /** Saves after the save that runs. */
  const save = (): Promise<void> => {
    running = running.catch(() => {}).then(write);
    return running;
  };

  const saveOr = (message: string): Promise<void> =>
    save().catch((error) => {
      throw new Error(`${message}: ${messageOf(error)}`);
    });

  const saveInBackground = async (): Promise<void> => {
    waiting = undefined;
    try {
      await save();
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
    /** Saves what a request has changed, with all that changes in the next moment. */
    saveSoon: (): void => {
      const pauseMs = Math.max(saveSoonMs, tookMs * saveSoonShare);
      waiting ??= setTimeout(() => void saveInBackground(), pauseMs).unref();
    },
    /** Gives the file up without a save. */
    abandon: (): void => {
      clearTimeout(waiting);
      release();
    },
    /** Saves a last time, and gives the file up. @throws Error when it could not be written */
    close: async (): Promise<void> => {
      clearTimeout(waiting);
      await saveOr("The state could not be saved").finally(release);
    },
  };
};
