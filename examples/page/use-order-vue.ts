// The hook of use-order.ts for Vue: `const { job, error } = useOrder("hero", () => props.request)`.
import { createClient, type Job, type JobRequest, watchJob } from "adgen-sdk";
import { shallowRef, watch } from "vue";

const client = createClient({ baseUrl: "/adgen", apiKey: null });

export const useOrder = (slot: string, request: () => JobRequest | undefined) => {
  const job = shallowRef<Job>();
  const error = shallowRef<unknown>();
  const start = (
    asked: JobRequest | undefined,
    _: unknown,
    onCleanup: (end: () => void) => void,
  ) => {
    job.value = error.value = undefined;
    if (asked === undefined) return;
    const leaving = new AbortController();
    const { signal } = leaving;
    onCleanup(() => leaving.abort());
    const run = async () => {
      const submitted = await client.jobs.submit(asked, { once: slot, signal });
      for await (const seen of watchJob(client, submitted, { signal })) job.value = seen;
    };
    run().catch((thrown) => {
      if (!signal.aborted) error.value = thrown;
    });
  };
  watch(request, start, { immediate: true });
  return { job, error };
};
