// A client against the mock: what it learns, through each way to it.
import { createClient, toResult } from "adgen-sdk";
import { createMockService, type MockService } from "adgen-sdk/mocks";
import { expect, test } from "vitest";
import { adapters } from "../helpers/adapters.ts";

/** Ways from a client to the mock: its `fetch` option, or none where MSW intercepts. */
const ways = {
  "service.fetch": adapters["service.fetch"],
  "a wrapper of service.fetch": async ({ fetch }: MockService) => ({
    baseUrl: "https://ads.test",
    fetch: async (request: Request) => fetch(request),
    close: () => {},
  }),
  "MSW and the global fetch": adapters["msw/node"],
};

test.each(Object.entries(ways))(
  "a submission through %s is tried again after a refused connection, but not after a reset one",
  async (_, reach) => {
    const service = createMockService();
    const { close, ...reached } = await reach(service);
    const submit = (maxRetries: number) => {
      const client = createClient({ ...reached, apiKey: "test-key", maxRetries });
      return toResult(client.jobs.submit({ action: "generate-ad", prompt: "Summer sale" }));
    };
    const charges = () => service.account("test-key").charges.length;
    try {
      service.faults.play({ kind: "refuse" });
      const { error: refused } = await submit(0);
      expect(refused).toMatchObject({ code: "connection", outcome: "not-sent", attempts: 1 });
      expect(refused?.message).toBe("POST /v1/jobs got no answer: connect ECONNREFUSED");
      expect(charges()).toBe(0);

      service.faults.play({ kind: "refuse" }, { times: 2 });
      expect((await submit(2)).data?.status).toBe("queued");
      service.journal.assertCount(4, { operation: "jobs.submit" });
      expect(charges()).toBe(1);

      service.faults.play({ kind: "reset" });
      const { error: lost } = await submit(10);
      expect(lost).toMatchObject({ code: "connection", outcome: "unknown", attempts: 1 });
      service.journal.assertCount(5, { operation: "jobs.submit" });
    } finally {
      await close();
    }
  },
);

test("the client reads the mock's newest 100 jobs, of ten pictures each", async () => {
  const { fetch } = createMockService({
    accounts: { "test-key": { credits: { image: { monthly: 1_010 } } } },
    timeline: { queuedMs: 0, processingMs: 0 },
  });
  const client = createClient({ baseUrl: "https://ads.test", apiKey: "test-key", fetch });
  // Letters that take the most bytes in the address of a picture.
  const prompt = "夏の大売り出し🌞、全品半額。".repeat(100);
  const ids: string[] = [];
  while (ids.length < 101) {
    const job = await client.jobs.submit({ action: "generate-ad", prompt, variations: 10 });
    ids.unshift(job.job_id);
  }
  const { items: jobs } = await client.jobs.list();
  expect(jobs.map(({ job_id }) => job_id)).toEqual(ids.slice(0, 100));
  expect(jobs[99]).toMatchObject({ result: { images: Array(10).fill({ width: 1080 }) } });
});

test("a page's client behind the mock learns which job its call id has, as behind the proxy", async () => {
  const service = createMockService({ pageKey: "test-key" });
  const client = createClient({
    baseUrl: "https://ads.test",
    apiKey: null,
    callIds: true,
    fetch: service.fetch,
  });
  const once = { once: "call-1" };
  const { job_id: jobId } = await client.jobs.submit({ action: "generate-ad" }, once);
  const other = client.jobs.submit({ action: "copy-ad" }, once);
  await expect(other).rejects.toMatchObject({
    code: "invalid_request",
    status: 409,
    outcome: "refused",
    jobId,
  });
  service.account("test-key").assertCharges([{ jobId }]);
});
