// A worker of BullMQ. Start it on as many machines as you like: each order is paid once.
import { createClient } from "adgen-sdk";
import { createProcessor } from "adgen-sdk/bullmq";
import { createRedisStore, createSubmissions } from "adgen-sdk/submissions";
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";

const connection = { url: process.env["REDIS_URL"] ?? "" };
const redis = new Redis(connection.url, { enableOfflineQueue: false, lazyConnect: true });
await redis.connect();
const submissions = createSubmissions(createRedisStore((...words) => redis.call(...words)));
const client = createClient({ submissions });
const queue = new Queue("ads", { connection, defaultJobOptions: { priority: 1 } });
const processor = createProcessor({ client, queue, submissions });
const worker = new Worker("ads", processor, { connection, maxStalledCount: 1_000 });
worker.on("completed", (job, ad) => console.log(job.id, ad.status));
worker.on("failed", (job, error) => console.log(job?.id, error.message));
worker.on("error", (error) => console.log(error.message));
