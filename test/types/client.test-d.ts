import * as sdk from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import type { Doubt } from "adgen-sdk/submissions";
import ky from "ky";
import { expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { DecodeIssue, DecodeReason } from "../../src/client/errors/error-fields.ts";
import type { ReachedLimit } from "../../src/contract/proxy-answers.ts";

const { createClient, isAdGenError, pollJob, pollJobs, toResult, watchJob } = sdk;
const schemas = {
  brand: z.object({ id: z.string(), name: z.string() }),
  savedAd: z.object({ id: z.string(), url: z.url() }),
  results: { "generate-ad": z.object({ images: z.array(z.string()) }) },
};
const plain = createClient();
const rich = createClient({ schemas });

test("AdGenClient without its generic takes a client with or without schemas", () => {
  const useClient = (client: sdk.AdGenClient) => client.brands.list();
  void useClient(plain);
  void useClient(rich);
  void useClient(createClient({ schemas: { brand: z.object({}).transform(() => new Date()) } }));
  expectTypeOf(useClient).returns.resolves.toHaveProperty("items").toEqualTypeOf<sdk.Brand[]>();
  expectTypeOf(rich).toExtend<sdk.AdGenClient<{ brand: typeof schemas.brand }>>();
  expectTypeOf(plain).not.toExtend<sdk.AdGenClient<{ brand: typeof schemas.brand }>>();
  const wait = (client: sdk.PollClient) => pollJob(client, "job_1");
  for (const client of [plain, rich]) {
    void wait(client);
    void wait({ jobs: { get: client.jobs.get } });
  }
});

test("options take what the platform and the mock provide", () => {
  createClient({ fetch: globalThis.fetch, baseUrl: new URL("https://ads.test") });
  createClient({ fetch: async (request: Request) => new Response(request.body) });
  createClient({ fetch: createMockService().fetch, apiKey: () => "key" });
  createClient({ ky: ky.create({ headers: { "x-app": "shop" } }) });
  createClient({ apiKey: async () => "key", hooks: { onDrift: async () => {} } });
  createClient({ apiKey: null });
  createClient({ apiKey: process.env["ADGEN_API_KEY"], baseUrl: process.env["ADGEN_BASE_URL"] });
});

test("options may be undefined", () => {
  type None<Options> = { [Name in keyof Required<Options>]: undefined };
  type AllActions = Required<NonNullable<sdk.ClientSchemas["results"]>>;
  expectTypeOf<None<sdk.ClientOptions>>().toExtend<sdk.ClientOptions>();
  expectTypeOf<None<sdk.CallOptions>>().toExtend<sdk.CallOptions>();
  expectTypeOf<None<sdk.PollOptions>>().toExtend<sdk.PollOptions>();
  expectTypeOf<None<sdk.PollJobsOptions>>().toExtend<sdk.PollJobsOptions>();
  expectTypeOf<None<sdk.ClientSchemas>>().toExtend<sdk.ClientSchemas>();
  expectTypeOf<{ results: None<AllActions> }>().toExtend<sdk.ClientSchemas>();
});

test("a job is named by its id or an object that holds it, and many jobs by any iterable", async () => {
  const job = await plain.jobs.submit({ action: "generate-ad" });
  await pollJob(plain, job);
  await pollJob(plain, job.job_id);
  await pollJob(plain, { job_id: "job_1", action: undefined });
  await pollJob(plain, { job_id: "job_1", paidBy: "Ann" } as { job_id: string });
  const { items } = await plain.jobs.list();
  await pollJob(plain, items[0] ?? "job_1");
  await pollJobs(plain, new Set(["job_1"]));
  await pollJobs(plain, items);
  // @ts-expect-error: no id
  await pollJob(plain, { id: "job_1" });
  // @ts-expect-error: no such action
  await pollJob(plain, { job_id: "job_1", action: "generate-ads" });
  // @ts-expect-error: its characters
  await pollJobs(plain, "job_1");
});

test("a client written by hand serves every wait without a cast, and must give jobs", async () => {
  const client: sdk.PollClient = {
    jobs: { get: async () => ({ job_id: "job_1", status: "completed", result: 7 }) },
  };
  expectTypeOf(await pollJob(client, "job_1")).toEqualTypeOf<sdk.FinishedJob>();
  expectTypeOf(await pollJobs(client, ["job_1"])).toEqualTypeOf<sdk.RequestResult[]>();
  for await (const job of watchJob(client, { job_id: "job_1", action: "generate-ad" })) {
    expectTypeOf(job).toEqualTypeOf<sdk.Job>();
  }
  const get = async (job: sdk.JobRef, options?: sdk.CallOptions): Promise<sdk.Job> => {
    options?.signal?.throwIfAborted();
    return { job_id: typeof job === "string" ? job : job.job_id, status: "queued" };
  };
  await pollJob({ jobs: { get } }, "job_1");
  // @ts-expect-error: no job
  void pollJob({ jobs: { get: async () => ({ id: "job_1" }) } }, "job_1");
  // @ts-expect-error: no such status
  void pollJob({ jobs: { get: async () => ({ job_id: "a", status: "done" }) } }, "a");
  // @ts-expect-error: no client
  void pollJob({ get: async () => ({ job_id: "a", status: "failed" }) }, "a");
});

test("a client written by hand serves code that submits and waits", async () => {
  const makeAd = async (client: {
    jobs: Pick<sdk.JobsResource, "submit"> & sdk.PollClient["jobs"];
  }) => pollJob(client, await client.jobs.submit({ action: "generate-ad", variations: 2 }));
  expectTypeOf(makeAd).returns.resolves.toEqualTypeOf<sdk.FinishedJob>();
  const submit = async () => ({ job_id: "job_1", status: "queued" }) as const;
  await makeAd({ jobs: { submit, get: async () => ({ job_id: "a", status: "failed" }) } });
  await makeAd({} as sdk.AdGenClient);
});

test("an error narrows by its code to the fields of its class", () => {
  const read = (error: sdk.AnyAdGenError) => {
    // @ts-expect-error: not every error has issues
    error.issues;
    // @ts-expect-error: not every error has supported actions
    error.supportedActions;
    // @ts-expect-error: misspelt
    if ((error as sdk.AdGenError).code === "payment-required") return;
    if (error.code === "payment_required") {
      return expectTypeOf(error).toEqualTypeOf<sdk.PaymentRequiredError>();
    }
    if (error.code === "decode") return expectTypeOf(error.reason).toEqualTypeOf<DecodeReason>();
    if (error.code === "in_doubt") return expectTypeOf(error.doubt).toEqualTypeOf<Doubt>();
    if (error.code === "under_way") return expectTypeOf(error.retryAfterMs).toEqualTypeOf<number>();
    if (error.code === "poll_timeout") expectTypeOf(error.lastJob?.["status"]).toBeUnknown();
  };
  expectTypeOf(read).toBeFunction();
});

test("a caught error narrows by isAdGenError, and by its class", () => {
  const handle = (caught: unknown) => {
    if (caught instanceof sdk.PaymentRequiredError) {
      expectTypeOf(caught.code).toEqualTypeOf<"payment_required">();
      expectTypeOf(caught.limit).toEqualTypeOf<ReachedLimit | undefined>();
    } else if (caught instanceof sdk.DecodeError) {
      type Path = readonly (string | number)[];
      expectTypeOf(caught.issues[0]?.path).toEqualTypeOf<Path | undefined>();
      expectTypeOf(caught.issues).toEqualTypeOf<readonly DecodeIssue[]>();
    }
    if (!isAdGenError(caught)) return;
    expectTypeOf(caught).toExtend<sdk.AnyAdGenError>();
    expectTypeOf(caught.outcome).toEqualTypeOf<sdk.Outcome | undefined>();
    expectTypeOf(caught.jobId).toEqualTypeOf<string | undefined>();
    expectTypeOf(caught.retryAfterMs).toEqualTypeOf<number | undefined>();
  };
  expectTypeOf(handle).toBeFunction();
  expectTypeOf(isAdGenError).guards.toEqualTypeOf<sdk.AnyAdGenError>();
});

test("a Result narrows on ok, and on its error if it is destructured", async () => {
  type Job = sdk.SubmittedJob<"generate-ad">;
  const result = await toResult(plain.jobs.submit({ action: "generate-ad" }));
  expectTypeOf(result).toEqualTypeOf<sdk.Result<Job>>();
  if (result.ok) {
    expectTypeOf(result.data).toEqualTypeOf<Job>();
    expectTypeOf(result.error).toBeUndefined();
  } else {
    expectTypeOf(result.error).toEqualTypeOf<sdk.AnyAdGenError>();
    expectTypeOf(result.data).toBeUndefined();
  }
  const { data, error } = await toResult(plain.jobs.get("job_1"));
  if (error === undefined) expectTypeOf(data.job_id).toBeString();
});
