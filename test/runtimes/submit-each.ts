import { type AdGenClient, toResult } from "../../src/client/index.ts";

/** Waits until a connection has come back to the runtime's pool. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 30));

/** Submits one job, and tells how that ended: its id, or the error's code and outcome. */
export const submitOne = async (
  client: AdGenClient,
  prompt: string,
  signal = new AbortController().signal,
): Promise<string> => {
  const submitted = client.jobs.submit({ action: "generate-ad", prompt }, { signal });
  const { data, error } = await toResult(submitted);
  return data?.job_id ?? `${error?.code}/${error?.outcome}`;
};

/** Submits one job after the other, each over a connection that was used before. */
export const submitEach = async (
  client: AdGenClient,
  prompts: readonly string[],
): Promise<string[]> => {
  const ends: string[] = [];
  for (const prompt of prompts) {
    // The list leaves a connection for the submit to use. Bun closes one after a streamed body.
    await client.brands.list();
    await pause();
    ends.push(await submitOne(client, prompt));
  }
  return ends;
};
