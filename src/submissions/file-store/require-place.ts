import { realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readProc } from "./writers.ts";

/**
 * Returns whether a file is mounted by itself. Its folder, in which SQLite keeps its log, may then
 * be lost with the container.
 */
const isMountPoint = (file: string): boolean => {
  let mounts: string;
  try {
    mounts = readProc("/proc/self/mountinfo");
  } catch {
    return statSync(file).dev !== statSync(dirname(file)).dev;
  }
  return mounts.split("\n").some((line) => {
    const point = line.split(" ")[4] ?? "";
    return (
      point.replace(/\\([0-7]{3})/gu, (_, octal) => String.fromCharCode(+`0o${octal}`)) === file
    );
  });
};

/**
 * Creates the file of a store for its owner alone if it does not exist, and refuses a file that
 * SQLite could not keep safe.
 */
export const requirePlace = (path: string): void => {
  const there = statSync(path, { throwIfNoEntry: false });
  // Another process may create the file in this moment. Appending leaves its content as it is.
  if (there === undefined) writeFileSync(path, "", { flag: "a", mode: 0o600 });
  else if (there.isDirectory()) {
    throw new Error(
      "it is a folder: give the path of a file in it. " +
        "(Docker makes a folder where the file of a mount does not exist: mount its folder)",
    );
  } else if (!there.isFile()) throw new Error("it is not a regular file: give another path");
  else if (there.nlink > 1) {
    throw new Error(
      `the file has ${there.nlink} names (hard links), and SQLite's log belongs to one of them: ` +
        "remove the other names, or give the path of a copy",
    );
  }
  if (isMountPoint(realpathSync(path))) {
    throw new Error(
      "the file is mounted by itself, so what SQLite writes beside it may be lost with the " +
        "container: mount its folder instead",
    );
  }
};
