import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { isRunning, readProcess } from "../read-process.ts";

/** The process that holds a lock, as its lock file names it. */
export interface Owner {
  /** Another one for each lock that was ever taken. */
  readonly token: string;
  readonly pid: number;
  /** Machine, boot and space of process ids: elsewhere the same id is another process. */
  readonly place: string;
  /** Time at which the process began, which tells a reused id; Linux only. */
  readonly began?: string | undefined;
  /** Address of its server, once it listens. */
  readonly url?: string | undefined;
}

/** Reads what not every system has, and not every sandbox shows; empty without it. */
const readIfThere = (read: () => string): string => {
  try {
    return read().trim();
  } catch {
    return "";
  }
};

/** Names the machine, its boot and its container; blank where a sandbox hides all of them. */
const readPlace = (): string =>
  [
    readIfThere(hostname),
    readIfThere(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
    readIfThere(() => readlinkSync("/proc/self/ns/pid")),
  ].join(" ");

/** Describes this process, as the owner of a new lock. */
export const createOwner = (): Owner => ({
  token: randomBytes(6).toString("hex"),
  pid: process.pid,
  place: readPlace(),
  began: readProcess(process.pid)?.began,
});

/** Reads an owner from the text of a lock file; `undefined` for any other text. */
export const parseOwner = (text: string): Owner | undefined => {
  try {
    const { token, pid, place, began, url } = JSON.parse(text);
    const isOwner = /^\w+$/.test(token) && Number.isInteger(pid) && typeof place === "string";
    return isOwner ? { token, pid, place, began, url } : undefined;
  } catch {
    return undefined;
  }
};

/** Tells whether an owner still runs; `undefined` when this process cannot see that. */
export const ownerRuns = ({ pid, place, began }: Owner): boolean | undefined => {
  if (place !== readPlace() || place.trim() === "") return undefined;
  if (!isRunning(pid)) return false;
  return began === undefined ? undefined : readProcess(pid)?.began === began;
};
