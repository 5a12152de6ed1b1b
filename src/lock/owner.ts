import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import process from "node:process";
import { checksum } from "./checksum.ts";
import { isRunning, readProcess } from "./read-process.ts";

/** A process that has a file open. */
export interface Owner {
  readonly pid: number;
  /** Time at which it began, in ticks since the boot, which tells a reused id; "0" beyond Linux. */
  readonly began: string;
  /** Checksum of machine, boot and container: elsewhere the same id is another process. */
  readonly place: string;
}

/** Reads what not every system has, and not every sandbox shows; empty without it. */
const readIfThere = (read: () => string): string => {
  try {
    return read().trim();
  } catch {
    return "";
  }
};

/** Reads the name of this machine or container. */
export const hostName = (): string => readIfThere(hostname);

const checksumOfPlace = (host: string, boot: string, container: string): string =>
  checksum(`${host} ${boot} ${container}`);

const nowhere = checksumOfPlace("", "", "");

const beganAt = (pid: number): string => readProcess(pid)?.began ?? "0";

/** Describes this process. */
export const thisProcess = (): Owner => ({
  pid: process.pid,
  began: beganAt(process.pid),
  place: checksumOfPlace(
    hostName(),
    readIfThere(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8")),
    readIfThere(() => readlinkSync("/proc/self/ns/pid")),
  ),
});

/** Tells whether an owner still runs; `undefined` when this process cannot see that. */
export const ownerRuns = ({ pid, began, place }: Owner): boolean | undefined => {
  if (place !== thisProcess().place || place === nowhere) return undefined;
  if (!isRunning(pid)) return false;
  return began === "0" ? undefined : beganAt(pid) === began;
};
