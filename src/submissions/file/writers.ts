import { readFileSync, readlinkSync } from "node:fs";
import process from "node:process";

const readProcess = (pid: number) => {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The program's name stands in brackets, and may hold spaces and brackets.
  const [state, ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { isZombie: state === "Z", startedAt: fields[18] ?? "" };
};

/**
 * Names this process by its id and start time, and by where these are unique: the boot, and the
 * namespaces of ids and of time. `undefined` on systems other than Linux.
 */
export const nameThisProcess = (): string | undefined => {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    const namespaces = ["pid", "time"].map((name) => readlinkSync(`/proc/self/ns/${name}`));
    return [process.pid, readProcess(process.pid).startedAt, boot, ...namespaces].join(" ");
  } catch {
    return undefined;
  }
};

/**
 * Whether the process of a name has ended, as `own` can tell for sure. A process of another
 * container or machine may share the file, cannot be seen from here, and never counts as ended.
 */
export const hasEnded = (name: string, own: string): boolean => {
  const [pid, startedAt, ...place] = name.split(" ");
  if (place.join(" ") !== own.split(" ").slice(2).join(" ")) return false;
  try {
    process.kill(Number(pid), 0);
    const there = readProcess(Number(pid));
    return there.isZombie || there.startedAt !== startedAt;
  } catch (error) {
    // Any other failure is about rights: the process is there, and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
};
