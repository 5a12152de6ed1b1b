import type { MockService, MockServiceOptions } from "adgen-sdk/mocks";

export const authorization = "Bearer test-key";

const plenty = { monthly: 1_000_000_000, purchased: 0 };

/** Options of a service whose credits last, and whose jobs stay unfinished. */
export const benchOptions: MockServiceOptions = {
  accounts: { "test-key": { credits: { image: plenty, video: plenty } } },
  timeline: { queuedMs: 0, processingMs: Number.POSITIVE_INFINITY },
};

/** Options of the same service with jobs that are finished at the first poll. */
export const finishedOptions: MockServiceOptions = {
  ...benchOptions,
  timeline: { queuedMs: 0, processingMs: 0 },
};

/** A request as `fetch` takes it. */
export interface Ask {
  readonly path: string;
  readonly init: { method: string; headers: Record<string, string>; body?: string };
}

const ask = (method: string, path: string, body?: object): Ask => ({
  path,
  init: {
    method,
    headers: { authorization, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  },
});

const submission = {
  action: "generate-ad",
  prompt: "Summer sale on everything for the garden",
};

export const submitAd = ask("POST", "/v1/jobs", { ...submission, variations: 1 });

export const submitPictures = ask("POST", "/v1/jobs", { ...submission, variations: 4 });

export const createBrand = ask("POST", "/v1/brands", { name: "Acme", colors: ["#0a7", "#fc0"] });

export const getJob = (id: string): Ask => ask("GET", `/v1/jobs/${id}`);

export const listJobs = (limit: number): Ask => ask("GET", `/v1/jobs?limit=${limit}`);

export const sendAsk = (service: MockService, { path, init }: Ask): Promise<Response> =>
  service.fetch(`https://ads.test${path}`, init);

/** Submits a job and gives its id. */
export const submitJob = async (service: MockService, submission = submitAd): Promise<string> => {
  const { data } = await (await sendAsk(service, submission)).json();
  return data.job_id;
};
