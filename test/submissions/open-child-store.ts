import { Redis } from "ioredis";
import type { RecordStore } from "../../src/submissions/record-store.ts";
import { createRedisStore } from "../../src/submissions/redis-store.ts";
import { openFileStore } from "../../src/submissions-file.ts";

/** Opens the store of a child process: a file by its path, or Redis by its port. */
export const openChildStore = async (kind: string, place: string): Promise<RecordStore> => {
  if (kind === "file") return openFileStore(place);
  const client = new Redis({
    port: Number(place),
    host: "127.0.0.1",
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 10,
    lazyConnect: true,
  });
  client.on("error", () => {});
  await client.connect().catch(() => {});
  return createRedisStore((...words) => client.call(...words), { warnOfDurability: false });
};

/** Does a step until it is done: Redis may be away for a moment. */
export const insist = async <T>(kind: string, step: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await step();
    } catch (error) {
      if (kind === "file") throw error;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }
};
