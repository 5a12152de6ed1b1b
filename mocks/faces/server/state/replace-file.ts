import { access, constants, open, readlink, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";

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
 * Checks that there is a file which may be replaced, or none.
 *
 * @returns whether there is one
 * @throws Error that names the file, and says why not
 */
export const requireReplaceable = async (path: string): Promise<boolean> => {
  const stats = await stat(path).catch(() => undefined);
  if (stats === undefined) return false;
  if (!stats.isFile()) throw new Error(`The state file ${path} is a folder, a pipe or a device`);
  // The mode holds for the administrator too, who may write every file.
  const isProtected = (stats.mode & 0o222) === 0;
  const isDenied = await access(path, constants.W_OK).then(
    () => false,
    () => true,
  );
  if (!isProtected && !isDenied) return true;
  throw new Error(
    `The state file ${path} is read-only (mode ${(stats.mode & 0o777).toString(8)}), ` +
      "and it would be replaced: make it writable, or give the server a copy",
  );
};

/** Replaces the file in one step: a reader finds the old content or the new one, never a part. */
export const replaceFile = async (path: string, text: string): Promise<void> => {
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
