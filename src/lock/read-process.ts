import { readFileSync } from "node:fs";
import process from "node:process";

/** A process, as Linux shows it. */
export interface ProcessFacts {
  /** Name of its program. */
  readonly name: string;
  /** One letter; "Z" for a process that has ended, and whose parent has not noticed. */
  readonly state: string;
  readonly parent: number;
  /** Id of the process that leads its group. */
  readonly group: number;
  /** Time at which it began, in ticks since the boot. */
  readonly began: string;
}

/** Reads a process; `undefined` when there is none of this id, and on systems without `/proc`. */
export const readProcess = (pid: number): ProcessFacts | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name stands in brackets, and may hold spaces and brackets.
    const [opens, closes] = [text.indexOf("("), text.lastIndexOf(")")];
    const fields = text.slice(closes + 2).split(" ");
    const [state = "", parent, group] = fields;
    const began = fields[19] ?? "";
    const name = text.slice(opens + 1, closes);
    return { name, state, parent: Number(parent), group: Number(group), began };
  } catch {
    return undefined;
  }
};

/** Tells whether a process of this machine runs. */
export const isRunning = (pid: number): boolean => {
  if (readProcess(pid)?.state === "Z") return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Any other refusal is about rights: the process is there, and belongs to another user.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
};
