import { isObject } from "../../client/options/rules.ts";

/** Sends one command, in lower case, to Redis, and resolves with the reply. */
export type SendToRedis = (command: string, ...words: string[]) => Promise<unknown>;

/** The settings with which Redis loses no record. */
const wanted: Readonly<Record<string, string>> = {
  appendonly: "yes",
  appendfsync: "always",
  "maxmemory-policy": "noeviction",
};

const advice =
  "set `appendonly yes`, `appendfsync always` and `maxmemory-policy noeviction`, or Redis may " +
  "forget the record of a submission that was already paid";

/** Matches replies in which Redis refuses a command. Other failures concern the connection. */
const refusals = /\bERR\b|\bNOPERM\b|unknown command/u;

/** Reads one setting. It is `undefined` where Redis refuses to show it, or does not know it. */
const readSetting = async (send: SendToRedis, name: string): Promise<string | undefined> => {
  try {
    const answer = await send("config", "GET", name);
    // The reply is a list of name and value, or an object in version 3 of Redis' protocol.
    const found = Array.isArray(answer) ? answer[1] : isObject(answer) && answer[name];
    return typeof found === "string" ? found : undefined;
  } catch (error) {
    if (refusals.test(error instanceof Error ? error.message : String(error))) return undefined;
    throw error;
  }
};

/**
 * Returns what is wrong with the durability settings of Redis, or `undefined` if nothing is wrong.
 * It rejects when the connection fails.
 */
export const findDurabilityProblem = async (send: SendToRedis): Promise<string | undefined> => {
  // The commands leave together, because a short program may close the connection next.
  const settings = await Promise.all(
    Object.entries(wanted).map(async ([name, value]) => {
      const found = await readSetting(send, name);
      return { name, value, found };
    }),
  );
  if (settings.some(({ found }) => found === undefined)) {
    return `adgen-sdk: this Redis does not show its durability settings; ${advice}`;
  }
  const wrong = settings.filter(({ value, found }) => found !== value);
  if (wrong.length === 0) return undefined;
  const words = wrong.map(({ name, found }) => `${name} ${found}`).join(", ");
  return `adgen-sdk: Redis has ${words}; ${advice}`;
};
