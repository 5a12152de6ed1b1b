// A client for each tenant, with a key and records of its own, and one limit for all of them.
import { createClient, type FinishedJob, pollJob } from "adgen-sdk";
import { createSubmissions } from "adgen-sdk/submissions";
import { openFileStore } from "adgen-sdk/submissions/file";

/** Lets four submissions run at once. Waiting inside `fetch` would count against their timeouts. */
const lanes = Array.from({ length: 4 }, () => Promise.resolve<unknown>(undefined));
let calls = 0;
const limited = <T>(call: () => Promise<T>): Promise<T> => {
  const lane = calls++ % lanes.length;
  const ended = Promise.resolve(lanes[lane]).then(call);
  lanes[lane] = ended.catch(() => {}); // the next call does not care how this one ended
  return ended;
};

export const openTenant = async (name: string, apiKey: string) => {
  const store = await openFileStore(`${process.env["STATE_DIRECTORY"] ?? "."}/${name}`);
  const client = createClient({ apiKey, submissions: createSubmissions(store) });
  return async (order: string, prompt: string): Promise<FinishedJob> => {
    const ad = { action: "generate-ad", prompt } as const;
    return pollJob(client, await limited(() => client.jobs.submit(ad, { once: order })));
  };
};
