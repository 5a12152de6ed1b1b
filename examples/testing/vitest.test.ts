// A suite for your program: each test has a service of its own, and none needs the network.
import { createClient, pollJob } from "adgen-sdk";
import { createMockService, type MockServiceOptions } from "adgen-sdk/mocks";
import { afterEach, expect, test, vi } from "vitest";

const ad = { action: "generate-ad", prompt: "Lemonade", variations: 2 } as const;
const open = (options?: MockServiceOptions) => {
  const service = createMockService(options);
  const connection = { baseUrl: "https://api.example.com", apiKey: "test-key" };
  const client = createClient({ ...connection, fetch: service.fetch });
  return { service, account: service.account("test-key"), client };
};
afterEach(() => vi.useRealTimers());

test("an ad costs a credit for each picture", async () => {
  const { client, account } = open();
  expect(await client.jobs.submitAndPoll(ad)).toMatchObject({ status: "completed" });
  account.assertCharges([{ action: "generate-ad", amount: 2 }]);
});
test("without credits there is no ad", async () => {
  const { client, account } = open();
  account.setCredits({ image: { monthly: 1 } });
  await expect(client.jobs.submit(ad)).rejects.toMatchObject({ code: "payment_required" });
  account.assertCharges([]);
});
test("an ad that moderation refuses stays paid", async () => {
  const { client, service, account } = open();
  service.jobs.next({ fail: "moderation" });
  expect(await client.jobs.submitAndPoll(ad)).toMatchObject({ error: "moderation" });
  account.assertCharges([{ amount: 2, refunded: false }]);
});
test("a lost answer is not paid again", async () => {
  const { client, service, account } = open();
  service.faults.play({ kind: "reset", accepted: true }, { operation: "jobs.submit" });
  await expect(client.jobs.submit(ad)).rejects.toMatchObject({ outcome: "unknown" });
  account.assertCharges([{ amount: 2 }]);
});
test("a wait survives an outage", async () => {
  const { client, service } = open();
  const job = await client.jobs.submit(ad);
  service.faults.play({ kind: "status", status: 503 }, { operation: "jobs.get", times: 2 });
  expect((await pollJob(client, job, { intervalMs: 1 })).status).toBe("completed");
});
test("a video takes two minutes, the test does not", async () => {
  vi.useFakeTimers();
  const { client } = open({ timeline: { queuedMs: 20_000, processingMs: 100_000 } });
  const film = client.jobs.submitAndPoll({ action: "video-a-2", duration: 5 });
  await vi.advanceTimersByTimeAsync(125_000);
  expect((await film).status).toBe("completed");
});
test("a job that hangs expires after half an hour", async () => {
  vi.useFakeTimers();
  const { client } = open({ timeline: { queuedMs: Infinity, processingMs: 0 } });
  const job = client.jobs.submitAndPoll(ad);
  await vi.advanceTimersByTimeAsync(31 * 60_000);
  expect(await job).toMatchObject({ status: "failed", error: "Job expired" });
});
test("nobody sees the jobs of another account", async () => {
  const jobs = [{ id: "job_1", action: "copy-ad" }] as const;
  const { client } = open({ accounts: { "test-key": {}, "test-other": { jobs } } });
  await expect(client.jobs.get("job_1")).rejects.toMatchObject({ code: "not_found" });
});
test("the service gets what was ordered, and no more", async () => {
  const { client, service } = open();
  await client.jobs.submitAndPoll(ad);
  expect(service.journal.assertOne({ operation: "jobs.submit" }).body).toEqual(ad);
});
