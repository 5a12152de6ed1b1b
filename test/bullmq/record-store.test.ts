import { once } from "node:events";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { createRedisStore } from "../../src/submissions/store/redis-store.ts";
import { pause } from "../helpers/client.ts";
import { testRecordStore } from "../submissions/store-promises.ts";
import { connectRedis, ignore } from "./open-store.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

type SendToRedis = Parameters<typeof createRedisStore>[0];

let server: RedisServer;
const closers: (() => void)[] = [];

const openIoredis = async (prefix = "") => {
  const client = connectRedis(server.port, prefix);
  closers.push(() => client.disconnect());
  await once(client, "ready");
  return client;
};

const sendByIoredis = async (prefix?: string): Promise<SendToRedis> => {
  const client = await openIoredis(prefix);
  return (...words) => client.call(...words);
};

const sendByNodeRedis = async (RESP: 2 | 3): Promise<SendToRedis> => {
  const socket = { ...server.connection, reconnectStrategy: 20 };
  const client = createClient({ RESP, socket, disableOfflineQueue: true }).on("error", ignore);
  closers.push(() => client.destroy());
  await client.connect();
  return (...words) => client.sendCommand(words);
};

/** Connection that reads the keys of the store. */
let admin: Awaited<ReturnType<typeof openIoredis>>;

beforeAll(async () => {
  server = await startRedis("no");
  admin = await openIoredis();
});
afterAll(async () => {
  for (const close of closers) close();
  await server.close();
});

/** Creates a store that prints no warning, because this Redis need not be durable. */
const storeOf = (send: SendToRedis, prefix?: string) =>
  createRedisStore(send, { prefix, warnOfDurability: false });

let opened = 0;
for (const [name, connect] of [
  ["ioredis", () => sendByIoredis()],
  ["ioredis with a prefix of its own", () => sendByIoredis("k:")],
  ["node-redis", () => sendByNodeRedis(2)],
  ["node-redis by the newer protocol", () => sendByNodeRedis(3)],
] as const) {
  testRecordStore(`a store in Redis over ${name}`, async () => {
    const prefix = `test${++opened}`;
    const [one, other] = [await connect(), await connect()];
    return { stores: [storeOf(one, prefix), storeOf(other, prefix)], pass: pause };
  });
}

const next = (rev: string, more: object = {}) => ({ rev, text: `text of ${rev}`, ...more });
const day = 86_400_000;

test("a store in Redis puts all keys behind the keyPrefix of its client", async () => {
  await admin.flushall();
  const [one, other] = [storeOf(await sendByIoredis("a:")), storeOf(await sendByIoredis("b:"))];
  await one.swap("order-1", "", next("1", { list: "l" }));
  expect(await other.get("order-1")).toBe(undefined);
  expect(await other.list("l", 9)).toEqual([]);
  const names = ["id:order-1", "list:l", "writes"].map((name) => `a:{adgen-sdk}:${name}`);
  expect((await admin.keys("*")).sort()).toEqual(names);
});

/** A client that a short program opens, and ends after its last call. */
type Client = readonly [SendToRedis, end: () => unknown];
const openIoredisFor = (end: "quit" | "disconnect") => async (): Promise<Client> => {
  const client = new Redis(server.port, "127.0.0.1");
  return [(...words) => client.call(...words), () => client[end]()];
};
const openNodeRedisFor = (end: "close" | "destroy") => async (): Promise<Client> => {
  const client = createClient({ socket: server.connection }).on("error", ignore);
  await client.connect();
  return [(...words) => client.sendCommand(words), () => client[end]()];
};

const right = { appendfsync: "always", "maxmemory-policy": "noeviction" };
const wrong = { appendfsync: "everysec", "maxmemory-policy": "allkeys-lru" };

test.each<[printed: string, settings: object, client: string, open: () => Promise<Client>]>([
  ["a warning", wrong, "ioredis that ends by quit", openIoredisFor("quit")],
  ["a warning", wrong, "node-redis that ends by close", openNodeRedisFor("close")],
  ["nothing", right, "ioredis that ends by quit", openIoredisFor("quit")],
  ["nothing", right, "ioredis that ends by disconnect", openIoredisFor("disconnect")],
  ["nothing", right, "node-redis that ends by close", openNodeRedisFor("close")],
  ["nothing", right, "node-redis that ends by destroy", openNodeRedisFor("destroy")],
])("a short program prints %s for the settings %j, over %s", async (printed, settings, _, open) => {
  await admin.flushall();
  for (const [name, value] of Object.entries(settings)) await admin.config("SET", name, value);
  const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
  const [send, end] = await open();
  await createRedisStore(send).swap("a", "", next("1"));
  await end();
  await pause(30);
  const lines = warn.mock.calls.map(([line]) => String(line));
  warn.mockRestore();
  const words = "Redis has appendfsync everysec, maxmemory-policy allkeys-lru; ";
  expect(lines).toEqual(printed === "nothing" ? [] : [expect.stringContaining(words)]);
});

test("a store in Redis begins each key with its prefix in braces, and sees no other keys", async () => {
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

test("a store in Redis lets Redis forget only records and lists with a time to live", async () => {
  await admin.flushall();
  const store = storeOf(await sendByIoredis());
  const lifeOf = async (name: string): Promise<number> => admin.pttl(`{adgen-sdk}:${name}`);
  const write = (id: string, ttlMs?: number, list = "l") =>
    store.swap(id, "", next("1", { list, ...(ttlMs && { ttlMs }) }));
  await write("a", day);
  await write("b", day / 2);
  for (const name of ["id:a", "list:l"]) {
    expect(await lifeOf(name)).toBeGreaterThan(day - 60_000);
    expect(await lifeOf(name)).toBeLessThanOrEqual(day);
  }
  await write("c");
  await write("d", day);
  expect(await Promise.all([lifeOf("id:c"), lifeOf("list:l")])).toEqual([-1, -1]);
  // A list that is only written keeps no names of forgotten records.
  for (let index = 0; index < 20; index++) await write(`short ${index}`, 1, "m");
  await pause(5);
  for (let index = 0; index < 12; index++) await write(`long ${index}`, day, "m");
  expect(await admin.zcard("{adgen-sdk}:list:m")).toBe(12);
  expect(await store.list("m", 99)).toHaveLength(12);
});

test("a store in Redis without memory rejects writes, and still reads and removes", async () => {
  const store = storeOf(await sendByNodeRedis(2), "oom");
  for (const id of ["old", "gone"]) await store.swap(id, "", next("1", { list: "l" }));
  await admin.config("SET", "maxmemory-policy", "noeviction");
  await admin.config("SET", "maxmemory", "1");
  const refused = store.swap("new", "", next("1", { list: "l" }));
  await expect(refused).rejects.toThrow(/^Redis failed at eval: OOM /);
  await expect(store.swap("old", "1", next("2"))).rejects.toThrow("OOM");
  expect(await store.get("old")).toEqual({ id: "old", ...next("1") });
  expect(await store.swap("gone", "1")).toBe(undefined);
  expect(await store.list("l", 9)).toEqual([{ id: "old", ...next("1") }]);
  await admin.config("SET", "maxmemory", "0");
  expect(await store.swap("new", "", next("1"))).toMatchObject({ rev: "1" });
});
