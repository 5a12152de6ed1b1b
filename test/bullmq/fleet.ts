import { createClient, type FinishedJob, type JobRequest } from "adgen-sdk";
import { createProcessor, type ProcessorOptions, type SubmissionData } from "adgen-sdk/bullmq";
import type { MockServiceOptions } from "adgen-sdk/mocks";
import { startMockServer } from "adgen-sdk/mocks/server";
import { createSubmissions, type UsageLimits } from "adgen-sdk/submissions";
import { type Job, Queue, Worker, type WorkerOptions } from "bullmq";
import { afterAll, vi } from "vitest";
import { ignore, manyDeaths, openStore } from "./open-store.ts";
import { type RedisServer, startRedis } from "./redis-server.ts";

/** Requests for ad copy, which is free, and for a picture, which costs a credit. */
export const copyJob = { action: "generate-ad-copy", prompt: "Summer sale" } as const;
export const imageJob = { action: "generate-ad", prompt: "Summer sale" } as const;

/** A lock outlasts each delay of a worker on a busy machine. */
const settings = { lockDuration: 20_000, stalledInterval: 500, drainDelay: 1 } as const;

export type AdJob = Job<SubmissionData, FinishedJob>;

export type AdQueue = Queue<SubmissionData, FinishedJob>;

/** Options of a worker, of its processor, and of the client. */
export interface StartOptions extends Partial<Omit<ProcessorOptions, "client">> {
  readonly service?: { readonly url: string };
  readonly worker?: Partial<WorkerOptions>;
  /** `lateArrivalMs` of the fleet's submissions. */
  readonly lateArrivalMs?: number;
  readonly budget?: UsageLimits;
}

let number = 0;

/** Objects to close when the tests of the file are over. */
const opened: { close(): Promise<unknown> }[] = [];
const keep = <T extends (typeof opened)[number]>(one: T): T => {
  opened.push(one);
  return one;
};
afterAll(async () => {
  // Workers close first, because they need Redis and the service to end what they have begun.
  for (const one of opened.reverse()) await one.close();
});

let shared: Promise<RedisServer> | undefined;
/** The Redis that the tests of a file share. */
export const sharedRedis = (): Promise<RedisServer> => (shared ??= startRedis().then(keep));

/** Opens a fleet, on the Redis of the file or on one of its own. */
export const openFleet = async (service: MockServiceOptions = {}, own?: RedisServer) => {
  const name = `fleet-${++number}`;
  const redis = own ? keep(own) : await sharedRedis();
  const server = keep(await startMockServer(service));
  const connection = { ...redis.connection, retryStrategy: () => 50 };
  const ofQueue = { connection, defaultJobOptions: { priority: 1 } };
  const openQueue = (): AdQueue => keep(new Queue(name, ofQueue).on("error", ignore));
  /** Opens submissions as another process does, which shares only Redis. */
  const openSubmissions = async (lateArrivalMs = 0, budget?: UsageLimits) => {
    const { store, ready } = keep(openStore(redis.port, { prefix: name }));
    await ready;
    return createSubmissions(store, { lateArrivalMs, budget });
  };
  const throttleEvents: Parameters<NonNullable<ProcessorOptions["onThrottle"]>>[0][] = [];
  const { journal } = server.service;
  const queue = openQueue();
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
    ...{ name, redis, server, queue, get },
    /** Submissions as another process opens them. */
    submissions: await openSubmissions(),
    /** Events of throttling that the workers have reported. */
    throttleEvents,
    startWorker: async (given: StartOptions = {}) => {
      const { worker, lateArrivalMs, budget, ...options } = given;
      const { service: other = server, ...ofProcessor } = options;
      const submissions = await openSubmissions(lateArrivalMs, budget);
      const processor = createProcessor({
        client: createClient({
          ...{ baseUrl: other.url, apiKey: "test-key", submissions },
          ...{ timeoutMs: 20_000, totalTimeoutMs: 20_000 },
        }),
        ...{ queue: openQueue(), submissions },
        onThrottle: (event) => throttleEvents.push(event),
        ...ofProcessor,
      });
      const patient = { ...connection, maxRetriesPerRequest: null };
      const all = { connection: patient, ...settings, ...manyDeaths, concurrency: 8, ...worker };
      const started = new Worker<SubmissionData, FinishedJob>(name, processor, all);
      return keep(started.on("error", ignore));
    },
    add: (id: string, request: JobRequest): Promise<AdJob> =>
      queue.add(request.action, { request }, { jobId: id }),
    /** Waits for the BullMQ job to complete, and returns its result. */
    resultOf: async (id: string) => {
      const job = await ended(id);
      if (job.failedReason) throw new Error(`${id} failed: ${job.failedReason}`);
      return job.returnvalue;
    },
    /** Waits for the failure of a BullMQ job, and returns its data. */
    failureOf: async (id: string) => {
      const { failedReason = "", data } = await ended(id);
      return { ...data, failedReason };
    },
    /** Times at which submissions reached the service. */
    posts: () => journal.find({ method: "POST" }).map(({ at }) => at),
    /** Number of charges. */
    charges: () => {
      const { ledger } = server.service.account("test-key");
      return ledger.filter(({ reason }) => reason === "charge").length;
    },
  };
};

export type Fleet = Awaited<ReturnType<typeof openFleet>>;

/** Opens a fleet with one worker, which has started. */
export const startFleet = async (options?: StartOptions, service?: MockServiceOptions) => {
  const fleet = await openFleet(service);
  await fleet.startWorker(options);
  return fleet;
};

/** Waits until a check passes. */
export const until = <T>(
  check: () => T | Promise<T>,
  timeout = 60_000,
  interval = 20,
): Promise<T> => vi.waitFor(check, { interval, timeout });
