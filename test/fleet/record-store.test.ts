import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { RecordStore } from "../../src/submissions/record-store.ts";
import { createRedisStore, type SendToRedis } from "../../src/submissions/redis-store.ts";
import { testRecordStore } from "../submissions/store-promises.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

let server: RedisServer;
/** Reads the keys beside the store. */
let admin: Redis;
/** A node of a cluster takes commands two seconds after its start: it begins before the tests. */
let cluster: RedisServer;
const closers: (() => void)[] = [];

const openIoredis = async (keyPrefix = "", { connection } = server): Promise<Redis> => {
  const client = new Redis({
    ...connection,
    keyPrefix,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 20,
    lazyConnect: true,
  });
  client.on("error", () => {});
  closers.push(() => client.disconnect());
  await client.connect();
  return client;
};

const sendByIoredis = async (...given: Parameters<typeof openIoredis>): Promise<SendToRedis> => {
  const client = await openIoredis(...given);
  return (...words) => client.call(...words);
};

const sendByNodeRedis = async (RESP: 2 | 3, { connection } = server): Promise<SendToRedis> => {
  const client = createClient({
    RESP,
    socket: { ...connection, reconnectStrategy: 20 },
    disableOfflineQueue: true,
  });
  client.on("error", () => {});
  closers.push(() => client.destroy());
  await client.connect();
  return (...words) => client.sendCommand(words);
};

beforeAll(async () => {
  const settings = ["--cluster-enabled", "yes", "--cluster-require-full-coverage", "no"];
  [server, cluster] = await Promise.all([startRedis("no"), startRedis("no", settings)]);
  admin = await openIoredis();
});
afterAll(async () => {
  for (const close of closers) close();
  await Promise.all([server.close(), cluster.close()]);
});

let opened = 0;
const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Makes a store that prints no warning: this Redis need not be safe. */
const storeOf = (send: SendToRedis, prefix?: string): RecordStore =>
  createRedisStore(send, { prefix, warnOfDurability: false });

const testClients = (name: string, connect: () => Promise<SendToRedis>): void => {
  let sends: readonly [SendToRedis, SendToRedis];
  beforeAll(async () => {
    sends = [await connect(), await connect()];
  });
  testRecordStore(`a store in Redis over ${name}`, async () => {
    opened += 1;
    const prefix = `test${opened}`;
    return { stores: [storeOf(sends[0], prefix), storeOf(sends[1], prefix)], pass };
  });
};

testClients("ioredis", () => sendByIoredis());
testClients("ioredis with a prefix of its own", () => sendByIoredis("k:"));
testClients("node-redis", () => sendByNodeRedis(2));
testClients("node-redis by the newer protocol", () => sendByNodeRedis(3));

const next = (rev: string, more: object = {}) => ({ rev, text: `text of ${rev}`, ...more });
const day = 86_400_000;

describe("a store in Redis", () => {
  test("begins each of its keys with its name in braces, and sees no others", async () => {
    await admin.flushall();
    const send = await sendByIoredis();
    const [store, other] = [storeOf(send), storeOf(send, "other")];
    for (const one of [store, other]) {
      await one.swap("a", "", next("1", { list: "l" }));
      await one.swap("b", "", next("1", { ttlMs: day, list: "m" }));
    }
    const names = ["id:a", "id:b", "list:l", "list:m", "writes"];
    const expected = ["{adgen-sdk}:", "{other}:"].flatMap((tag) => names.map((name) => tag + name));
    expect((await admin.keys("*")).sort()).toEqual(expected);
    await store.swap("a", "1");
    expect((await other.get("a"))?.rev).toBe("1");
  });

  test("keeps to one slot of a cluster", async () => {
    const client = await openIoredis("", cluster);
    // The only slot that this node serves: a key in another one would be refused.
    await client.cluster("ADDSLOTS", await client.cluster("KEYSLOT", "{adgen-sdk}"));
    const store = storeOf((...words) => client.call(...words));
    const write = () => store.swap("a", "", next("1", { ttlMs: day, list: "l" }));
    await vi.waitFor(write, 60_000);
    await store.swap("a", "1", next("2", { list: "m" }));
    expect(await store.list("m", 9)).toEqual([{ id: "a", ...next("2") }]);
    expect(await store.list("l", 9)).toEqual([]);
    const elsewhere = storeOf((...words) => client.call(...words), "elsewhere");
    await expect(elsewhere.get("a")).rejects.toThrow(
      /^Redis failed at HMGET: CLUSTERDOWN|: this is a cluster/,
    );
  });

  test("lets Redis forget records and lists, and those alone that have a time", async () => {
    await admin.flushall();
    const store = storeOf(await sendByIoredis());
    const lifeOf = async (name: string): Promise<number> => admin.pttl(`{adgen-sdk}:${name}`);
    await store.swap("a", "", next("1", { ttlMs: day, list: "l" }));
    await store.swap("b", "", next("1", { ttlMs: day / 2, list: "l" }));
    for (const name of ["id:a", "list:l"]) {
      expect(await lifeOf(name)).toBeGreaterThan(day - 60_000);
      expect(await lifeOf(name)).toBeLessThanOrEqual(day);
    }
    await store.swap("c", "", next("1", { list: "l" }));
    await store.swap("d", "", next("1", { ttlMs: day, list: "l" }));
    expect(await Promise.all([lifeOf("id:c"), lifeOf("list:l")])).toEqual([-1, -1]);
  });

  test("keeps no names of forgotten records on a list that is only written", async () => {
    await admin.flushall();
    const store = storeOf(await sendByIoredis());
    const write = (id: string, ttlMs: number) =>
      store.swap(id, "", next("1", { ttlMs, list: "l" }));
    for (let index = 0; index < 20; index++) await write(`short ${index}`, 1);
    await pass(5);
    for (let index = 0; index < 12; index++) await write(`long ${index}`, day);
    expect(await admin.zcard("{adgen-sdk}:list:l")).toBe(12);
    expect(await store.list("l", 99)).toHaveLength(12);
  });

  test("rejects what has the type of something else, and says what to do", async () => {
    const store = storeOf(await sendByIoredis(), "types");
    await admin.set("{types}:id:a", "1");
    const words = "another program has keys of this name: give the store a prefix of its own";
    await expect(store.get("a")).rejects.toThrow(`WRONGTYPE`);
    await expect(store.get("a")).rejects.toThrow(words);
    await expect(store.swap("a", "", next("1"))).rejects.toThrow(`Redis failed at EVAL: WRONGTYPE`);
  });

  test("rejects writes to a Redis without memory, and still reads and removes", async () => {
    const store = storeOf(await sendByNodeRedis(2), "oom");
    for (const id of ["old", "gone"]) await store.swap(id, "", next("1", { list: "l" }));
    await admin.config("SET", "maxmemory", "1");
    const refused = store.swap("new", "", next("1", { list: "l" }));
    await expect(refused).rejects.toThrow(/^Redis failed at EVAL: OOM .*give Redis more memory/);
    await expect(store.swap("old", "1", next("2"))).rejects.toThrow("OOM");
    expect(await store.get("old")).toEqual({ id: "old", ...next("1") });
    expect(await store.swap("gone", "1")).toBe(undefined);
    expect(await store.list("l", 9)).toEqual([{ id: "old", ...next("1") }]);
    await admin.config("SET", "maxmemory", "0");
    expect(await store.swap("new", "", next("1"))).toMatchObject({ rev: "1" });
  });

  test("rejects while Redis is away, and works when it is back", async () => {
    const gone = await startRedis();
    for (const send of [await sendByIoredis("", gone), await sendByNodeRedis(2, gone)]) {
      const store = storeOf(send);
      const id = `id ${closers.length} ${Math.random()}`;
      await vi.waitFor(() => store.swap(id, "", next("1", { list: "l" })), 60_000);
      let isBack = (): void => {};
      const crashed = gone.crash(new Promise<void>((resolve) => (isBack = resolve)));
      await vi.waitFor(() => expect(store.get(id)).rejects.toThrow(), 60_000);
      for (const step of [store.get(id), store.swap(id, "1"), store.list("l", 9)]) {
        await expect(step).rejects.toThrow(/^Redis failed at [A-Z]+: ./u);
      }
      isBack();
      await crashed;
      const there = await vi.waitFor(() => store.get(id), 60_000);
      expect(there).toEqual({ id, ...next("1") });
      expect((await store.list("l", 1))[0]).toEqual(there);
    }
    await gone.close();
  });
});

describe("a store warns once", () => {
  const warningsWith = async (...settings: string[]): Promise<string[]> => {
    const redis = await startRedis("always", settings);
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    try {
      const store = createRedisStore(await sendByIoredis("", redis));
      for (const id of ["a", "b"]) await store.swap(id, "", next("1"));
      // Replies come in the order of the commands, so those about the settings are there.
      await store.get("a");
      await store.get("a");
      return warn.mock.calls.map(([line]) => String(line));
    } finally {
      warn.mockRestore();
      await redis.close();
    }
  };

  test("of a Redis that may forget, and of no other", async () => {
    expect(await warningsWith()).toEqual([]);
    const advice = "set `appendonly yes`, `appendfsync always` and `maxmemory-policy noeviction`";
    for (const [setting, value] of [
      ["appendfsync", "everysec"],
      ["maxmemory-policy", "allkeys-lru"],
    ] as const) {
      const warnings = await warningsWith(`--${setting}`, value);
      expect(warnings).toHaveLength(1);
      expect(warnings[0]).toContain(`${setting} ${value}`);
      expect(warnings[0]).toContain(advice);
    }
  });
});
