import { Redis } from "ioredis";
import { createRedisStore } from "../../src/submissions/store/redis-store.ts";

/** Lets workers die often without a failure of their jobs. */
export const manyDeaths = { maxStalledCount: 10_000 } as const;

/** Ignores lost locks and broken connections, which BullMQ would print. */
export const ignore = (): void => {};

/** Connects to Redis as a store needs it: commands fail at once while Redis is away. */
export const connectRedis = (port: number, keyPrefix = ""): Redis => {
  const connection = new Redis(port, "127.0.0.1", {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 10,
    keyPrefix,
  });
  return connection.on("error", ignore);
};

/** Opens a store on a connection of its own. */
export const openStore = (port: number, options?: Parameters<typeof createRedisStore>[1]) => {
  const connection = connectRedis(port);
  const ready = new Promise<void>((resolve) => connection.once("ready", resolve));
  const store = createRedisStore((...words) => connection.call(...words), {
    // Turn the warning off, because the Redis of a test may lose records.
    warnOfDurability: false,
    ...options,
  });
  return { store, ready, close: async () => connection.disconnect() };
};
