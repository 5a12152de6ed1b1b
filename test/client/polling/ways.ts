import {
  type AdGenClient,
  createPollTicket,
  type Job,
  type JobRef,
  type PollClient,
  type PollOptions,
  pollJob,
  pollJobs,
  pollOnce,
  type Result,
  watchJob,
  watchJobs,
} from "adgen-sdk";
import { paidJob, pause } from "../../helpers/client.ts";

/** Waits for one job, and returns it. The stacks of its errors name this file. */
export type Wait = (client: PollClient, job: JobRef, options?: PollOptions) => Promise<Job>;

const unwrap = (result: Result<Job> | undefined): Job => {
  if (result?.ok) return result.data;
  throw result?.error;
};

/** Reads an iterator to its end. */
export const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const collected: T[] = [];
  for await (const item of items) collected.push(item);
  return collected;
};

/** Every way to wait for a job. */
export const ways = {
  pollJob: async (client, job, options) => await pollJob(client, job, options),
  pollJobs: async (client, job, options) => unwrap((await pollJobs(client, [job], options))[0]),
  watchJob: async (client, job, options) =>
    (await collect(watchJob(client, job, options))).at(-1) as Job,
  watchJobs: async (client, job, options) =>
    unwrap((await collect(watchJobs(client, [job], options)))[0]),
  /** The ticket goes through JSON before each poll, as it does between processes. */
  pollOnce: async (client, job, { timeoutMs, ...options } = {}) => {
    let ticket = createPollTicket(job, { timeoutMs });
    for (;;) {
      const polled = await pollOnce(client, JSON.parse(JSON.stringify(ticket)), options);
      if (polled.done) return polled.job;
      ({ ticket } = polled);
      await pause(polled.waitMs);
    }
  },
} satisfies Record<string, Wait>;

/** Submits a job before it waits. */
export const submitAndPoll: Wait = async (client, _, options) =>
  await (client as AdGenClient).jobs.submitAndPoll(paidJob, options);

export const wayNames = Object.keys(ways) as (keyof typeof ways)[];
