import { describeKind, oneLine } from "../errors/text.ts";
import { checkOptions, isObject, refuseOption, text } from "../options/rules.ts";
import type { ProxyStore, SetOptions } from "./proxy-store.ts";

/**
 * A Redis client, or a function that sends one command: ioredis and iovalkey (`call`), node-redis
 * (`sendCommand`), Bun's (`send`). For a cluster of node-redis, hand over a function.
 */
export type RedisClient =
  | {
      /** Sends a command, as ioredis does. */
      call(command: string, ...args: string[]): Promise<unknown>;
    }
  | {
      /** Sends a command, as node-redis does. */
      sendCommand(args: string[]): Promise<unknown>;
    }
  | {
      /** Sends a command, as Bun's client does. */
      send(command: string, args: string[]): Promise<unknown>;
    }
  | ((args: readonly string[]) => Promise<unknown>);

/** Options of {@link createRedisStore}. */
export interface RedisStoreOptions {
  /** Text that every key in Redis begins with. @default "adgen-proxy:" */
  readonly prefix?: string | undefined;
}

type Send = (args: string[]) => Promise<unknown>;

const senderOf = (client: unknown): Send => {
  // Functions first: each of them has a method `call`.
  if (typeof client === "function") return (args) => client(args);
  if (isObject(client)) {
    const { call, sendCommand, send } = client;
    // In this order: ioredis has a `sendCommand` too, for something else.
    if (typeof call === "function") return (args) => call.apply(client, args);
    if (typeof sendCommand === "function") return (args) => sendCommand.call(client, args);
    if (typeof send === "function") return ([name, ...args]) => send.call(client, name, args);
  }
  const got = `got ${describeKind(client)}: give one of ioredis, node-redis or Bun, or a function`;
  return refuseOption(`createRedisStore needs a Redis client, ${got}`);
};

/** Puts a key on a list by the server's clock, and takes off what is older than its time to live. */
const listScript = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local isNew = redis.call('ZADD', KEYS[1], string.format('%.0f', now), ARGV[1])
if ARGV[2] == '' then
  redis.call('PERSIST', KEYS[1])
else
  local oldest = string.format('(%.0f', now - ARGV[2] * 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', oldest)
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return isNew`;

/**
 * Adds where the sum fits. Sums of fractions would drift, so they are rounded to millionths, and no
 * amount is less than one.
 */
const addScript = `
local before = redis.call('GET', KEYS[1])
local amount = tonumber(ARGV[1])
if amount > 0 then amount = math.max(amount, 1e-6) end
local sum = math.floor((tonumber(before or '0') + amount) * 1e6 + 0.5) / 1e6
if amount > 0 and sum > tonumber(ARGV[2]) then return 0 end
if before or amount > 0 then
  redis.call('SET', KEYS[1], string.format('%.15g', math.max(0, sum)), 'PX', ARGV[3])
end
return 1`;

type Check<A> = (answer: unknown) => answer is A;
const isOk = (answer: unknown): answer is "OK" => answer === "OK";
const isOkOrNull = (answer: unknown): answer is "OK" | null => answer === null || isOk(answer);
const isText = (answer: unknown): answer is string => typeof answer === "string";
const isTextOrNull = (answer: unknown): answer is string | null =>
  answer === null || isText(answer);
const isTexts = (answer: unknown): answer is string[] =>
  Array.isArray(answer) && answer.every(isText);
const isFlag = (answer: unknown): answer is 0 | 1 | "0" | "1" =>
  [0, 1, "0", "1"].some((flag) => flag === answer);

/** A client's error itself may hold the command, and so the answer to a page: its words alone. */
const messageOf = (error: unknown): string =>
  oneLine(error instanceof Error ? error.message : String(error)).replace(/, with args.*/u, "");

const wholeMs = (ms: number): string => String(Math.max(1, Math.ceil(ms)));

/**
 * Makes a store in Redis (6.2 or newer), for any number of processes. Each command names keys of
 * one slot, so a cluster will do.
 *
 * Redis must not forget: set `maxmemory-policy noeviction` and `appendonly yes`.
 *
 * The client must fail at once while Redis is away, and send no command twice. For ioredis, set
 * `enableOfflineQueue: false` and `maxRetriesPerRequest: 0`; for node-redis,
 * `disableOfflineQueue: true`. Else commands are carried out late: a call that was refused is then
 * on record as begun, and its id of no more use.
 *
 * @throws `ConfigError` (`config`) for something else than a Redis client, or a bad option.
 */
export const createRedisStore = (
  client: RedisClient,
  options: RedisStoreOptions = {},
): ProxyStore => {
  const send = senderOf(client);
  const defaults = { prefix: "adgen-proxy:" };
  const rules = { prefix: text() };
  const { prefix } = checkOptions("createRedisStore", rules, options, refuseOption, defaults);

  /** Sends a command. No unexpected answer may pass for "there is none". */
  const run = async <A>(isExpected: Check<A>, name: string, ...args: string[]): Promise<A> => {
    let answer: unknown;
    try {
      answer = await send([name, ...args]);
    } catch (error) {
      throw new Error(`Redis failed at ${name}: ${messageOf(error)}`);
    }
    if (isExpected(answer)) return answer;
    throw new Error(`Redis answered ${name} with ${describeKind(answer)}: ask for text in UTF-8`);
  };

  /** Puts a key on its list before its value is written: a job that is not listed is lost. */
  const enlist = async (key: string, { list, ttlMs }: SetOptions): Promise<boolean> => {
    if (list === undefined) return false;
    const ttl = ttlMs === undefined ? "" : wholeMs(ttlMs);
    const isNew = await run(isFlag, "EVAL", listScript, "1", prefix + list, key, ttl);
    return Number(isNew) === 1;
  };
  const lifeOf = ({ ttlMs }: SetOptions): string[] =>
    ttlMs === undefined ? [] : ["PX", wholeMs(ttlMs)];

  const get = async (key: string): Promise<string | undefined> =>
    (await run(isTextOrNull, "GET", prefix + key)) ?? undefined;

  return {
    get,
    async setIfAbsent(key, value, options) {
      const isNew = await enlist(key, options);
      const words = [prefix + key, value, "NX", ...lifeOf(options)];
      if ((await run(isOkOrNull, "SET", ...words)) === "OK") return true;
      // The key is somebody else's, unless a client has sent the command twice.
      if (isNew && (await get(key)) !== value) {
        await run(isFlag, "ZREM", `${prefix}${options.list}`, key);
      }
      return false;
    },
    async set(key, value, options) {
      await enlist(key, options);
      await run(isOk, "SET", prefix + key, value, ...lifeOf(options));
    },
    async remove(key, list) {
      await run(isFlag, "DEL", prefix + key);
      if (list !== undefined) await run(isFlag, "ZREM", prefix + list, key);
    },
    async list(list, limit) {
      if (limit < 1) return [];
      return run(isTexts, "ZREVRANGE", prefix + list, "0", String(Math.floor(limit) - 1));
    },
    async add(key, amount, max, ttlMs) {
      const words = [prefix + key, String(amount), String(max), wholeMs(ttlMs)];
      return Number(await run(isFlag, "EVAL", addScript, "1", ...words)) === 1;
    },
  };
};
