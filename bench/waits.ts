/** Heap of a waiting job (`node --expose-gc bench/waits.ts`), and the time in which many waits end at an abort. */
import { createClient, pollJob, pollJobs } from "../src/index.ts";

const count = 10_000;
const ids = Array.from({ length: count }, (_, index) => `job_${index}`);

/** Answers as a service whose jobs go on. */
const answer = (url: string): Response => {
  const { pathname, searchParams } = new URL(url);
  const id = pathname.split("/").at(-1);
  const jobs = ids
    .slice(0, Number(searchParams.get("limit") ?? 100))
    .map((job_id) => ({ job_id, status: "processing" }));
  const data = id === "jobs" ? { jobs } : { job_id: id, status: "processing" };
  return Response.json({ success: true, data, error: null });
};

const collect = (globalThis as { gc?: () => void }).gc;
if (collect === undefined) throw new Error("run it with node --expose-gc");

const heapBytes = async (): Promise<number> => {
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    collect();
  }
  return process.memoryUsage().heapUsed;
};

/** Measures waits that `begin` has begun. */
const measure = async (
  name: string,
  begin: (client: ReturnType<typeof createClient>, signal: AbortSignal) => Promise<unknown>,
): Promise<void> => {
  let requests = 0;
  const fetch = async (request: Request): Promise<Response> => {
    requests++;
    return answer(request.url);
  };
  const client = createClient({ baseUrl: "http://ads.test", apiKey: "test-key", fetch });
  await client.jobs.list({ limit: 10 });
  const before = await heapBytes();
  const controller = new AbortController();
  const ended = begin(client, controller.signal);
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  const bytes = (await heapBytes()) - before;
  const abortedAt = performance.now();
  controller.abort();
  await ended;
  const abortMs = Math.round(performance.now() - abortedAt);
  console.log(
    `${name}: ${Math.round(bytes / count)} bytes of heap a wait, ` +
      `${requests} requests, aborted in ${abortMs} ms`,
  );
};

const options = { intervalMs: 60_000, maxIntervalMs: 60_000 };

await measure("10,000 pollJob, one signal", (client, signal) =>
  Promise.allSettled(ids.map((id) => pollJob(client, id, { ...options, signal }))),
);
await measure("10,000 pollJob, a signal each", (client, signal) =>
  Promise.allSettled(
    ids.map((id) => pollJob(client, id, { ...options, signal: AbortSignal.any([signal]) })),
  ),
);
await measure("pollJobs of 10,000", (client, signal) =>
  pollJobs(client, ids, { ...options, signal }),
);
