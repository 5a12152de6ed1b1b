// A test suite as you would write it for your own program, with the mock in the service's place.
//
//   npx vitest run   in your project; here test/examples.test.ts runs it
import { type AdGenClient, createClient, PaymentRequiredError, pollJob } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import { createHandlers } from "adgen-sdk/mocks/msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";

/** Your program. It knows nothing of the mock. */
const makeBanners = async (client: AdGenClient, count: number): Promise<string> => {
  const request = { action: "generate-ad", prompt: "Lemonade", variations: count } as const;
  const job = await client.jobs.submitAndPoll(request);
  return job.status === "failed" ? `failed: ${job.error}` : job.job_id;
};

const service = createMockService({
  accounts: { "test-key": {}, "poor-key": { credits: { image: { monthly: 2 } } } },
});
const server = setupServer(...createHandlers(service));
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterEach(() => service.reset());
afterAll(() => server.close());

const baseUrl = "https://api.example.com";
const client = createClient({ baseUrl, apiKey: "test-key" });

test("three banners cost three credits", async () => {
  const jobId = await makeBanners(client, 3);
  const { credits, ledger } = service.account("test-key");
  expect(credits.image).toEqual({ monthly: 97, purchased: 0 });
  expect(ledger.at(-1)).toMatchObject({ reason: "charge", monthly: -3, jobId });
});

test("banners that cannot be paid for are not made", async () => {
  const poor = createClient({ baseUrl, apiKey: "poor-key" });
  await expect(makeBanners(poor, 3)).rejects.toThrow(PaymentRequiredError);
  expect(service.account("poor-key").credits.image.monthly).toBe(2);
});

test("a failed job says why", async () => {
  const job = await client.jobs.submit({ action: "generate-ad", prompt: "Lemonade" });
  service.jobs.fail(job.job_id, "The prompt was refused");
  const finished = await pollJob(client, job);
  expect(finished).toMatchObject({ status: "failed", error: "The prompt was refused" });
});

test("without msw, where it does not run", async () => {
  const direct = createClient({ baseUrl, apiKey: "test-key", fetch: service.fetch });
  expect(await makeBanners(direct, 1)).toMatch(/^job_/);
});
