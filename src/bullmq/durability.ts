import type { IRedisClient } from "bullmq";

/** A client as BullMQ wraps it: of ioredis, or of node-redis. */
interface CommandClient {
  readonly call?: (...words: string[]) => Promise<unknown>;
  readonly raw?: { readonly sendCommand?: (words: string[]) => Promise<unknown> };
}

const advice =
  "set `appendonly yes` and `appendfsync always`, or a crash of Redis may lose the last second: " +
  "the record of a submission that was already paid";

/** Reads a setting of Redis; `undefined` where it cannot be read. */
const readSetting = async (commands: CommandClient, name: string): Promise<string | undefined> => {
  try {
    const words = ["CONFIG", "GET", name];
    const answer = await (commands.call?.(...words) ?? commands.raw?.sendCommand?.(words));
    // A list of name and value, or an object by version 3 of Redis' protocol.
    const value = Array.isArray(answer) ? answer[1] : (answer as Record<string, unknown>)[name];
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Says what is wrong with how Redis keeps what it was told; `undefined` where nothing is. */
export const findDurabilityProblem = async (
  commands: IRedisClient,
): Promise<string | undefined> => {
  const client = commands as CommandClient;
  const appendOnly = await readSetting(client, "appendonly");
  const sync = await readSetting(client, "appendfsync");
  if (appendOnly === undefined || sync === undefined) {
    return `adgen-sdk: this Redis does not tell how it keeps what it was told; ${advice}`;
  }
  if (appendOnly === "yes" && sync === "always") return undefined;
  return `adgen-sdk: Redis has appendonly ${appendOnly}, appendfsync ${sync}; ${advice}`;
};
