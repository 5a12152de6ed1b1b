import { constants, type Stats } from "node:fs";
import {
  type FileHandle,
  open,
  readdir,
  readlink,
  realpath,
  rename,
  stat,
  unlink,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isRunning } from "../../../../src/lock/read-process.ts";
import { messageOf } from "../log-line.ts";

/** Largest state file in bytes: about half a million jobs. A longer one takes minutes to read. */
export const maxStateBytes = 256 * 1024 * 1024;

/** Says that a state is too large to be read again. */
export const tooLarge = (bytes: number): string => {
  const inMiB = (size: number): number => Math.ceil(size / 1024 / 1024);
  return `it takes ${inMiB(bytes)} MiB, more than the ${inMiB(maxStateBytes)} MiB that the mock reads`;
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOENT";

/**
 * Finds the real place of a file, which need not exist: two names of one file are one place.
 * Saving then replaces the file behind a link, and keeps the link.
 */
export const placeOf = async (given: string, links = 40): Promise<string> => {
  try {
    return await realpath(given);
  } catch (error) {
    if (!isMissing(error)) return resolve(given);
  }
  const folder = dirname(resolve(given));
  const target = links === 0 ? undefined : await readlink(given).catch(() => undefined);
  if (target !== undefined) return placeOf(resolve(folder, target), links - 1);
  return join(await realpath(folder).catch(() => folder), basename(given));
};

const kindOf = (stats: Stats): string => {
  if (stats.isDirectory()) return "a folder";
  if (stats.isFIFO()) return "a pipe";
  return stats.isSocket() ? "a socket" : "a device";
};

/**
 * Checks that there is a file which may be replaced, or none.
 *
 * @throws Error that names the file, and says why not
 */
export const requireReplaceable = async (path: string): Promise<void> => {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return;
  if (!stats.isFile()) {
    throw new Error(`The state file ${path} cannot be read: it is ${kindOf(stats)}`);
  }
  // The mode holds for the administrator too, who may write every file.
  const isProtected = (stats.mode & 0o222) === 0;
  const isDenied = await open(path, "r+")
    .then((file) => file.close())
    .then(
      () => false,
      () => true,
    );
  if (!isProtected && !isDenied) return;
  const mode = (stats.mode & 0o777).toString(8);
  const whose = isProtected ? "" : " for this user";
  const remedy = "make it writable, or give the server a copy";
  throw new Error(
    `The state file ${path} is read-only${whose} (mode ${mode}), and it would be replaced: ${remedy}`,
  );
};

const readWhole = async (file: FileHandle): Promise<string> => {
  const stats = await file.stat();
  if (!stats.isFile()) throw new Error(`it is ${kindOf(stats)}`);
  if (stats.size > maxStateBytes) throw new Error(tooLarge(stats.size));
  return file.readFile("utf8");
};

/** Reads the file; `undefined` when there is none. @throws Error that names the file */
export const readState = async (path: string): Promise<string | undefined> => {
  try {
    // Opening a pipe would wait for its writer.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    return await readWhole(file).finally(() => file.close());
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new Error(`The state file ${path} cannot be read: ${messageOf(error)}`);
  }
};

/** Number of the state files that this process has opened. */
let opened = 0;

/** Names a temporary file beside the file, for one server alone. */
export const nameTemporary = (path: string): string => {
  opened += 1;
  return join(dirname(path), `.${basename(path)}.${process.pid}-${opened}.tmp`);
};

/** Removes the temporary files of processes that were killed while they saved. */
export const removeLeftovers = async (path: string): Promise<void> => {
  const start = `.${basename(path)}.`;
  for (const name of await readdir(dirname(path))) {
    const rest = name.startsWith(start) ? name.slice(start.length) : "";
    const [, processId] = /^(\d+)-\d+\.tmp$/.exec(rest) ?? [];
    if (processId === undefined || isRunning(Number(processId))) continue;
    await unlink(join(dirname(path), name)).catch(() => {});
  }
};

/** Replaces the file in one step: a reader finds the old content or the new one, never a part. */
export const replaceState = async (
  path: string,
  temporary: string,
  text: string,
): Promise<void> => {
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
