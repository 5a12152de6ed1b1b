import { open, readdir, readFile, realpath, rename, unlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { MockService } from "../../service/mock-service.ts";
import { messageOf } from "./log-line.ts";

type Stateful = Pick<MockService, "snapshot" | "restore" | "accounts" | "addAccount">;

/** Milliseconds until a background save, which takes up all changes of that time. */
const saveSoonMs = 250;

/** Reads the file; `undefined` when there is none. */
const read = (path: string): Promise<string | undefined> =>
  readFile(path, "utf8").catch((error) => {
    if (error.code === "ENOENT") return undefined;
    throw new Error(`The state file ${path} cannot be read: ${messageOf(error)}`);
  });

/** Restores the file's world, and opens the accounts again that the file does not hold. */
const restoreFrom = (service: Stateful, path: string, text: string): void => {
  const before = service.accounts.map(({ key, credits }) => ({ key, credits }));
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

/** Number of the state files that this process has opened. */
let opened = 0;

/** Names a temporary file that no other server writes: two servers may save to the same file. */
const nameTemporary = (path: string): string => {
  opened += 1;
  return join(dirname(path), `.${basename(path)}.${process.pid}-${opened}.tmp`);
};

const isRunning = (processId: number): boolean => {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // The process is there, and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
};

/** Removes the temporary files of processes that were killed while they saved. */
const removeLeftovers = async (path: string): Promise<void> => {
  const start = `.${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    const rest = name.startsWith(start) ? name.slice(start.length) : "";
    const [, processId] = /^(\d+)-\d+\.tmp$/.exec(rest) ?? [];
    if (processId === undefined || isRunning(Number(processId))) continue;
    await unlink(join(dirname(path), name)).catch(() => {});
  }
};

/** Replaces the file in one step: a reader finds the old content or the new one, never a part. */
const replace = async (path: string, temporary: string, text: string): Promise<void> => {
  // "wx" follows no link. The mode hides the API keys.
  const file = await open(temporary, "wx", 0o600);
  try {
    await file.writeFile(text).then(() => file.sync());
    await file.close();
    await rename(temporary, path);
  } catch (error) {
    await file.close().catch(() => {});
    await unlink(temporary).catch(() => {});
    throw error;
  }
};

/** File that a service is kept in. */
export type StateFile = Awaited<ReturnType<typeof openStateFile>>;

/**
 * Loads the file into the service when there is one, and keeps the file up to date. One save runs
 * at a time; all changes that come meanwhile are in the next one.
 *
 * @throws Error when the file is no snapshot, or cannot be read; the file stays as it is
 */
export const openStateFile = async (
  given: string,
  service: Stateful,
  log: (line: string) => void = () => {},
) => {
  // The file behind a link: saving replaces that file and keeps the link.
  const path = await realpath(given).catch(() => resolve(given));
  const temporary = nameTemporary(path);
  // A killed process of the same id, as in a container, may have left a file of this name.
  await unlink(temporary).catch(() => {});
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  let saved: string | undefined;
  let background: NodeJS.Timeout | undefined;
  let failing = false;

  const write = async (): Promise<void> => {
    next = undefined;
    const snapshot = service.snapshot({ journal: false });
    // Without the time, which changes by itself.
    const content = JSON.stringify({ ...snapshot, at: 0 });
    if (content === saved) return;
    await replace(path, temporary, JSON.stringify(snapshot));
    saved = content;
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

  const save = async (): Promise<void> => {
    try {
      await saveNext();
      if (failing) log(`The state is saved again: ${path}`);
      failing = false;
    } catch (error) {
      failing = true;
      log(`The state could not be saved: ${messageOf(error)}`);
    }
  };

  const text = await read(path);
  if (text !== undefined) restoreFrom(service, path, text);

  return {
    /** Writes the file for the first time. @throws Error when it cannot be written */
    claim: async (): Promise<void> => {
      await removeLeftovers(path).catch(() => {});
      await saveOr(`The state file ${path} cannot be written`);
    },
    /** Resolves when all changes so far are saved, or when saving failed and the log says so. */
    save,
    /** Saves in the background, a moment later. */
    saveSoon: (): void => {
      background ??= setTimeout(() => {
        background = undefined;
        void save();
      }, saveSoonMs).unref();
    },
    /** Saves a last time. @throws Error when the file could not be written */
    close: async (): Promise<void> => {
      clearTimeout(background);
      await saveOr("The state could not be saved");
    },
  };
};
