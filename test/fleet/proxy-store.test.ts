import { createRedisStore, type ProxyStore, type RedisClient } from "adgen-sdk/proxy";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { testStore } from "../proxy/store-promises.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

let server: RedisServer;
/** Looks at what is in Redis, beside the store. */
let admin: Redis;
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
const openNodeRedis = async ({ connection } = server) => {
  const client = createClient({
    socket: { ...connection, reconnectStrategy: 20 },
    disableOfflineQueue: true,
  });
  client.on("error", () => {});
  closers.push(() => client.destroy());
  return client.connect();
};

beforeAll(async () => {
  server = await startRedis("no");
  admin = await openIoredis();
});
afterAll(async () => {
  for (const close of closers) close();
  await server.close();
});

let opened = 0;
const pass = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const testClients = (name: string, connect: () => Promise<RedisClient>): void => {
  let clients: readonly [RedisClient, RedisClient];
  beforeAll(async () => {
    clients = [await connect(), await connect()];
  });
  testStore(`the Redis store over ${name}`, async () => {
    opened += 1;
    const options = { prefix: `test${opened}:` };
    return {
      stores: [createRedisStore(clients[0], options), createRedisStore(clients[1], options)],
      pass,
    };
  });
};

testClients("ioredis", () => openIoredis());
testClients("node-redis", () => openNodeRedis());

/** Commands that write, one of each kind. */
const writes = (store: ProxyStore): Promise<unknown>[] => [
  store.setIfAbsent("new", "1", { ttlMs: 60_000 }),
  store.set("old", "2", {}),
  store.set("old", "2", { list: "l" }),
  store.add("n", 1, 7, 60_000),
];
const reads = (store: ProxyStore): Promise<unknown>[] => [store.get("old"), store.list("l", 5)];
const reasons = async (steps: Promise<unknown>[]): Promise<string[]> =>
  (await Promise.allSettled(steps)).map((step) =>
    step.status === "rejected" ? String(step.reason) : "fulfilled",
  );

describe("the Redis store", () => {
  const day = 86_400_000;

  test("begins each of its keys with its prefix, and sees no others", async () => {
    await admin.flushall();
    const store = createRedisStore(admin);
    const other = createRedisStore(admin, { prefix: "{b}" });
    for (const one of [store, other]) {
      await one.set("a", "1", { list: "l" });
      await one.setIfAbsent("b", "1", { list: "m" });
      await one.add("n", 1, 7, day);
    }
    const names = ["a", "b", "l", "m", "n"];
    const expected = ["adgen-proxy:", "{b}"].flatMap((prefix) =>
      names.map((name) => prefix + name),
    );
    expect((await admin.keys("*")).sort()).toEqual(expected);
    await store.remove("a");
    expect(await other.get("a")).toBe("1");
  });

  test("works with the prefix of its client", async () => {
    const [store, plain] = [createRedisStore(await openIoredis("k:")), createRedisStore(admin)];
    await store.set("mine", "1", { list: "mine-list" });
    await store.add("mine-n", 1, 7, day);
    expect(await Promise.all([store.get("mine"), store.get("mine-n")])).toEqual(["1", "1"]);
    expect(await store.list("mine-list", 9)).toEqual(["mine"]);
    expect(await plain.get("mine")).toBe(undefined);
    expect(await admin.get("k:adgen-proxy:mine-n")).toBe("1");
  });

  test("lets Redis forget values, numbers and lists", async () => {
    await admin.flushall();
    const store = createRedisStore(admin, { prefix: "" });
    await store.set("a", "1", { ttlMs: day, list: "l" });
    await store.setIfAbsent("b", "1", { ttlMs: day, list: "m" });
    await store.add("n", 1, 7, day);
    await store.add("n", -1, 7, day);
    for (const key of ["a", "b", "l", "m", "n"]) {
      expect(await admin.pttl(key)).toBeGreaterThan(day - 60_000);
      expect(await admin.pttl(key)).toBeLessThanOrEqual(day);
    }
    await store.set("for ever", "1", { list: "l" });
    expect(await Promise.all([admin.pttl("for ever"), admin.pttl("l")])).toEqual([-1, -1]);
  });

  test("takes keys off a list that are older than their time to live", async () => {
    await admin.flushall();
    const store = createRedisStore(admin, { prefix: "" });
    const now = Date.now() * 1_000;
    const ages = [day * 2, day + 60_000, day - 60_000];
    for (const age of ages) await admin.zadd("l", now - age * 1_000, `age ${age}`);
    await store.set("new", "1", { ttlMs: day, list: "l" });
    expect(await store.list("l", 9)).toEqual(["new", `age ${day - 60_000}`]);
    expect(await admin.zcard("l")).toBe(2);
  });

  test("rejects what has the type of something else", async () => {
    const store = createRedisStore(admin, { prefix: "types:" });
    await store.set("a", "1", { list: "l" });
    await expect(store.get("l")).rejects.toThrow("Redis failed at GET: WRONGTYPE");
    await expect(store.list("a", 5)).rejects.toThrow("Redis failed at ZREVRANGE: WRONGTYPE");
    await expect(store.add("l", 1, 7, day)).rejects.toThrow("Redis failed at EVAL: ");
    await expect(store.set("b", "1", { list: "a" })).rejects.toThrow("Redis failed at EVAL: ");
    expect(await store.get("b")).toBe(undefined);
  });

  test("rejects writes to a Redis without memory, and still reads", async () => {
    const store = createRedisStore(await openNodeRedis(), { prefix: "oom:" });
    await store.set("old", "1", { list: "l" });
    await admin.config("SET", "maxmemory", "1");
    const all = await reasons([...writes(store), ...reads(store)]);
    await admin.config("SET", "maxmemory", "0");
    for (const reason of all.slice(0, 4)) {
      expect(reason).toMatch(/^Error: Redis failed at (SET|EVAL): .*OOM/u);
    }
    expect(all.slice(4)).toEqual(["fulfilled", "fulfilled"]);
    expect(await reasons(writes(store))).toEqual(Array(4).fill("fulfilled"));
  });

  test("rejects while Redis is away", async () => {
    const gone = await startRedis("no");
    const clients = [await openIoredis("", gone), await openNodeRedis(gone)];
    await gone.close();
    for (const client of clients) {
      const store = createRedisStore(client);
      const all = await reasons([...writes(store), ...reads(store)]);
      for (const reason of all) expect(reason).toMatch(/^Error: Redis failed at [A-Z]+: ./u);
    }
  });

  test("works when Redis is back", async () => {
    const stores = [createRedisStore(await openIoredis()), createRedisStore(await openNodeRedis())];
    await server.crash();
    for (const store of stores) {
      await vi.waitFor(() => store.set("old", "3", {}), { timeout: 10_000, interval: 5 });
      expect(await store.get("old")).toBe("3");
    }
  });
});
