import {
  type AdGenClient,
  type AnyAdGenError,
  type Brand,
  type CallOptions,
  type ClientOptions,
  createClient,
  type PollClient,
  type PollJobsOptions,
  type PollOptions,
  pollJob,
  pollJobs,
  watchJob,
} from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";

const schemas = {
  brand: z.object({ id: z.string(), name: z.string() }),
  savedAd: z.object({ id: z.string(), url: z.url() }),
  results: { "generate-ad": z.object({ images: z.array(z.string()) }) },
};
const plain = createClient();
const rich = createClient({ schemas });

describe("AdGenClient without its generic", () => {
  const useClient = (client: AdGenClient) => client.brands.list();

  test("takes a client without schemas, and one with them", () => {
    void useClient(plain);
    void useClient(rich);
    expectTypeOf(plain).toExtend<AdGenClient>();
    expectTypeOf(rich).toExtend<AdGenClient>();
    expectTypeOf(useClient).returns.resolves.toHaveProperty("items").toEqualTypeOf<Brand[]>();
  });

  test("takes a client whose schemas give other things", () => {
    void useClient(createClient({ schemas: { brand: z.object({}).transform(() => new Date()) } }));
  });

  test("can be written out for a client with schemas", () => {
    expectTypeOf(rich).toExtend<AdGenClient<{ brand: typeof schemas.brand }>>();
    expectTypeOf(plain).not.toExtend<AdGenClient<{ brand: typeof schemas.brand }>>();
  });

  test("serves as the client of a wait", () => {
    const wait = (client: PollClient) => pollJob(client, "job_1");
    void wait(plain);
    void wait(rich);
    void wait({ jobs: { get: plain.jobs.get } });
    void wait({ jobs: { get: rich.jobs.get } });
  });
});

describe("options", () => {
  test("take what the platform gives", () => {
    createClient({ fetch: globalThis.fetch, baseUrl: new URL("https://ads.test") });
    createClient({ fetch: async (request: Request) => new Response(request.body) });
    createClient({ apiKey: () => "key", hooks: { onDrift: async () => {} } });
    createClient({ apiKey: async () => "key" });
    createClient({ apiKey: null });
    // @ts-expect-error: misspelt
    createClient({ baseURL: "https://ads.test" });
    // @ts-expect-error: a number
    createClient({ timeoutMs: "5" });
  });

  test("take the mock's fetch", () => {
    createClient({ fetch: createMockService().fetch });
  });

  test("take undefined for an absent one", () => {
    const none: Required<{ [K in keyof ClientOptions]: undefined }> = {
      baseUrl: undefined,
      apiKey: undefined,
      apiKeyPrefix: undefined,
      fetch: undefined,
      headers: undefined,
      timeoutMs: undefined,
      totalTimeoutMs: undefined,
      maxRetries: undefined,
      maxResponseBytes: undefined,
      schemas: undefined,
      durations: undefined,
      submissions: undefined,
      callIds: undefined,
      allowBrowserKey: undefined,
      hooks: undefined,
    };
    createClient(none);
    createClient({ apiKey: process.env["ADGEN_API_KEY"], baseUrl: process.env["ADGEN_BASE_URL"] });
    createClient({ schemas: { brand: undefined, results: { "edit-ad": undefined } } });
  });

  test("of a call take undefined for an absent one", async () => {
    const none: Required<{ [K in keyof CallOptions]: undefined }> = {
      signal: undefined,
      timeoutMs: undefined,
      totalTimeoutMs: undefined,
      maxRetries: undefined,
      headers: undefined,
      onResponse: undefined,
    };
    await plain.jobs.submit({ action: "generate-ad" }, none);
    await plain.brands.list({ ...none, query: undefined });
    // @ts-expect-error: the controller in its signal's place
    await plain.jobs.get("job_1", { signal: new AbortController() });
    // @ts-expect-error: misspelt
    await plain.jobs.get("job_1", { timeout: 5 });
  });

  test("of a wait take undefined for an absent one", async () => {
    const none: Required<{ [K in keyof PollOptions]: undefined }> = {
      intervalMs: undefined,
      maxIntervalMs: undefined,
      targetDelayMs: undefined,
      timeoutMs: undefined,
      signal: undefined,
      waker: undefined,
      onUpdate: undefined,
      onPollFailed: undefined,
    };
    const many: Required<{ [K in keyof PollJobsOptions]: undefined }> = {
      ...none,
      concurrency: undefined,
    };
    await pollJob(plain, "job_1", none);
    await plain.jobs.submitAndPoll({ action: "generate-ad" }, none);
    await pollJobs(plain, ["job_1"], many);
    watchJob(plain, "job_1", none);
    await pollJob(plain, "job_1", { onUpdate: async ({ status }) => void status });
    await pollJob(plain, "job_1", {
      onPollFailed: (error) => expectTypeOf(error).toEqualTypeOf<AnyAdGenError>(),
    });
    // @ts-expect-error: misspelt
    await pollJob(plain, "job_1", { interval: 5 });
    // @ts-expect-error: for many waits only
    await pollJob(plain, "job_1", { concurrency: 5 });
  });

  test("are complete as ClientOptions", () => {
    const options: ClientOptions = { schemas, timeoutMs: 5 };
    expectTypeOf(createClient(options)).toExtend<AdGenClient>();
  });
});

describe("jobs to wait for", () => {
  test("are named by id, by job, or by anything that holds an id", async () => {
    const job = await plain.jobs.submit({ action: "generate-ad" });
    await pollJob(plain, job);
    await pollJob(plain, job.job_id);
    await pollJob(plain, { job_id: "job_1" });
    await pollJob(plain, { job_id: "job_1", action: undefined });
    await pollJob(plain, { job_id: "job_1", paidBy: "Ann" } as { job_id: string });
    await pollJob(plain, (await plain.jobs.list()).items[0] ?? "job_1");
    // @ts-expect-error: no id
    await pollJob(plain, { id: "job_1" });
    // @ts-expect-error: no such action
    await pollJob(plain, { job_id: "job_1", action: "generate-ads" });
  });

  test("are many in any iterable, but not in one text", async () => {
    await pollJobs(plain, new Set(["job_1"]));
    await pollJobs(plain, (await plain.jobs.list()).items);
    // @ts-expect-error: its characters
    await pollJobs(plain, "job_1");
  });
});
