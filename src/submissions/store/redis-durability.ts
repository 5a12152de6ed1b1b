import { isObject } from "../../client/options/rules.ts";

/** Sends one command, in lower case, to Redis, and resolves with the reply. */
export type SendToRedis = (command: string, ...words: string[]) => Promise<unknown>;

/** Settings with which Redis loses no record. */
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

/** Reads one setting; `undefined` where Redis refuses to tell it, or does not know it. */
const readSetting = async (send: SendToRedis, name: string): Promise<string | undefined> => {
  try {
    const answer = await send("config", "GET", name);
    // A list of name and value, or an object by version 3 of Redis' protocol.
    const found = Array.isArray(answer) ? answer[1] : isObject(answer) && answer[name];
    return typeof found === "string" ? found : undefined;
  } catch (error) {
    if (refusals.test(error instanceof Error ? error.message : String(error))) return undefined;
    throw error;
  }
};

/**
 * Returns what is wrong with the settings by which Redis keeps what it was told, or `undefined`
 * where nothing is. It rejects when the connection fails.
 */
export const findDurabilityProblem = async (send: SendToRedis): Promise<string | undefined> => {
  // All at once: in a short program, the command that closes the connection may come next.
  const settings = await Promise.all(
    Object.entries(wanted).map(async ([name, value]) => {
      const found = await readSetting(send, name);
      return { name, value, found };
    }),
  );
  if (settings.some(({ found }) => found === undefined)) {
    return `adgen-sdk: this Redis does not tell how it keeps what it was told; ${advice}`;
  }
  const wrong = settings.filter(({ value, found }) => found !== value);
  if (wrong.length === 0) return undefined;
  const words = wrong.map(({ name, found }) => `${name} ${found}`).join(", ");
  return `adgen-sdk: Redis has ${words}; ${advice}`;
};
