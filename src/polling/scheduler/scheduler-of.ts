import type { JobReader } from "../../resources/job-ref.ts";
import { createScheduler } from "./scheduler.ts";

/** All waits for the jobs that one reader reads. */
type Scheduler = ReturnType<typeof createScheduler>;

const schedulers = new WeakMap<JobReader, Scheduler>();

/** Gives the scheduler of `client.jobs`: one for all waits. */
export const schedulerOf = (reader: JobReader): Scheduler => {
  const known = schedulers.get(reader);
  if (known !== undefined) return known;
  const scheduler = createScheduler(reader);
  schedulers.set(reader, scheduler);
  return scheduler;
};
