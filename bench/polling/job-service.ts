/** A service whose jobs take the times that a benchmark sets, by the process's clock. */
import { type AdGenClient, type ClientOptions, createClient } from "adgen-sdk";
import type { Wait } from "./effort.ts";

interface ServedJob {
  readonly startedAt: number;
  readonly durationMs: number;
  polls: number;
}

/** The service, for every format of answers. */
export interface JobService {
  /** Sets the duration of the job that is submitted next. */
  readonly prepare: (durationMs: number) => void;
  readonly submit: () => string;
  /** Counts a poll of the job, and tells whether it has finished. */
  readonly poll: (id: string) => boolean;
  /** Tells about the wait for the job that was submitted last, when the wait has just ended. */
  readonly lastWait: () => Wait;
}

export const createJobService = (): JobService => {
  const jobs = new Map<string, ServedJob>();
  let nextMs = 0;
  let last: ServedJob | undefined;
  return {
    prepare: (durationMs) => {
      nextMs = durationMs;
    },
    submit: () => {
      last = { startedAt: performance.now(), durationMs: nextMs, polls: 0 };
      const id = `job_${jobs.size}`;
      jobs.set(id, last);
      return id;
    },
    poll: (id) => {
      const job = jobs.get(id);
      if (job === undefined) throw new Error(`No job ${id} was submitted`);
      job.polls += 1;
      return performance.now() - job.startedAt >= job.durationMs;
    },
    lastWait: () => {
      if (last === undefined) throw new Error("No job was submitted");
      const { startedAt, durationMs, polls } = last;
      return { durationMs, polls, delayMs: performance.now() - startedAt - durationMs };
    },
  };
};

const answer = (data: object): Response => Response.json({ success: true, data, error: null });

/** The action of all jobs. */
export const action = "generate-ad";

/** Makes a client of ours whose requests the service answers. */
export const clientOf = (service: JobService, options?: ClientOptions): AdGenClient =>
  createClient({
    baseUrl: "https://ads.test",
    apiKey: "test-key",
    fetch: async ({ method, url }) => {
      if (method === "POST") return answer({ job_id: service.submit(), status: "queued", action });
      const id = url.slice(url.lastIndexOf("/") + 1);
      const status = service.poll(id) ? "completed" : "processing";
      return answer({ job_id: id, status, action, created_at: "2026-01-01T00:00:00Z", result: {} });
    },
    ...options,
  });
