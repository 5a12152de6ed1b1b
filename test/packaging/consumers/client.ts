/** A user of the client, checked by compilers; `use` runs. */
import {
  type AdGenClient,
  actions,
  createClient,
  createPollTicket,
  type FinishedJob,
  isAdGenError,
  PaymentRequiredError,
  type PollClient,
  pollJob,
  pollJobs,
  pollOnce,
  type StandardSchema,
  submitMany,
  toResult,
  watchJob,
  watchJobs,
} from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";

declare module "adgen-sdk" {
  interface ExtraJobParameters {
    consumer_seed?: number;
    consumer_style?: string;
  }
  interface ExtraJobFields {
    consumer_note?: string;
  }
}

const client = createClient({ baseUrl: "https://api.example.com", apiKey: "test-key" });

export const use = async (baseUrl: string): Promise<string> => {
  const { jobs } = createClient({ baseUrl, apiKey: "test-key" });
  const job = await jobs.submit({ action: "generate-ad", prompt: "Summer sale" });
  const { status } = await pollJob({ jobs }, job.job_id);
  return `${job.status}, ${status}, ${(await mocked.jobs.submit({ action: "edit-ad" })).status}`;
};

interface OwnRequest {
  action: "edit-ad";
  prompt: string;
  images: string[];
}

/** A request typed by an interface, and a client written by hand. */
export const ownTypes = async (request: OwnRequest): Promise<string> => {
  const fake: PollClient = {
    jobs: { get: async () => ({ job_id: "job_1", status: "completed", result: 7 }) },
  };
  const { job_id } = await client.jobs.submit(request);
  return (await pollJob(fake, job_id, { onPollFailed: ({ code }) => code })).status;
};

const service = createMockService();

export const mocked = createClient({
  baseUrl: "https://api.example.com",
  apiKey: "test-key",
  fetch: service.fetch,
});

/** Every namespace, every method. */
export const everything = async (sdk: AdGenClient, signal?: AbortSignal): Promise<unknown[]> => {
  const options = { signal, timeoutMs: 5_000, headers: { "x-trace": "1" }, maxRetries: 1 };
  const job = await sdk.jobs.submit(
    { action: "video-a-2", duration: 5, consumer_seed: 7, consumer_style: "noir" },
    options,
  );
  const finished: FinishedJob = await sdk.jobs.submitAndPoll(
    { action: "generate-ad-copy", prompt: "Lemonade", variations: 2 },
    { signal, onUpdate: ({ status }) => status },
  );
  for await (const seen of watchJob(sdk, job)) if (seen.status === "processing") break;
  const [first] = await pollJobs(sdk, [job, finished.job_id], { concurrency: 2 });
  const brand = await sdk.brands.create({ name: "Acme", colour: "red" }, options);
  const ad = await sdk.savedAds.create({ brand_id: brand.id, headline: "Cold" }, options);
  return [
    first?.ok ? first.data.status : first?.error.code,
    (await sdk.jobs.get(job, options)).status,
    (await sdk.jobs.list({ limit: 5 }, options)).items.map(({ job_id }) => job_id),
    (await sdk.brands.list({ limit: 5 }, { signal })).meta,
    (await sdk.brands.update(brand.id, { name: "Acme & Co" }, options)).id,
    (await sdk.brands.listAds(brand.id)).items.map(({ id }) => id),
    (await sdk.savedAds.delete(ad.id, options)).deleted,
    (await sdk.brands.delete(brand.id, options)).id,
    actions.length,
  ];
};

/** A user's own library exports what functions return without annotations. */
export const own = {
  submit: () => client.jobs.submit({ action: "generate-ad" }),
  list: () => client.jobs.list(),
  createBrand: () => client.brands.create({ name: "Acme" }),
  finished: () => pollJob(client, "job_1"),
  async completed() {
    const job = await pollJob(client, "job_1");
    if (job.status === "failed") throw new Error(job.error);
    return job;
  },
  polled: () => pollOnce(client, createPollTicket("job_1", { timeoutMs: 5 })),
  watch: () => watchJob(client, "job_1"),
  watchAll: () => watchJobs(client, ["job_1"]),
  batch: () => submitMany(client, [{ action: "generate-ad" }, { action: "video-a-2" }]),
  result: () => toResult(client.jobs.get("job_1")),
  caught: (error: unknown) => (isAdGenError(error) ? error : undefined),
};

declare const imagesSchema: StandardSchema<unknown, { images: { url: string }[] }>;

/** The key may be `undefined`, as an environment variable, and results have the schema's type. */
export const typed = async (apiKey: string | undefined): Promise<string | undefined> => {
  const sdk = createClient({ apiKey, schemas: { results: { "generate-ad": imagesSchema } } });
  const job = await sdk.jobs.submit({ action: "generate-ad", prompt: "Lemonade" });
  try {
    const finished = await pollJob(sdk, job.job_id);
    if (finished.status === "failed") return finished.error;
    const [image] = finished.result.images;
    return image?.url;
  } catch (error) {
    if (error instanceof PaymentRequiredError && error.outcome === "refused") return error.code;
    throw error;
  }
};
