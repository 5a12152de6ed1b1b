// The hook of use-order.ts for Svelte: `const order = orderFor("hero", request)`, then `$order.job`.
import { createClient, type Job, type JobRequest, watchJob } from "adgen-sdk";
import { type Readable, readable } from "svelte/store";

const client = createClient({ baseUrl: "/adgen", apiKey: null });

export const orderFor = (
  slot: string,
  request: JobRequest,
): Readable<{ readonly job?: Job; readonly error?: unknown }> =>
  readable({}, (set) => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const run = async () => {
      const submitted = await client.jobs.submit(request, { once: slot, signal });
      for await (const job of watchJob(client, submitted, { signal })) set({ job });
    };
    run().catch((error) => signal.aborted || set({ error }));
    return () => leaving.abort();
  });
