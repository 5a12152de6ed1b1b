// The same routes on any number of machines: only the store differs.
import { createRedisStore } from "adgen-sdk/submissions";
import { Redis } from "ioredis";
import { createAdRoutes } from "./a-route-that-pays-once.ts";

const url = process.env["REDIS_URL"] ?? "";
const redis = new Redis(url, { enableOfflineQueue: false, lazyConnect: true });
await redis.connect();
const store = createRedisStore((...words) => redis.call(...words));
export const answer = createAdRoutes(store, ({ headers }) => headers.get("x-user") ?? undefined);
