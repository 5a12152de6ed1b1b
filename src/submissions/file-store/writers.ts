import { readFileSync, readlinkSync } from "node:fs";
import process from "node:process";

interface MaybeDeno {
  readonly Deno?: {
    readonly permissions: {
      querySync(of: { name: "read"; path: string }): { readonly state: string };
    };
  };
}

/**
 * Reads a file below `/proc`. It throws on systems other than Linux. It also throws where Deno
 * would ask its user for a permission, because the store works without it.
 */
export const readProc = (path: string): string => {
  const { Deno } = globalThis as MaybeDeno;
  const state = Deno?.permissions.querySync({ name: "read", path }).state;
  if (state !== undefined && state !== "granted") throw new Error(`Deno may not read ${path}`);
  return readFileSync(path, "utf8");
};

const readProcess = (pid: number) => {
  const text = readProc(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets, and can contain spaces and brackets.
  const [state, ...fields] = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { isZombie: state === "Z", startedAt: fields[18] ?? "" };
};

/**
 * Names this process by its id and start time, and by the boot and the namespaces within which
 * these are unique. Returns `undefined` on systems other than Linux.
 */
export const nameThisProcess = (): string | undefined => {
  try {
    const boot = readProc("/proc/sys/kernel/random/boot_id").trim();
    const namespaces = ["pid", "time"].map((name) => readlinkSync(`/proc/self/ns/${name}`));
    return [process.pid, readProcess(process.pid).startedAt, boot, ...namespaces].join(" ");
  } catch {
    return undefined;
  }
};

/**
 * Returns whether the named process has certainly ended. A process in another container or on
 * another machine can share the file but cannot be seen from here, so it never counts as ended.
 *
 * @param own - Name of this process
 */
export const hasEnded = (name: string, own: string): boolean => {
  const [pid, startedAt, ...place] = name.split(" ");
  if (place.join(" ") !== own.split(" ").slice(2).join(" ")) return false;
  try {
    process.kill(Number(pid), 0);
    const there = readProcess(Number(pid));
    return there.isZombie || there.startedAt !== startedAt;
  } catch (error) {
    // Other failures concern permissions: the process runs, and belongs to another user.
    return error instanceof Error && "code" in error && error.code === "ESRCH";
  }
};
