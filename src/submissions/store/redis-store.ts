import { makeError } from "../../client/errors/make-error.ts";
import { describeKind, oneLine } from "../../client/errors/text.ts";
import { booleanRule, checkOptions, createRule, refuseOption } from "../../client/options/rules.ts";
import type { RecordStore, StoredRecord } from "./record-store.ts";
import { findDurabilityProblem, type SendToRedis } from "./redis-durability.ts";

/**
 * Swaps a record. A client library may send the script twice; the second run finds the new revision
 * and changes nothing.
 *
 * Keys: the tag. Arguments: id, expected revision, next revision, text, list, time to live. An
 * empty next revision removes the record.
 */
const swapScript = `
local id, expected, rev, text, list, ttl = unpack(ARGV)
local key, lists = KEYS[1] .. ':id:' .. id, KEYS[1] .. ':list:'
local there = redis.call('HMGET', key, 'rev', 'text', 'list')
if (there[1] or '') ~= expected then return { there[1], there[2] } end
if rev == '' then redis.call('DEL', key)
else
  redis.call('HSET', key, 'rev', rev, 'text', text, 'list', list)
  if ttl == '' then redis.call('PERSIST', key) else redis.call('PEXPIRE', key, ttl) end
end
if there[3] then redis.call('ZREM', lists .. there[3], id) end
if rev == '' then return {} end
if list ~= '' then
  local names = lists .. list
  local life = redis.call('PTTL', names)
  redis.call('ZADD', names, redis.call('INCR', KEYS[1] .. ':writes'), id)
  if ttl == '' then redis.call('PERSIST', names)
  elseif life ~= -1 and life < tonumber(ttl) then redis.call('PEXPIRE', names, ttl) end
  for _, old in ipairs(redis.call('ZRANGE', names, 0, 1)) do
    if redis.call('EXISTS', KEYS[1] .. ':id:' .. old) == 0 then redis.call('ZREM', names, old) end
  end
end
return { rev, text }`;

/** Reads a list, and drops the names of expired records. Keys: the tag. Arguments: list, limit. */
const listScript = `
local found, names = {}, KEYS[1] .. ':list:' .. ARGV[1]
for _, id in ipairs(redis.call('ZREVRANGE', names, 0, -1)) do
  if #found >= 3 * tonumber(ARGV[2]) then break end
  local there = redis.call('HMGET', KEYS[1] .. ':id:' .. id, 'rev', 'text')
  if there[1] then
    for _, part in ipairs({ id, there[1], there[2] }) do found[#found + 1] = part end
  else redis.call('ZREM', names, id) end
end
return found`;

/**
 * Returns the message of a client's error. Its other fields may contain the command and a record.
 */
const wordsOf = (error: unknown): string =>
  oneLine(error instanceof Error ? error.message : String(error)).replace(/,? with args.*/u, "");

/** Reads a reply of texts. A reply of nulls only means that there is no record. */
const readTexts = (reply: unknown, partsOfEach: number): string[] | undefined => {
  if (!Array.isArray(reply) || reply.length % partsOfEach !== 0) return undefined;
  const texts = reply.filter((part) => typeof part === "string");
  if (texts.length === reply.length) return texts;
  return reply.every((part) => part === null || part === undefined) ? [] : undefined;
};

/** Options of `createRedisStore`. */
export interface RedisStoreOptions {
  /**
   * Name of the store, without braces. Its keys begin with it in braces, a hash tag, so a cluster
   * keeps them in one slot.
   * @default "adgen-sdk"
   */
  readonly prefix?: string | undefined;
  /**
   * Reads the settings of Redis after the first swap that succeeds, and prints a warning if Redis
   * may lose records, or refuses to show its settings.
   * @default true
   */
  readonly warnOfDurability?: boolean | undefined;
}

/**
 * Creates a store in Redis (6.2 or newer), for any number of processes.
 *
 * Redis must not lose records: set `appendonly yes`, `appendfsync always` and `maxmemory-policy
 * noeviction`. The client must fail at once while Redis is away, without an offline queue. For
 * ioredis, set `enableOfflineQueue: false`; for node-redis, `disableOfflineQueue: true`.
 *
 * @param send Sends one command, in lower case, and resolves with Redis' reply: text, null, or a
 * list of these. It rejects at once while Redis is away.
 * @throws `AdGenError`
 * - `config`: `send` is not a function, or an option makes no sense.
 * @example
 * const ofIoredis = createRedisStore((...words) => client.call(...words));
 * const ofNodeRedis = createRedisStore((...words) => client.sendCommand(words));
 * const ofBun = createRedisStore((command, ...words) => client.send(command, words));
 * const overHttp = createRedisStore(async (...words) => {
 *   const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(words) });
 *   const { result, error } = await response.json();
 *   if (error !== undefined) throw new Error(error);
 *   return result;
 * });
 */
export const createRedisStore = (
  send: SendToRedis,
  options: RedisStoreOptions = {},
): RecordStore => {
  if (typeof send !== "function") {
    const remedy = "such as (...words) => redis.call(...words) for ioredis";
    refuseOption(
      `createRedisStore needs a function that sends a command, ${remedy}; got ${describeKind(send)}`,
    );
  }
  const { prefix, warnOfDurability } = checkOptions(
    "createRedisStore",
    {
      prefix: createRule<string>(
        "text without braces",
        (value) => typeof value === "string" && /^[^{}]+$/u.test(value),
      ),
      warnOfDurability: booleanRule(),
    },
    options,
    refuseOption,
    { prefix: "adgen-sdk", warnOfDurability: true },
  );
  const tag = `{${prefix}}`;
  let isWarned = !warnOfDurability;

  /**
   * Sends a command, and refuses a reply of another shape, which must not count as "no record".
   *
   * @param command - Command in lower case, because ioredis 5.4 adds its `keyPrefix` only then
   */
  const run = async (partsOfEach: number, command: string, ...words: string[]) => {
    let reply: unknown;
    try {
      reply = await send(command, ...words);
    } catch (error) {
      throw makeError("store", `Redis failed at ${command}: ${wordsOf(error)}`);
    }
    const texts = readTexts(reply, partsOfEach);
    if (texts !== undefined) return texts;
    throw makeError(
      "store",
      `Redis answered ${command} with ${describeKind(reply)} that holds no record: ` +
        "let the client return texts as they are, in UTF-8, and parse none of them",
    );
  };

  const toRecord = (id: string, [rev, text]: string[]): StoredRecord | undefined =>
    rev === undefined || text === undefined ? undefined : { id, rev, text };

  const warn = async (): Promise<void> => {
    // A short program may have closed its connection by now, which says nothing about Redis.
    const problem = await findDurabilityProblem(send).catch(() => undefined);
    if (problem !== undefined) console.warn(problem);
  };

  return {
    get: async (id) => toRecord(id, await run(2, "hmget", `${tag}:id:${id}`, "rev", "text")),
    async swap(id, expected, next) {
      const { rev = "", text = "", list = "", ttlMs } = next ?? {};
      const life = ttlMs === undefined ? "" : String(Math.max(1, Math.ceil(ttlMs)));
      const words = [id, expected, rev, text, list, life];
      const texts = await run(2, "eval", swapScript, "1", tag, ...words);
      // The warning waits for a successful swap, because the settings cannot be read before.
      if (!isWarned) void warn();
      isWarned = true;
      return toRecord(id, texts);
    },
    async list(name, limit) {
      const maxRecords = String(Math.floor(limit));
      const parts = await run(3, "eval", listScript, "1", tag, name, maxRecords);
      return Array.from({ length: parts.length / 3 }, (_, index) => {
        const [id = "", rev = "", text = ""] = parts.slice(3 * index, 3 * index + 3);
        return { id, rev, text };
      });
    },
  };
};
