import { createClient } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import { expect, test } from "vitest";

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
