import {
  createManualClock,
  createMockService,
  type MockServiceOptions,
} from "../../mocks/index.ts";
import { type Answered, createAsk } from "./ask.ts";

export const start = Date.UTC(2026, 0, 1);

export const minute = 60_000;

/** A timeline by which jobs complete at once. */
export const atOnce = { queuedMs: 0, processingMs: 0 };

/** Creates a service with two accounts and a clock that stands still, and functions that act as a client. */
export const setUp = (options: MockServiceOptions = {}) => {
  const clock = createManualClock(start);
  const accounts = { "test-key": {}, "test-b": {} };
  const service = createMockService({ accounts, clock, ...options });
  const ask = createAsk(service);
  const { jobs, faults, journal } = service;
  const post = (body: object, key = "test-key"): Promise<Answered> =>
    createAsk(service, key)("POST", "/v1/jobs", { action: "generate-ad", ...body });
  const poll = (id: string, key = "test-key"): Promise<Answered> =>
    createAsk(service, key)("GET", `/v1/jobs/${id}`);
  return {
    ...{ service, ask, clock, jobs, faults, journal, post, poll },
    account: service.account("test-key"),
    /** Submits a job, by default of "generate-ad", and returns its id. */
    submit: async (body: object = {}, key?: string): Promise<string> =>
      (await post(body, key)).data.job_id,
    /** Polls twice, which finishes a job without a timeline, and returns the job. */
    finish: async (id: string, key?: string) => {
      await poll(id, key);
      return (await poll(id, key)).data;
    },
    /** Sends this number of requests, one after the other. */
    list: async (times: number, path = "/v1/jobs"): Promise<void> => {
      for (let count = 0; count < times; count += 1) await ask("GET", path);
    },
  };
};
