import { once } from "node:events";
import type { SubmissionData } from "adgen-sdk/bullmq";
import { createRedisStore, createSubmissions } from "adgen-sdk/submissions";
import { Queue } from "bullmq";
import { Redis } from "ioredis";

const url = () => String(process.env["REDIS_URL"]);

/** Polls come first: their jobs have no priority any more. */
export const openQueue = () =>
  new Queue<SubmissionData>("example", {
    connection: { url: url() },
    defaultJobOptions: { priority: 1 },
  });

/** The store's connection fails at once while Redis is away. */
export const openSubmissions = async () => {
  const redis = new Redis(url(), { enableOfflineQueue: false, maxRetriesPerRequest: 0 });
  redis.on("error", ({ message }) => console.error(message));
  await once(redis, "ready");
  const store = createRedisStore((...words) => redis.call(...words));
  return { submissions: createSubmissions(store), close: () => redis.disconnect() };
};
