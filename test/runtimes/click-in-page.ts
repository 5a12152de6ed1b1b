// Entry for a page of an app: the test calls these functions, as a person's clicks would.
import { createClient } from "../../src/index.ts";
import { submitEach, submitOne } from "./submit-each.ts";

const client = createClient({ baseUrl: "/adgen", apiKey: null });
const aborting = new AbortController();

const clicks = {
  submit: (prompt: string) => submitOne(client, prompt, aborting.signal),
  submitAll: (prompts: readonly string[]) => submitEach(client, prompts),
  listJobs: async () => (await client.jobs.list()).items.map(({ job_id }) => job_id),
  /** Ends the calls that are under way. */
  abort: () => aborting.abort(),
};

export type Clicks = typeof clicks;

Object.assign(globalThis, { clicks });
