import { createClient } from "adgen-sdk";
import {
  createJobQueue,
  type JobQueue,
  type JobQueueOptions,
  type JobWorker,
  type JobWorkerOptions,
  startJobWorker,
} from "adgen-sdk/bullmq";
import type { MockServiceOptions } from "adgen-sdk/mocks";
import { type MockServer, startMockServer } from "adgen-sdk/mocks/server";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { type RedisServer, startRedis } from "./redis-server.ts";

/** A short copy costs nothing; a picture costs a credit. */
export const copyJob = { action: "generate-ad-copy", prompt: "Summer sale" } as const;
export const imageJob = { action: "generate-ad", prompt: "Summer sale" } as const;

/** Times that make a test quick, and the loss of a worker visible soon. */
export const quick = {
  submitTimeoutMs: 2_000,
  settleMs: 0,
  warnOfDurability: false,
  worker: { lockDuration: 1_000, stalledInterval: 200, drainDelay: 1 },
} as const;

export interface Fleet {
  readonly name: string;
  readonly redis: RedisServer;
  readonly server: MockServer;
  readonly queue: JobQueue;
  /** Another queue of the same fleet, as another process has it. */
  readonly openQueue: (options?: Partial<JobQueueOptions>) => JobQueue;
  readonly startWorker: (options?: Partial<JobWorkerOptions>) => JobWorker;
  /** Number of submissions that reached the service. */
  readonly posts: () => number;
}

let number = 0;

/** Lost locks and broken connections, which some tests provoke, and BullMQ prints otherwise. */
const ignore = (): void => {};

/** Opens fleets on a Redis that the tests of a file share; closes what a test has opened. */
export const useFleets = () => {
  let redis: RedisServer;
  const opened: { close(): Promise<void> }[] = [];
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterEach(async () => {
    // Workers first: they need the queues' Redis and the service to end what they have begun.
    for (const one of opened.splice(0).reverse()) await one.close();
  });
  afterAll(() => redis.close());

  return async (service: MockServiceOptions = {}): Promise<Fleet> => {
    const name = `fleet-${++number}`;
    const server = await startMockServer(service);
    const keep = <T extends { close(): Promise<void> }>(one: T): T => {
      opened.push(one);
      return one;
    };
    keep(server);
    const { connection } = redis;
    const openQueue = (options: Partial<JobQueueOptions> = {}) => {
      const queue = keep(createJobQueue({ connection, name, ...options }));
      queue.submissions.on("error", ignore);
      queue.looks.on("error", ignore);
      return queue;
    };
    return {
      name,
      redis,
      server,
      queue: openQueue(),
      openQueue,
      startWorker: (options = {}) => {
        const client = createClient({ baseUrl: server.url, apiKey: "test-key" });
        const worker = startJobWorker({ connection, name, client, ...quick, ...options });
        worker.submissions.on("error", ignore);
        worker.looks.on("error", ignore);
        return keep(worker);
      },
      posts: () => server.service.journal.find({ method: "POST" }).length,
    };
  };
};

/** Waits until something holds. */
export const until = <T>(
  check: () => T | Promise<T>,
  timeout = 10_000,
  interval = 20,
): Promise<T> => vi.waitFor(check, { interval, timeout });
