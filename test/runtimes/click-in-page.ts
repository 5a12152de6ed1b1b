// Entry for a page of an app. Tests call these functions, as a person's clicks would.

import { openFile } from "adgen-sdk/files";
import {
  type AdGenError,
  type CallOptions,
  createClient,
  type ResponseInfo,
  toResult,
} from "../../src/client/index.ts";
import { submitEach, submitOne } from "./submit-each.ts";

const client = createClient({ baseUrl: "/adgen", apiKey: null });
const aborting = new AbortController();

const describe = (error: AdGenError | undefined): string =>
  `${error?.code}/${error?.outcome}${error?.retryAfterMs === undefined ? "" : ", later"}`;

const clicks = {
  submit: (prompt: string) => submitOne(client, prompt, aborting.signal),
  submitAll: (prompts: readonly string[]) => submitEach(client, prompts),
  listJobs: async () => (await client.jobs.list()).items.map(({ job_id }) => job_id),
  /** Ends the calls that are under way. */
  abort: () => aborting.abort(),
  /** Calls a proxy of another origin with its cookies, and once without; tells how each ended. */
  async callElsewhere(url: string) {
    const options = { baseUrl: url, apiKey: null, callIds: true } as const;
    const send = (request: Request) => fetch(request, { credentials: "include" });
    const { jobs, brands } = createClient({ ...options, fetch: send });
    const infos: ResponseInfo[] = [];
    const onResponse: CallOptions["onResponse"] = (info) => void infos.push(info);
    const job = { action: "generate-ad", prompt: "From elsewhere" } as const;
    const { data } = await toResult(jobs.submit(job, { onResponse }));
    const { error: overLimit } = await toResult(jobs.submit(job));
    const { error: changed } = await toResult(brands.update("b", { name: "B" }));
    const { error: removed } = await toResult(brands.delete("b"));
    const { error: noCookie } = await toResult(createClient(options).jobs.list());
    const failures = [overLimit, changed, removed, noCookie].map(describe);
    return { jobId: data?.job_id, requestId: infos[0]?.requestId, failures };
  },
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
