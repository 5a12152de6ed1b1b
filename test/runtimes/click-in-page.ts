// Entry for a page of an app. Tests call these functions, as a person's clicks would.

import { openFile } from "adgen-sdk/files";
import { createClient } from "../../src/client/index.ts";
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

/** Opens a file, and gives its size in bytes, or what a page can print of the error. */
const openInPage = async (url: string): Promise<number | string> => {
  try {
    const { body } = await openFile(url);
    const reader = body.getReader();
    let bytes = 0;
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return bytes;
      bytes += value.byteLength;
    }
  } catch (error) {
    const { stack, cause } = error as Error;
    return [JSON.stringify(error), error, stack, cause, (cause as Error | undefined)?.stack].join();
  }
};

export type OpenInPage = typeof openInPage;

Object.assign(globalThis, { openInPage });
