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
import { paidJob, pause } from "../helpers/client.ts";

/** Waits for one job, and gives it; its stacks name this file. */
export type Wait = (client: PollClient, job: JobRef, options?: PollOptions) => Promise<Job>;

const unwrap = (result: Result<Job> | undefined): Job => {
  if (result?.ok) return result.data;
  throw result?.error;
};

const lastOf = async <T>(items: AsyncIterable<T>): Promise<T | undefined> => {
  let last: T | undefined;
  for await (const item of items) last = item;
  return last;
};

/** Every way to wait for a job. */
export const ways = {
  pollJob: async (client, job, options) => await pollJob(client, job, options),
  pollJobs: async (client, job, options) => unwrap((await pollJobs(client, [job], options))[0]),
  watchJob: async (client, job, options) => (await lastOf(watchJob(client, job, options))) as Job,
  watchJobs: async (client, job, options) =>
    unwrap(await lastOf(watchJobs(client, [job], options))),
  /** Each poll could be one of another process. */
  pollOnce: async (client, job, { timeoutMs, waker, ...options } = {}) => {
    let ticket = createPollTicket(job, { timeoutMs });
    for (;;) {
      const polled = await pollOnce(client, JSON.parse(JSON.stringify(ticket)), options);
      if (polled.done) return polled.job;
      ({ ticket } = polled);
      await pause(polled.waitMs);
    }
  },
} satisfies Record<string, Wait>;

/** The way that submits the job before; its script begins with the answer to that. */
export const submitAndPoll: Wait = async (client, _, options) =>
  await (client as AdGenClient).jobs.submitAndPoll(paidJob, options);

export const wayNames = Object.keys(ways) as (keyof typeof ways)[];
