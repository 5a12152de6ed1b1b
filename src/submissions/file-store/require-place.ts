import { realpathSync, statSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { readProc } from "./read-proc.ts";

/** Whether a file is mounted by itself: then its folder, and SQLite's log in it, may not last. */
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
 * Creates the file of a store where there is none, for its owner alone, and refuses a file that
 * SQLite could not keep safe.
 */
export const requirePlace = (path: string): void => {
  const there = statSync(path, { throwIfNoEntry: false });
  // Another process may create it in this moment: appending leaves what that has written.
  if (there === undefined) writeFileSync(path, "", { flag: "a", mode: 0o600 });
  else if (there.isDirectory()) {
    throw new Error(
      "it is a folder: give the path of a file in it. " +
        "(Docker makes a folder where the file of a mount does not exist: mount its folder)",
    );
  } else if (!there.isFile()) throw new Error("it is no regular file: give another path");
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
