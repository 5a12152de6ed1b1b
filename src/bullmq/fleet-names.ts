import type { ConnectionOptions } from "bullmq";
import { type Refuse, type Rule, refuseOption } from "../options/rules.ts";

/** Names in Redis that all parts of a fleet share. */
export interface FleetNames {
  /** BullMQ's prefix of all keys. */
  readonly prefix: string;
  /** Queue of the submissions. */
  readonly submissions: string;
  /** Queue of the looks at submitted jobs. */
  readonly looks: string;
  /** Makes the key of something that the fleet keeps besides. */
  readonly key: (what: string) => string;
}

/** Names the queues and keys of a fleet. */
export const nameFleet = (name = "adgen", prefix = "bull"): FleetNames => {
  if (name.trim() === "" || name.includes(":")) {
    refuseOption("name must be text without a colon, because it becomes the name of BullMQ queues");
  }
  return {
    prefix,
    submissions: name,
    looks: `${name}-looks`,
    key: (what) => `${prefix}:${name}-records:${what}`,
  };
};

/** Allows what BullMQ takes as a connection: options, or a client of its own. */
export const connectionRule: Rule<ConnectionOptions> = (value, name, refuse: Refuse) =>
  typeof value === "object" && value !== null
    ? (value as ConnectionOptions)
    : refuse(`${name} must be what BullMQ connects by: { host, port }, { url } or a Redis client`);

/** Refuses to work without a connection. */
export const requireConnection = (
  owner: string,
  connection: ConnectionOptions | undefined,
): ConnectionOptions =>
  connection ??
  refuseOption(`${owner} needs a connection: { host, port }, { url } or a Redis client`);

/** Makes commands wait for as long as Redis is down; a client of the caller's stays as it is. */
export const patientConnection = (connection: ConnectionOptions): ConnectionOptions =>
  "duplicate" in connection ? connection : { ...connection, maxRetriesPerRequest: null };
