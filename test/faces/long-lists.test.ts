import { createClient } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import { expect, test } from "vitest";

test("the client reads the mock's list of 2,000 jobs, of ten pictures each: the newest 100", async () => {
  const { fetch, replyNow } = createMockService({
    accounts: { "test-key": { credits: { image: { monthly: 1_000_000, purchased: 0 } } } },
    timeline: { queuedMs: 0, processingMs: 0 },
    journalLimit: 0,
  });
  // Letters that take the most bytes in the address of a picture.
  const prompt = "夏の大売り出し🌞、全品半額。".repeat(100);
  const body = JSON.stringify({ action: "generate-ad", prompt, variations: 10 });
  const submission = { method: "POST", url: "https://ads.test/v1/jobs", body };
  const ids = Array.from({ length: 2_000 }, () => {
    const answered = replyNow({ ...submission, authorization: "Bearer test-key" });
    return JSON.parse(answered.body).data.job_id;
  }).reverse();
  const client = createClient({ baseUrl: "https://ads.test", apiKey: "test-key", fetch });
  const { items: jobs } = await client.jobs.list();
  expect(jobs.map(({ job_id }) => job_id)).toEqual(ids.slice(0, 100));
  expect(jobs[99]).toMatchObject({ result: { images: Array(10).fill({ width: 1080 }) } });
  for (const limit of [1, 101]) {
    const { items } = await client.jobs.list({ limit });
    expect(items.map(({ job_id }) => job_id)).toEqual(ids.slice(0, limit));
  }
});
