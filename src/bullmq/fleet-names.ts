import type { ConnectionOptions } from "bullmq";
import { describeValue } from "../errors/text.ts";
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
  if (name.endsWith("-looks")) {
    const other = describeValue(name.slice(0, -6));
    refuseOption(`name must not end in "-looks": it would share a queue with the fleet ${other}`);
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

/** Longer than BullMQ waits for a job in one command. */
const silenceMs = 30_000;

const isClient = (connection: ConnectionOptions): boolean => "duplicate" in connection;

/**
 * Ends a connection whose answer stays out, as after a balancer has dropped it in silence: another
 * one takes its place. A client of the caller's stays as it is.
 */
export const wakefulConnection = (connection: ConnectionOptions): ConnectionOptions =>
  isClient(connection) ? connection : { socketTimeout: silenceMs, ...connection };

/** Gives the connection of a queue or worker up, where Redis does not answer. */
export const disconnect = (part: { disconnect(): Promise<unknown> }): void => {
  // It waits for the end of the connection, which nobody needs.
  part.disconnect().catch(() => {});
};

/** Makes commands wait for as long as Redis is down; a client of the caller's stays as it is. */
export const patientConnection = (connection: ConnectionOptions): ConnectionOptions =>
  isClient(connection)
    ? connection
    : { ...wakefulConnection(connection), maxRetriesPerRequest: null };
