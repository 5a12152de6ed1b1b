import { open, realpath, stat } from "node:fs/promises";

/** Gives the path without links, so that two names of a file have one lock. */
export const pathWithoutLinks = async (path: string): Promise<string> => {
  try {
    return await realpath(path);
  } catch {
    // There is no file yet. A link to it does not tell its place before it is there.
    const created = await open(path, "a", 0o600);
    await created.close();
    return realpath(path);
  }
};

/** Refuses what two processes could write without seeing each other's lock, and what is no file. */
export const requireOneName = async (path: string): Promise<void> => {
  const found = await stat(path);
  if (!found.isFile()) throw new Error(`${path} is no file: give the path of one`);
  if (found.nlink > 1) {
    throw new Error(
      `The file ${path} has ${found.nlink} names (hard links), and each may have a writer: ` +
        "remove the other names",
    );
  }
};
