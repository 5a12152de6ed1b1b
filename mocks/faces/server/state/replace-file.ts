import { access, constants, open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { messageOf } from "../log-line.ts";

/** Largest state file in bytes: about half a million jobs. A longer one takes minutes to read. */
const maxBytes = 256 * 1024 * 1024;

const inMiB = (bytes: number): string => `${Math.ceil(bytes / 1024 / 1024)} MiB`;

const requireReadable = (bytes: number): void => {
  if (bytes <= maxBytes) return;
  throw new Error(`it takes ${inMiB(bytes)}, more than the ${inMiB(maxBytes)} that the mock reads`);
};

/**
 * Finds the real place of a file, which need not exist: two names of one file are one place.
 * Saving then replaces the file behind a link, and keeps the link.
 */
export const placeOf = async (given: string, links = 40): Promise<string> => {
  const place = await realpath(given).catch(() => undefined);
  if (place !== undefined) return place;
  const folder = dirname(resolve(given));
  const target = links === 0 ? undefined : await readlink(given).catch(() => undefined);
  if (target !== undefined) return placeOf(resolve(folder, target), links - 1);
  return join(await realpath(folder).catch(() => folder), basename(given));
};

/**
 * Checks that there is a file which may be read and replaced, or none.
 *
 * @returns whether there is one
 * @throws Error that names the file, and says why not
 */
export const requireReplaceable = async (path: string): Promise<boolean> => {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return false;
  try {
    if (stats.isDirectory()) throw new Error("it is a folder");
    if (stats.isFIFO()) throw new Error("it is a pipe");
    if (!stats.isFile()) throw new Error(stats.isSocket() ? "it is a socket" : "it is a device");
    requireReadable(stats.size);
    await access(path, constants.R_OK);
  } catch (error) {
    throw new Error(`The state file ${path} cannot be read: ${messageOf(error)}`);
  }
  // The mode holds for the administrator too, who may write every file.
  const isProtected = (stats.mode & 0o222) === 0;
  const isDenied = await access(path, constants.W_OK).then(
    () => false,
    () => true,
  );
  if (!isProtected && !isDenied) return true;
  const whose = isProtected ? "" : " for this user";
  throw new Error(
    `The state file ${path} is read-only${whose} (mode ${(stats.mode & 0o777).toString(8)}), ` +
      "and it would be replaced: make it writable, or give the server a copy",
  );
};

/** Replaces the file in one step: a reader finds the old content or the new one, never a part. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
  requireReadable(Buffer.byteLength(text));
  await requireReplaceable(path);
  const next = `${path}.new`;
  // A killed process may have left one. "wx" follows no link, and the mode hides the API keys.
  await rm(next, { force: true });
  const file = await open(next, "wx", 0o600);
  try {
    await file.writeFile(text).then(() => file.sync());
    await file.close();
    await rename(next, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(next, { force: true }).catch(() => {});
    throw error;
  }
};
