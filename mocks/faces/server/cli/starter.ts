import { execFileSync } from "node:child_process";
import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { isRunning, readProcess } from "../../../../src/lock/read-process.ts";

/** A process that started another one. */
interface Ancestor {
  readonly pid: number;
  readonly name: string;
  readonly parent: number;
}

/** Programs that only pass a command on: the process above them is the one that wanted it. */
const shells = new Set(["sh", "bash", "dash", "ash", "zsh", "ksh", "fish", "busybox"]);

/** Milliseconds between two looks at the process that started this one. */
const lookEveryMs = 500;

/** Reads a process with the program `ps`, on systems without `/proc`. */
const readByPs = (pid: number): { parent: number; group: number; name: string } | undefined => {
  try {
    const args = ["-o", "ppid=,pgid=,comm=", "-p", String(pid)];
    const text = execFileSync("ps", args, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    const [, parent, group, path = ""] = /^\s*(\d+)\s+(\d+)\s+(.*?)\s*$/.exec(text) ?? [];
    const name = path.slice(path.lastIndexOf("/") + 1).replace(/^-/, "");
    return parent === undefined
      ? undefined
      : { parent: Number(parent), group: Number(group), name };
  } catch {
    return undefined;
  }
};

const read = (pid: number) => readProcess(pid) ?? readByPs(pid);

/** Tells whether a shell runs a process. A script with a first line "#!" has its own name. */
const isShell = ({ pid, name }: Pick<Ancestor, "pid" | "name">): boolean => {
  if (shells.has(name)) return true;
  try {
    return shells.has(basename(readlinkSync(`/proc/${pid}/exe`)));
  } catch {
    return false;
  }
};

/** Lists the processes from this one's parent up to the first that is no shell. */
const ancestorsOf = (parent: number): Ancestor[] => {
  const ancestors: Ancestor[] = [];
  for (let pid = parent; pid > 1; ) {
    const facts = read(pid);
    if (facts === undefined) return [];
    const ancestor = { pid, name: facts.name, parent: facts.parent };
    ancestors.push(ancestor);
    if (!isShell(ancestor)) return ancestors;
    pid = facts.parent;
  }
  // Only shells, which leave their commands in the background on purpose.
  return [];
};

/** Tells whether a process still has the parent that it had; its death gives it another one. */
const hasParent = ({ pid, parent }: Ancestor): boolean => {
  const facts = readProcess(pid);
  return facts === undefined ? isRunning(pid) && isRunning(parent) : facts.parent === parent;
};

/**
 * Finds the process that started this one, when a package manager did: npm, npx, pnpm and others.
 * A signal to npx ends npx and its shell, and nothing tells their command. A process that leads
 * its own group was detached on purpose.
 *
 * @param env - Environment of this process: package managers name themselves there
 * @returns function that tells whether that process is still there; `undefined` without one
 */
export const findStarter = (
  env: Readonly<Record<string, string | undefined>>,
): (() => boolean) | undefined => {
  if (env["npm_config_user_agent"] === undefined || process.platform === "win32") return undefined;
  const { pid, ppid } = process;
  if (read(pid)?.group === pid) return undefined;
  const ancestors = ancestorsOf(ppid);
  if (ancestors.length === 0) return undefined;
  // The shell that the package manager has started. Scripts of that shell may end before it, and
  // leave this process in the background.
  const command = ancestors.at(-2);
  return () => (command === undefined ? process.ppid === ppid : hasParent(command));
};

/** Waits until a process is no longer there. */
export const waitForEnd = (isThere: () => boolean): Promise<void> =>
  new Promise((resolve) => {
    const looking = setInterval(() => {
      if (isThere()) return;
      clearInterval(looking);
      resolve();
    }, lookEveryMs).unref();
  });
