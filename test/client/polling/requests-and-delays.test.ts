// How many requests a wait costs, and how late it sees the end of its job, in virtual time.
import { createClient, pollJob, pollJobs } from "adgen-sdk";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { useFakedTime } from "../../helpers/faked-time.ts";
import { createRandom } from "../../helpers/random.ts";

useFakedTime();
// Many waits set more timers than vitest takes for an endless loop.
beforeEach(() => void vi.useFakeTimers({ loopLimit: 1_000_000 }));

const latencyMs = 100;

/** A service whose jobs take a random time between two bounds, and whose answers take 100 ms. */
const createService = (minMs: number, maxMs: number) => {
  const random = createRandom(7);
  vi.spyOn(Math, "random").mockImplementation(createRandom(11));
  onTestFinished(() => void vi.restoreAllMocks());
  const ends = new Map<string, number>();
  const seenAt = new Map<string, number>();
  let gets = 0;
  let atOnce = 0;
  let maxAtOnce = 0;
  const answer = (method: string, url: string): object => {
    if (method === "POST") {
      const job_id = `job_${ends.size}`;
      ends.set(job_id, performance.now() + minMs + random() * (maxMs - minMs));
      return { job_id, status: "queued" };
    }
    gets += 1;
    const job_id = url.slice(url.lastIndexOf("/") + 1);
    if (performance.now() < Number(ends.get(job_id))) return { job_id, status: "processing" };
    seenAt.set(job_id, performance.now() + latencyMs / 2);
    return { job_id, status: "completed", result: null };
  };
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const client = createClient({
    baseUrl: "http://ads.test",
    apiKey: "test-key",
    fetch: async ({ method, url }) => {
      maxAtOnce = Math.max(maxAtOnce, ++atOnce);
      // Jobs that are submitted together begin within a tenth of a second.
      await wait(method === "POST" ? latencyMs * random() : latencyMs / 2);
      const data = answer(method, url);
      await wait(latencyMs / 2);
      atOnce -= 1;
      return Response.json({ success: true, data, error: null }, { status: 202 });
    },
  });
  const submit = () => client.jobs.submit({ action: "generate-ad" });
  /** Waits for new jobs to their end, and measures it. */
  const measure = async (count: number, concurrency: number | undefined) => {
    const waits = async () => {
      const jobs = await Promise.all(Array.from({ length: count }, submit));
      gets = 0;
      maxAtOnce = 0;
      if (concurrency !== undefined) await pollJobs(client, jobs, { concurrency });
      else await Promise.all(jobs.map((job) => pollJob(client, job)));
      const delays = jobs.map(
        ({ job_id }) => Number(seenAt.get(job_id)) - Number(ends.get(job_id)),
      );
      return {
        requests: gets / count,
        meanS: delays.reduce((sum, delay) => sum + delay, 0) / count / 1_000,
        maxS: Math.max(...delays) / 1_000,
        maxAtOnce,
      };
    };
    const measured = waits();
    await vi.runAllTimersAsync();
    return measured;
  };
  return { measure };
};

const seconds = { "8 to 12 s": [8, 12], "30 to 60 s": [30, 60], "2 to 5 min": [120, 300] } as const;

/** Limits, a fifth above what was measured: requests per job, mean and longest delay in seconds. */
type Limits = readonly [requests: number, meanS: number, maxS: number];

/** Ways to wait: by `pollJob`, or by one `pollJobs` with this many polls at once. */
const ways = { pollJob: undefined, pollJobs: 20, "an overloaded pollJobs": 5 } as const;

test.each<[number, keyof typeof ways, keyof typeof seconds, cold: Limits, warm: Limits]>([
  [20, "pollJob", "8 to 12 s", [6, 1.4, 3], [3, 1.5, 3]],
  [40, "pollJobs", "8 to 12 s", [6, 1.4, 3], [3, 1.5, 3]],
  // 250 waits that share 5 places have the load of 1,000 waits that share 20.
  [250, "an overloaded pollJobs", "8 to 12 s", [3.3, 3, 6.5], [2, 3, 6.5]],
  [20, "pollJob", "30 to 60 s", [22, 2.8, 7.5], [9, 3, 8]],
  [40, "pollJobs", "30 to 60 s", [22, 2.8, 7.5], [9, 3.3, 8]],
  [20, "pollJob", "2 to 5 min", [45, 6, 12.5], [16, 7, 14]],
  [40, "pollJobs", "2 to 5 min", [45, 6, 12.5], [16, 7, 14]],
])("%i waits by %s for jobs of %s cost few requests and end soon", async (...row) => {
  const [count, way, duration, ...limits] = row;
  const [min, max] = seconds[duration];
  const service = createService(min * 1_000, max * 1_000);
  const concurrency = ways[way];
  const cold = await service.measure(count, concurrency);
  if (count < 25) await service.measure(25, concurrency);
  const warm = await service.measure(count, concurrency);
  for (const [place, measured] of [cold, warm].entries()) {
    const [requests = 0, meanS = 0, maxS = 0] = limits[place] ?? [];
    expect(measured.requests).toBeLessThan(requests);
    expect(measured.meanS).toBeLessThan(meanS);
    expect(measured.maxS).toBeLessThan(maxS);
    expect(measured.maxAtOnce).toBeLessThanOrEqual(concurrency ?? count);
  }
});
