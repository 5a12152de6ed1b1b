import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import { checksum } from "./lines.ts";

/** A process that has a journal open. */
export interface Owner {
  readonly pid: number;
  /** Time at which it began, in ticks since the boot, which tells a reused id; "0" beyond Linux. */
  readonly began: string;
  /** Checksum of machine, boot and container: elsewhere the same id is another process. */
  readonly place: string;
}

/** Reads what not every system has; empty without it. */
const readIfThere = (read: () => string): string => {
  try {
    return read().trim();
  } catch {
    return "";
  }
};

/** Fields of `/proc/…/stat` behind the program's name, which may hold spaces and brackets. */
const statFields = (pid: number): readonly string[] => {
  const text = readIfThere(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  return text === "" ? [] : text.slice(text.lastIndexOf(")") + 2).split(" ");
};

const beganAt = (pid: number): string => statFields(pid)[19] ?? "0";

/** Describes this process. */
export const thisProcess = (): Owner => {
  const place = [
    readIfThere(hostname),
    readIfThere(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
    readIfThere(() => readlinkSync("/proc/self/ns/pid")),
  ];
  return { pid: process.pid, began: beganAt(process.pid), place: checksum(place.join(" ")) };
};

const isRunning = (pid: number): boolean => {
  if (statFields(pid)[0] === "Z") return false;
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Any other refusal is about rights: the process is there, and belongs to another user.
    return (error as { code?: unknown }).code !== "ESRCH";
  }
};

/** Tells whether an owner still runs; `undefined` when this process cannot see that. */
export const ownerRuns = ({ pid, began, place }: Owner): boolean | undefined => {
  const me = thisProcess();
  if (place !== me.place) return undefined;
  if (pid === me.pid && began === me.began) return true;
  if (!isRunning(pid)) return false;
  return began === "0" ? undefined : beganAt(pid) === began;
};

/** Names an owner in a message. */
export const describeOwner = ({ pid, place }: Owner): string => {
  const me = thisProcess();
  if (place !== me.place) return `process ${pid} of another machine or container`;
  return pid === me.pid ? `this process (${pid})` : `process ${pid}`;
};
