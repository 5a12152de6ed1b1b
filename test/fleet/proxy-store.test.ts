import { createRedisStore, type RedisClient, type RedisStoreOptions } from "adgen-sdk/proxy";
import { Redis } from "ioredis";
import { createClient } from "redis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { testStore } from "../proxy/store-promises.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

let server: RedisServer;
/** Looks at what is in Redis, beside the store. */
let admin: Redis;
const closers: (() => void)[] = [];

const connectIoredis = (keyPrefix = ""): Redis => {
  const client = new Redis({
    ...server.connection,
    keyPrefix,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 20,
    lazyConnect: true,
  });
  client.on("error", () => {});
  closers.push(() => client.disconnect());
  return client;
};
const openIoredis = async (keyPrefix?: string): Promise<Redis> => {
  const client = connectIoredis(keyPrefix);
  await client.connect();
  return client;
};
const openNodeRedis = async () => {
  const client = createClient({
    socket: { ...server.connection, reconnectStrategy: 20 },
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
testClients("node-redis", openNodeRedis);
