import { isObject } from "./options/rules.ts";

/** A function that sends one command to Redis. */
type Send = (command: string, ...args: string[]) => Promise<unknown>;

const advice =
  "set `appendonly yes`, `appendfsync always` and `maxmemory-policy noeviction`, or Redis may " +
  "forget the record of a submission that was already paid";

/** Reads a setting of Redis; `undefined` where it cannot be read. */
const readSetting = async (send: Send, name: string): Promise<string | undefined> => {
  try {
    const answer = await send("CONFIG", "GET", name);
    // A list of name and value, or an object by version 3 of Redis' protocol.
    const value = Array.isArray(answer) ? answer[1] : isObject(answer) ? answer[name] : undefined;
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Says what is wrong with how Redis keeps what it was told; `undefined` where nothing is. */
export const findDurabilityProblem = async (send: Send): Promise<string | undefined> => {
  const appendOnly = await readSetting(send, "appendonly");
  const sync = await readSetting(send, "appendfsync");
  const policy = await readSetting(send, "maxmemory-policy");
  if (appendOnly === undefined || sync === undefined || policy === undefined) {
    return `adgen-sdk: this Redis does not tell how it keeps what it was told; ${advice}`;
  }
  const isKept = policy === "noeviction";
  if (appendOnly === "yes" && sync === "always" && isKept) return undefined;
  const eviction = isKept ? "" : `, maxmemory-policy ${policy}`;
  return `adgen-sdk: Redis has appendonly ${appendOnly}, appendfsync ${sync}${eviction}; ${advice}`;
};
