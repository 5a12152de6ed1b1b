import { type CustomFetch, createClient, type FinishedJob, type JobRequest } from "adgen-sdk";
import {
  createProcessor,
  type HoldEvent,
  type ProcessorOptions,
  type SubmissionData,
} from "adgen-sdk/bullmq";
import type { MockServiceOptions } from "adgen-sdk/mocks";
import { type MockServer, startMockServer } from "adgen-sdk/mocks/server";
import { createSubmissions, type Submissions } from "adgen-sdk/submissions";
import { type Job, Queue, Worker, type WorkerOptions } from "bullmq";
import { test as base, vi } from "vitest";
import { ignore, manyDeaths, openStore } from "./open-store.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

/** A short copy costs nothing; a picture costs a credit. */
export const copyJob = { action: "generate-ad-copy", prompt: "Summer sale" } as const;
export const imageJob = { action: "generate-ad", prompt: "Summer sale" } as const;

/** A lock outlasts every moment in which a busy machine holds a worker up. */
const settings = { lockDuration: 20_000, stalledInterval: 200, drainDelay: 1 } as const;

export type AdJob = Job<SubmissionData, FinishedJob>;

export type AdQueue = Queue<SubmissionData, FinishedJob>;

/** Options of a worker, of its processor, and of the client. */
export interface StartOptions extends Partial<Omit<ProcessorOptions, "client">> {
  readonly service?: { readonly url: string };
  readonly fetch?: CustomFetch;
  readonly worker?: Partial<WorkerOptions>;
  /** Time of one submission, in milliseconds. */
  readonly submitTimeoutMs?: number;
}

export interface Fleet {
  readonly name: string;
  readonly redis: RedisServer;
  readonly server: MockServer;
  readonly queue: AdQueue;
  /** The submissions, as a process of their own has them. */
  readonly submissions: Submissions;
  readonly startWorker: (options?: StartOptions) => Worker<SubmissionData, FinishedJob>;
  readonly add: (id: string, request: JobRequest) => Promise<AdJob>;
  readonly get: (id: string) => Promise<AdJob>;
  /** Waits for the finished job. */
  readonly resultOf: (id: string) => Promise<FinishedJob>;
  /** Waits for the failure of a BullMQ job; gives its data. */
  readonly failureOf: (id: string) => Promise<SubmissionData & { readonly failedReason: string }>;
  /** Number of submissions that reached the service, and the times at which they did. */
  readonly posts: () => number;
  readonly postTimes: () => number[];
  /** Number of charges. */
  readonly charges: () => number;
  /** Holds that the workers have told of. */
  readonly holds: readonly HoldEvent[];
}

/** Opens a fleet, on the Redis of the file or on one of its own. */
export type OpenFleet = (service?: MockServiceOptions, own?: RedisServer) => Promise<Fleet>;

interface Closable {
  close(): Promise<unknown>;
}

let number = 0;

/** Makes the function that opens fleets on a Redis, and hands over all that must be closed. */
const createOpenFleet =
  (shared: RedisServer, opened: Closable[]): OpenFleet =>
  async (service = {}, own) => {
    const name = `fleet-${++number}`;
    const redis = own ?? shared;
    if (own !== undefined) opened.push(own);
    const server = await startMockServer(service);
    const keep = <T extends Closable>(one: T): T => {
      opened.push(one);
      return one;
    };
    keep(server);
    const connection = { ...redis.connection, retryStrategy: () => 50 };
    const openQueue = (): AdQueue => {
      const queue: AdQueue = new Queue(name, { connection, defaultJobOptions: { priority: 1 } });
      queue.on("error", ignore);
      return keep(queue);
    };
    const openSubmissions = async () => {
      const { store, ready, close } = openStore(redis.port, { prefix: name });
      keep({ close });
      await ready;
      return createSubmissions(store);
    };
    const holds: HoldEvent[] = [];
    const { journal } = server.service;
    const queue = openQueue();
    const submissions = await openSubmissions();
    const get = async (id: string): Promise<AdJob> => {
      const job = await queue.getJob(id);
      if (job === undefined) throw new Error(`There is no job ${id}`);
      return job;
    };
    const ended = (id: string) =>
      until(async () => {
        const job = await get(id);
        if (job.finishedOn === undefined) throw new Error(`${id}: ${await job.getState()}`);
        return job;
      });
    return {
      ...{ name, redis, server, queue, submissions, get, holds },
      startWorker: (given = {}) => {
        const {
          service: other = server,
          fetch,
          worker,
          submitTimeoutMs = 20_000,
          ...options
        } = given;
        // Workers share what stands in Redis, and no memory.
        const { store, close } = openStore(redis.port, { prefix: name });
        keep({ close });
        const own = createSubmissions(store);
        const processor = createProcessor({
          client: createClient({
            ...{ baseUrl: other.url, apiKey: "test-key", fetch, submissions: own },
            ...{ timeoutMs: submitTimeoutMs, totalTimeoutMs: submitTimeoutMs },
          }),
          queue: openQueue(),
          submissions: own,
          settleMs: 0,
          onHold: (event) => holds.push(event),
          ...options,
        });
        const patient = { ...connection, maxRetriesPerRequest: null };
        const all = { connection: patient, ...settings, ...manyDeaths, concurrency: 8, ...worker };
        const started = new Worker<SubmissionData, FinishedJob>(name, processor, all);
        started.on("error", ignore);
        return keep(started);
      },
      add: (id, request) => queue.add(request.action, { request }, { jobId: id }),
      resultOf: async (id) => {
        const job = await ended(id);
        if (job.failedReason) throw new Error(`${id} failed: ${job.failedReason}`);
        return job.returnvalue;
      },
      failureOf: async (id) => {
        const { failedReason = "", data } = await ended(id);
        return { ...data, failedReason };
      },
      posts: () => journal.find({ method: "POST" }).length,
      postTimes: () => journal.find({ method: "POST" }).map(({ at }) => at),
      charges: () => {
        const { ledger } = server.service.account("test-key");
        return ledger.filter(({ reason }) => reason === "charge").length;
      },
    };
  };

/** A test with a fleet, on a Redis that the tests of a file share. */
export const test = base
  .extend("appendFsync", { scope: "file" }, () => "always")
  .extend("redis", { scope: "file" }, async ({ appendFsync }, { onCleanup }) => {
    const redis = await startRedis(appendFsync);
    onCleanup(redis.close);
    return redis;
  })
  .extend("open", async ({ redis }, { onCleanup }) => {
    const opened: Closable[] = [];
    onCleanup(async () => {
      // Workers first: they need the queues' Redis and the service to end what they have begun.
      for (const one of opened.reverse()) await one.close();
    });
    return createOpenFleet(redis, opened);
  });

/** Waits until something holds. */
export const until = <T>(
  check: () => T | Promise<T>,
  timeout = 60_000,
  interval = 20,
): Promise<T> => vi.waitFor(check, { interval, timeout });
