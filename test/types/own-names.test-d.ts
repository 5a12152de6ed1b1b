/** The additions below hold for every file that is checked with this one: their names are odd. */
import { createClient, type Job, type JobRequest, pollJob } from "adgen-sdk";
import { expectTypeOf, test } from "vitest";

declare module "adgen-sdk" {
  interface ExtraJobParameters {
    test_style?: "noir" | "plain";
  }
  interface ExtraJobFields {
    test_cost?: number;
  }
}

const client = createClient();

test("a parameter that is declared is known to every request, with its own type", async () => {
  interface Styled {
    action: "edit-ad";
    test_style: "noir";
  }
  const request: JobRequest = { action: "generate-ad-copy", test_style: "noir" };
  await client.jobs.submit(request);
  await client.jobs.submit({} as Styled);
  await client.jobs.submit({ action: "generate-ad", test_style: "noir" });
  await client.jobs.submitAndPoll({ action: "video-a-2", test_style: "plain" });
  // @ts-expect-error: no such style
  await client.jobs.submit({ action: "generate-ad", test_style: "loud" });
  // @ts-expect-error: misspelt
  await client.jobs.submit({ action: "generate-ad", test_stlye: "noir" });
});

test("a field that is declared is read from every job, and lets no other name through", async () => {
  const job = await client.jobs.submit({ action: "generate-ad" });
  const [listed] = (await client.jobs.list()).items;
  const finished = await pollJob(client, job);
  type Cost = number | undefined;
  expectTypeOf(job.test_cost).toEqualTypeOf<Cost>();
  expectTypeOf<Job["test_cost"]>().toEqualTypeOf<Cost>();
  expectTypeOf(finished.test_cost).toEqualTypeOf<Cost>();
  expectTypeOf(listed?.test_cost).toEqualTypeOf<Cost>();
  // @ts-expect-error: misspelt
  finished.test_costs;
});
