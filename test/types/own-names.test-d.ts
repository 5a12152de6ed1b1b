/** The additions below hold for every file that is checked with this one: their names are odd. */
import { createClient, type Job, type JobRequest, pollJob } from "adgen-sdk";
import { describe, expectTypeOf, test } from "vitest";

declare module "adgen-sdk" {
  interface ExtraJobParameters {
    test_style?: "noir" | "plain";
  }
  interface ExtraJobFields {
    test_cost?: number;
  }
}

const client = createClient();

describe("a parameter that is declared", () => {
  test("is known to every request", async () => {
    await client.jobs.submit({ action: "generate-ad", test_style: "noir" });
    await client.jobs.submitAndPoll({ action: "video-a-2", test_style: "plain" });
    const request: JobRequest = { action: "generate-ad-copy", test_style: "noir" };
    await client.jobs.submit(request);
    interface Styled {
      action: "edit-ad";
      test_style: "noir";
    }
    await client.jobs.submit({} as Styled);
  });

  test("has its own type, and lets no other name through", async () => {
    // @ts-expect-error: no such style
    await client.jobs.submit({ action: "generate-ad", test_style: "loud" });
    // @ts-expect-error: misspelt
    await client.jobs.submit({ action: "generate-ad", test_stlye: "noir" });
  });
});

describe("a field that is declared", () => {
  test("is read from every job", async () => {
    const job = await client.jobs.submit({ action: "generate-ad" });
    expectTypeOf(job.test_cost).toEqualTypeOf<number | undefined>();
    expectTypeOf<Job["test_cost"]>().toEqualTypeOf<number | undefined>();
    const finished = await pollJob(client, job);
    expectTypeOf(finished.test_cost).toEqualTypeOf<number | undefined>();
    expectTypeOf((await client.jobs.list()).items[0]?.test_cost).toEqualTypeOf<
      number | undefined
    >();
  });

  test("lets no other name through", async () => {
    // @ts-expect-error: misspelt
    (await client.jobs.get("job_1")).test_costs;
  });
});
