// Entry for a page of an app: the test calls these functions, as a person's clicks would.
import { createClient, toResult } from "../../src/index.ts";

const client = createClient({ baseUrl: "/adgen", apiKey: null });

/** Time for a connection to come back to Chromium's pool. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));

const aborting = new AbortController();

/** Ends the calls that are under way. */
const abort = (): void => aborting.abort();

/** Submits one job, and tells how that ended: its id, or the error's code and outcome. */
const submit = async (prompt: string): Promise<string> => {
  const { signal } = aborting;
  const submitted = client.jobs.submit({ action: "generate-ad", prompt }, { signal });
  const { data, error } = await toResult(submitted);
  return data?.job_id ?? `${error?.code}/${error?.outcome}`;
};

/** Submits one job after the other, each over a connection that was used before. */
const submitAll = async (prompts: readonly string[]): Promise<string[]> => {
  const ends: string[] = [];
  for (const prompt of prompts) {
    await client.brands.list();
    await pause();
    ends.push(await submit(prompt));
  }
  return ends;
};

const listJobs = async (): Promise<string[]> => {
  const { items } = await client.jobs.list();
  return items.map(({ job_id }) => job_id);
};

const clicks = { submit, submitAll, listJobs, abort };

export type Clicks = typeof clicks;

Object.assign(globalThis, { clicks });
