import { open, readdir, readFile, realpath, rename, unlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { MockService } from "../../service/mock-service.ts";
import type { MockSnapshot } from "../../world/snapshot.ts";

/** Keeps a service in a file. */
export interface StateFile {
  /** Writes the file for the first time. @throws Error when it cannot be written */
  claim(): Promise<void>;
  /** Resolves when all changes so far are saved, or when saving failed and the log says so. */
  save(): Promise<void>;
  /** Saves in the background, a moment later. */
  saveSoon(): void;
  /** Saves a last time. @throws Error when the file could not be written */
  close(): Promise<void>;
}

type Stateful = Pick<MockService, "snapshot" | "restore" | "accounts" | "addAccount">;

/** Milliseconds until a background save, which takes up all changes of that time. */
const saveSoonMs = 250;

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** Finds the file behind a link: saving replaces that file and keeps the link. */
const targetOf = (path: string): Promise<string> => realpath(path).catch(() => resolve(path));

/** Reads the file; `undefined` when there is none. */
const load = async (path: string): Promise<MockSnapshot | undefined> => {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw new Error(`The state file ${path} cannot be read: ${messageOf(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The state file ${path} is not JSON; it was left as it is`);
  }
};

/** Restores the file's world, and opens the accounts again that the file does not hold. */
const restoreFrom = (service: Stateful, path: string, snapshot: MockSnapshot): void => {
  const before = service.accounts.map(({ key, credits }) => ({ key, credits }));
  try {
    service.restore(snapshot);
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(`The state file ${path} is no snapshot; it was left as it is: ${reason}`);
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
    return hasCode(error, "EPERM");
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
): Promise<StateFile> => {
  const path = await targetOf(given);
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

  const saveOrThrow = (): Promise<void> => {
    next ??= running
      .catch(() => {})
      .then(() => {
        running = write();
        return running;
      });
    return next;
  };

  const saveOr = (message: string): Promise<void> =>
    saveOrThrow().catch((error) => {
      throw new Error(`${message}: ${messageOf(error)}`);
    });

  const save = async (): Promise<void> => {
    try {
      await saveOrThrow();
      if (failing) log(`The state is saved again: ${path}`);
      failing = false;
    } catch (error) {
      failing = true;
      log(`The state could not be saved: ${messageOf(error)}`);
    }
  };

  const snapshot = await load(path);
  if (snapshot !== undefined) restoreFrom(service, path, snapshot);

  return {
    claim: async () => {
      await removeLeftovers(path).catch(() => {});
      await saveOr(`The state file ${path} cannot be written`);
    },
    save,
    saveSoon: () => {
      background ??= setTimeout(() => {
        background = undefined;
        void save();
      }, saveSoonMs).unref();
    },
    close: async () => {
      clearTimeout(background);
      await saveOr("The state could not be saved");
    },
  };
};
