/** A client's first batch: it knows no durations yet, and many equal jobs begin at one moment. */
import { type AdGenClient, createClient, pollJobs, submitMany } from "adgen-sdk";
import { action } from "./job-service.ts";
import { drawEvenly, exponential, type Law, uniform } from "./laws.ts";
import { createRandom } from "./random.ts";
import type { VirtualClock } from "./virtual-clock.ts";

const jobs = 200;
const latencyMs = 20;

/** Kinds of jobs, each as likely as the other. */
const kinds = (...seconds: readonly number[]): Law => ({
  name: `equal parts of ${seconds.join(", ")} s`,
  quantile: (u) =>
    1_000 * (seconds[Math.min(seconds.length - 1, Math.floor(u * seconds.length))] ?? 0),
});

const laws = [uniform(8_000, 12_000), exponential(10_000), kinds(3, 12), kinds(4, 8, 12)];

/** Time between the end of a job and the moment in which its wait shows it. */
export interface FirstBatch {
  readonly what: string;
  readonly meanDelayMs: number;
  readonly longestDelayMs: number;
  /** Requests a job, the submission not counted. */
  readonly requests: number;
}

/** A service whose jobs take these times from their submission on. */
const createService = (durations: readonly number[]) => {
  const ends = new Map<string, number>();
  let requests = 0;
  const show = (id: string) => {
    const status = performance.now() >= (ends.get(id) ?? 0) ? "completed" : "processing";
    return { job_id: id, status, action, result: {} };
  };
  const client = createClient({
    baseUrl: "https://ads.test",
    apiKey: "test-key",
    fetch: async ({ url, method }) => {
      await new Promise((resolve) => setTimeout(resolve, latencyMs));
      const { pathname, searchParams } = new URL(url);
      if (method === "POST") {
        const id = `job_${ends.size}`;
        ends.set(id, performance.now() + (durations[ends.size] ?? 0));
        const data = { job_id: id, status: "queued" };
        return Response.json({ success: true, data, error: null }, { status: 202 });
      }
      requests += 1;
      const id = pathname.split("/")[3];
      const limit = Number(searchParams.get("limit") ?? 100);
      const data = id ? show(id) : { jobs: [...ends.keys()].slice(-limit).reverse().map(show) };
      return Response.json({ success: true, data, error: null });
    },
  });
  return { client, ends, requests: () => requests };
};

type Wait = (client: AdGenClient, onFinished: (jobId: string) => void) => Promise<void>;

const requestsOf = () => Array.from({ length: jobs }, () => ({ action, prompt: "An ad" }) as const);

const ways: Readonly<Record<string, Wait>> = {
  submitMany: async (client, onFinished) => {
    for await (const { jobId = "" } of submitMany(client, requestsOf())) onFinished(jobId);
  },
  pollJobs: async (client, onFinished) => {
    const submitted = await Promise.all(requestsOf().map((request) => client.jobs.submit(request)));
    await pollJobs(client, submitted, {
      onUpdate: ({ job_id, status }) => {
        if (status === "completed") onFinished(job_id);
      },
    });
  },
};

/** Measures how late the jobs of a first batch are noticed. */
export const measureFirstBatches = async (clock: VirtualClock): Promise<FirstBatch[]> => {
  const found: FirstBatch[] = [];
  for (const [way, wait] of Object.entries(ways)) {
    for (const law of laws) {
      Math.random = createRandom(1);
      const { client, ends, requests } = createService(drawEvenly(law, jobs, createRandom(2)));
      const delays: number[] = [];
      await clock.run(() =>
        wait(client, (id) => delays.push(performance.now() - (ends.get(id) ?? 0))),
      );
      found.push({
        what: `first batch of ${jobs} by ${way}, ${law.name}`,
        meanDelayMs: delays.reduce((sum, delay) => sum + delay, 0) / delays.length,
        longestDelayMs: Math.max(...delays),
        requests: requests() / jobs,
      });
    }
  }
  return found;
};
