import { isObject } from "../options/rules.ts";

/** Sends one command to Redis, and resolves with its reply. */
export type SendToRedis = (command: string, ...words: string[]) => Promise<unknown>;

/** The settings by which Redis forgets nothing that it was told. */
const wanted: Readonly<Record<string, string>> = {
  appendonly: "yes",
  appendfsync: "always",
  "maxmemory-policy": "noeviction",
};

const advice =
  "set `appendonly yes`, `appendfsync always` and `maxmemory-policy noeviction`, or Redis may " +
  "forget the record of a submission that was already paid";

/** What is wrong with how Redis keeps what it was told; `undefined` where nothing is. */
export const findDurabilityProblem = async (send: SendToRedis): Promise<string | undefined> => {
  const wrong: string[] = [];
  try {
    for (const [name, value] of Object.entries(wanted)) {
      const answer = await send("CONFIG", "GET", name);
      // A list of name and value, or an object by version 3 of Redis' protocol.
      const found = Array.isArray(answer) ? answer[1] : isObject(answer) && answer[name];
      if (typeof found !== "string") throw new TypeError(`CONFIG GET gave no ${name}`);
      if (found !== value) wrong.push(`${name} ${found}`);
    }
  } catch {
    return `adgen-sdk: this Redis does not tell how it keeps what it was told; ${advice}`;
  }
  return wrong.length === 0 ? undefined : `adgen-sdk: Redis has ${wrong.join(", ")}; ${advice}`;
};
