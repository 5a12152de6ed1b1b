import { randomBytes } from "node:crypto";
import { open, readdir, readFile, realpath, rename, unlink } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { MockService } from "../../service/mock-service.ts";
import type { MockSnapshot } from "../../world/snapshot.ts";

/** Keeps a service in a file. */
export interface StateFile {
  /** Writes it for the first time. @throws Error when it cannot be written */
  claim(): Promise<void>;
  /** Resolves when the file holds all that has happened so far, or when that failed and was told. */
  save(): Promise<void>;
  /** The same, in the background and at leisure. */
  saveSoon(): void;
  /** Saves a last time. @throws Error when the file could not be written */
  close(): Promise<void>;
}

type Stateful = Pick<MockService, "snapshot" | "restore" | "accounts" | "addAccount">;

const codeOf = (error: unknown): unknown =>
  error instanceof Error && "code" in error ? error.code : undefined;

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** A link stays one: what it points to is replaced. */
const targetOf = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch {
    return resolve(path);
  }
};

/** The file's content; `undefined` when there is none yet. */
const load = async (path: string): Promise<MockSnapshot | undefined> => {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw new Error(`The state file ${path} cannot be read: ${messageOf(error)}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`The state file ${path} is not JSON; it was left as it is`);
  }
};

/** The file's world takes the place of the new one; accounts that it does not know stay. */
const restoreFrom = (service: Stateful, path: string, snapshot: MockSnapshot): void => {
  const asked = service.accounts.map(({ key, credits }) => ({ key, credits }));
  try {
    service.restore(snapshot);
  } catch (error) {
    const reason = messageOf(error);
    throw new Error(`The state file ${path} is no snapshot; it was left as it is: ${reason}`);
  }
  const known = new Set(service.accounts.map(({ key }) => key));
  for (const { key, credits } of asked) {
    if (!known.has(key)) service.addAccount(key, { credits });
  }
};

const isRunning = (processId: number): boolean => {
  try {
    process.kill(processId, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
};

/** What processes have left that were killed while they wrote. */
const removeLeftovers = async (path: string): Promise<void> => {
  const start = `.${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    const [, processId] =
      /^(\d+)\.[\da-f]+\.tmp$/.exec(name.startsWith(start) ? name.slice(start.length) : "") ?? [];
    if (processId !== undefined && !isRunning(Number(processId))) {
      await unlink(join(dirname(path), name)).catch(() => {});
    }
  }
};

/** Whoever reads the file sees the old content or the new one, never a part of it. */
const replace = async (path: string, text: string): Promise<void> => {
  // A name that nobody else has or can guess: not even a link is there to be followed.
  const unique = `${process.pid}.${randomBytes(6).toString("hex")}`;
  const temporary = join(dirname(path), `.${basename(path)}.${unique}.tmp`);
  // API keys are in it: nobody else is to read them.
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

/** The background takes at most so great a part of the time, and leaves the rest to requests. */
const restShare = 4;

/**
 * Loads the file into the service when there is one, and keeps it up to date from then on. At
 * most one save runs; what happens meanwhile is in the next, however many wait for that.
 *
 * @throws Error when the file is no snapshot, or cannot be read; it is as it was then
 */
export const openStateFile = async (
  given: string,
  service: Stateful,
  log: (line: string) => void = () => {},
): Promise<StateFile> => {
  const path = await targetOf(given);
  let running: Promise<unknown> = Promise.resolve();
  let next: Promise<void> | undefined;
  let saved: string | undefined;
  let background: NodeJS.Timeout | undefined;
  let lastTookMs = 0;
  let failing = false;

  /** Time goes by without anything happening: alone, it is no reason to write. */
  const write = async (): Promise<void> => {
    const snapshot = service.snapshot({ journal: false });
    const content = JSON.stringify({ ...snapshot, at: 0 });
    if (content === saved) return;
    await replace(path, JSON.stringify(snapshot));
    saved = content;
  };

  const begin = async (): Promise<void> => {
    next = undefined;
    const startedAt = performance.now();
    running = write();
    try {
      await running;
    } finally {
      lastTookMs = performance.now() - startedAt;
    }
  };

  const saveOrThrow = (): Promise<void> => {
    next ??= running.catch(() => {}).then(begin);
    return next;
  };

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
      try {
        await removeLeftovers(path);
        await saveOrThrow();
      } catch (error) {
        throw new Error(`The state file ${path} cannot be written: ${messageOf(error)}`);
      }
    },
    save,
    saveSoon: () => {
      background ??= setTimeout(() => {
        background = undefined;
        void save();
      }, lastTookMs * restShare).unref();
    },
    close: async () => {
      clearTimeout(background);
      try {
        await saveOrThrow();
      } catch (error) {
        throw new Error(`The state could not be saved: ${messageOf(error)}`);
      }
    },
  };
};
