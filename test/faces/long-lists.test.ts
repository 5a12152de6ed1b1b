import { createClient } from "adgen-sdk";
import { createMockService } from "adgen-sdk/mocks";
import { expect, test } from "vitest";

const plenty = { monthly: 1_000_000, purchased: 0 };

/** A client of a mock with 2,000 finished jobs, of ten pictures in the answer each. */
const setUp = async (prompt: string) => {
  const service = createMockService({
    accounts: { "test-key": { credits: { image: plenty } } },
    timeline: { queuedMs: 0, processingMs: 0 },
    journalLimit: 0,
  });
  const body = JSON.stringify({ action: "generate-ad", prompt, variations: 10 });
  const ids: string[] = [];
  for (let count = 0; count < 2_000; count += 1) {
    const { body: answered } = service.replyNow({
      method: "POST",
      url: "https://ads.test/v1/jobs",
      authorization: "Bearer test-key",
      body,
    });
    ids.unshift(JSON.parse(answered).data.job_id);
  }
  const { fetch } = service;
  const client = createClient({ baseUrl: "https://ads.test", apiKey: "test-key", fetch });
  return { client, ids };
};

test("the client reads the mock's list of 2,000 jobs: the newest 100", async () => {
  // Letters that take the most bytes in the address of a picture.
  const { client, ids } = await setUp("夏の大売り出し🌞、全品半額。".repeat(100));
  const { items: jobs } = await client.jobs.list();
  expect(jobs.map(({ job_id }) => job_id)).toEqual(ids.slice(0, 100));
  expect(jobs[99]).toMatchObject({ result: { images: Array(10).fill({ width: 1080 }) } });
  for (const limit of [1, 101]) {
    const { items } = await client.jobs.list({ limit });
    expect(items.map(({ job_id }) => job_id)).toEqual(ids.slice(0, limit));
  }
});
