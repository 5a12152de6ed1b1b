import { Redis } from "ioredis";
import { createRedisStore } from "../../src/submissions.ts";

/** A worker dies often here, and that is no fault of its jobs. */
export const manyDeaths = { maxStalledCount: 10_000 } as const;

/** Lost locks and broken connections, which some tests provoke, and BullMQ prints otherwise. */
export const ignore = (): void => {};

/** Opens a store's connection: it fails at once while Redis is away. */
export const openStore = (port: number, prefix: string) => {
  const connection = new Redis(port, "127.0.0.1", {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 50,
  });
  connection.on("error", ignore);
  const ready = new Promise<void>((resolve) => connection.once("ready", resolve));
  const store = createRedisStore((...words) => connection.call(...words), { prefix });
  return { store, ready, close: async () => connection.disconnect() };
};
