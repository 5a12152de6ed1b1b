import {
  createClient,
  type ExtraJobParameters,
  type FinishedJob,
  type ImageJobRequest,
  type Job,
  type JobRequest,
  type KnownParametersOnly,
  pollJob,
  type UnknownParameter,
  type VideoJobRequest,
} from "adgen-sdk";
import { describe, expectTypeOf, test } from "vitest";

const client = createClient();
const { jobs } = client;

describe("a mistake in a request does not compile", () => {
  test("variations of a video", async () => {
    // @ts-expect-error: a job makes one video
    await jobs.submit({ action: "video-a-2", variations: 2 });
    // @ts-expect-error: a job makes one video
    await jobs.submitAndPoll({ action: "video-b-3-0", duration: 5, variations: 2 });
    // @ts-expect-error: a job makes one video
    const request: JobRequest = { action: "video-a-2-pro", variations: 2 };
    expectTypeOf(request).toExtend<JobRequest>();
  });

  test("the duration of a picture, or of a text", async () => {
    // @ts-expect-error: a picture has no length
    await jobs.submit({ action: "generate-ad", duration: 5 });
    // @ts-expect-error: a picture has no length
    await jobs.submit({ action: "generate-ad", duration: "five" });
    // @ts-expect-error: a text has no length
    await jobs.submitAndPoll({ action: "generate-ad-copy", duration: 5 });
  });

  test("a misspelt parameter, however the request is written", async () => {
    // @ts-expect-error: misspelt
    await jobs.submit({ action: "generate-ad", variatons: 4 });
    // @ts-expect-error: misspelt
    await jobs.submitAndPoll({ action: "generate-ad", variatons: 4 });
    const constant = { action: "generate-ad", variatons: 4 } as const;
    // @ts-expect-error: misspelt
    await jobs.submit(constant);
    const variable = { action: "generate-ad" as const, variatons: 4 };
    // @ts-expect-error: misspelt
    await jobs.submit(variable);
    interface Misspelt {
      action: "generate-ad";
      variatons: number;
    }
    const typed = {} as Misspelt;
    // @ts-expect-error: misspelt
    await jobs.submit(typed);
    const isVideo = Math.random() > 0.5;
    const video = { action: "video-a-2", duration: 4 } as const;
    // @ts-expect-error: misspelt, in one of two
    await jobs.submit(isVideo ? video : { action: "generate-ad", variatons: 4 });
  });

  test("a misspelt parameter, and the message hints at the one that is near", () => {
    type Variation = KnownParametersOnly<{ action: "generate-ad"; variation: number }>;
    expectTypeOf<Variation["variation"]>().toEqualTypeOf<
      number & UnknownParameter<"variation", "did you mean variations?">
    >();
    type Prompts = KnownParametersOnly<{ action: "generate-ad"; prompts: string }>;
    expectTypeOf<Prompts["prompts"]>().toEqualTypeOf<
      string & UnknownParameter<"prompts", "did you mean prompt?">
    >();
  });

  test("a parameter that is near none, and the message lists those that there are", () => {
    type Style = KnownParametersOnly<{ action: "generate-ad"; style: string }>;
    expectTypeOf<Style["style"]>().toEqualTypeOf<
      string &
        UnknownParameter<
          "style",
          "no such parameter: there are prompt, images, variations, duration, brand_id"
        >
    >();

    type HintOf<Parameter> = Parameter extends UnknownParameter<string, infer Hint> ? Hint : never;
    type NamesIn<Hint> = Hint extends `${string}: there are ${infer Names}` ? Split<Names> : never;
    type Split<Names> = Names extends `${infer First}, ${infer Rest}` ? First | Split<Rest> : Names;
    expectTypeOf<NamesIn<HintOf<Style["style"]>>>().toEqualTypeOf<
      Exclude<keyof ImageJobRequest | keyof VideoJobRequest, "action" | keyof ExtraJobParameters>
    >();
  });

  test("parameters of one action beside a choice of actions", async () => {
    const action = "generate-ad" as "generate-ad" | "video-a-2";
    await jobs.submit({ action, prompt: "A dog" });
    // @ts-expect-error: a video has no variations
    await jobs.submit({ action, variations: 2 });
  });
});

describe("a mistake in a query does not compile", () => {
  test("an option of the call among the query's parameters", async () => {
    // @ts-expect-error: an option, not a query
    await jobs.list({ timeoutMs: 5_000 });
    // @ts-expect-error: an option, not a query
    await jobs.list({ limit: 5, maxRetries: 3 });
    // @ts-expect-error: an option, not a query
    await jobs.list({ totalTimeoutMs: 5_000 });
    // @ts-expect-error: an option, not a query
    await jobs.list({ signal: AbortSignal.timeout(5_000) });
    // @ts-expect-error: an option, not a query
    await client.brands.list({ query: { timeoutMs: 5_000 } });
    await jobs.list({ limit: 5 }, { timeoutMs: 5_000, maxRetries: 3 });
  });
});

describe("a mistake in reading a job does not compile", () => {
  test("a misspelt field", async () => {
    const job = {} as Job;
    // @ts-expect-error: misspelt
    job.stauts;
    const finished: FinishedJob = await pollJob(client, "job_1");
    // @ts-expect-error: misspelt
    finished.resutl;
    // @ts-expect-error: misspelt
    if (finished.status === "completed") finished.resutl;
    // @ts-expect-error: misspelt
    (await jobs.submit({ action: "edit-ad" })).jobId;
    // @ts-expect-error: misspelt
    (await jobs.list()).items[0]?.id;
  });

  test("a status that there is not", () => {
    const job = {} as Job;
    // @ts-expect-error: no such status
    if (job.status === "done") return;
    expectTypeOf(job).toEqualTypeOf<Job>();
  });
});
