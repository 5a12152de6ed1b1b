// A worker whose requests share one client. Each waits for the job that its path names.
import { createClient, pollJob, toResult } from "adgen-sdk";

declare const serviceUrl: string;

const client = createClient({ baseUrl: serviceUrl, apiKey: "test-key" });

/** Resumes of all waits, by which the first request's timer wakes those of other requests. */
const resumes = new Set<() => void>();

/** Waits as a shared poller does, in which one timer serves all waits. It shows that the test can fail. */
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
