import { writeFile } from "node:fs/promises";
import { messageOf } from "../log-line.ts";

/**
 * Takes the lock of a state file, an SQLite database beside it. The system releases the lock of a
 * process that was killed. The file stays: removing it could leave two servers with a lock each.
 *
 * @returns the function that releases it
 */
export const lockFile = async (path: string): Promise<() => void> => {
  try {
    const { DatabaseSync } = await import("node:sqlite");
    await writeFile(`${path}.lock`, "", { flag: "wx", mode: 0o600 }).catch((error) => {
      if (error.code !== "EEXIST") throw error;
    });
    const lock = new DatabaseSync(`${path}.lock`);
    try {
      lock.exec("PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
      return () => lock.close();
    } catch (error) {
      lock.close();
      throw error;
    }
  } catch (error) {
    const why = messageOf(error);
    const words = why.includes("is locked")
      ? "is in use by another server: stop that one, or give this one a file of its own"
      : `cannot be written: ${why}`;
    throw new Error(`The state file ${path} ${words}`);
  }
};
