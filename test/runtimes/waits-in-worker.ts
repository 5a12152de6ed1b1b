// A worker whose requests share one client. Each waits for the job that its path names.
import { createClient, pollJob, toResult } from "adgen-sdk";

declare const serviceUrl: string;

const client = createClient({ baseUrl: serviceUrl, apiKey: "test-key" });

/** Functions that resume the waits. One request's timer calls those of all requests. */
const resumes = new Set<() => void>();

/** Waits as a poller with one timer for all waits does, to show that the test can fail. */
const waitShared = async (id: string): Promise<string> => {
  for (;;) {
    const { status } = await client.jobs.get(id);
    if (status === "completed") return status;
    const isFirst = resumes.size === 0;
    const resumed = new Promise<void>((resolve) => resumes.add(resolve));
    if (isFirst) {
      setTimeout(() => {
        for (const resume of resumes) resume();
        resumes.clear();
      }, 200);
    }
    await resumed;
  }
};

export default {
  fetch: async ({ url }: Request): Promise<Response> => {
    const [, way, id = ""] = new URL(url).pathname.split("/");
    if (way === "shared") return new Response(await waitShared(id));
    const { data, error } = await toResult(pollJob(client, id, { intervalMs: 200 }));
    return new Response(data?.status ?? error?.message);
  },
};
