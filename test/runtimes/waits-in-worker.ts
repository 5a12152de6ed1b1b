// A worker whose requests share one client. Each waits for the job that its path names.
import { createClient, pollJob, toResult } from "adgen-sdk";

declare const serviceUrl: string;

const client = createClient({ baseUrl: serviceUrl, apiKey: "test-key" });

export default {
  fetch: async ({ url }: Request): Promise<Response> => {
    const id = new URL(url).pathname.slice(1);
    const { data, error } = await toResult(pollJob(client, id, { intervalMs: 200 }));
    return new Response(data?.status ?? error?.message);
  },
};
