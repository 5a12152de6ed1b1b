import { describe, expect, test } from "vitest";
import { createMockService, type MockService } from "../../mocks/index.ts";

/** Costs of the mock, as far as a shared machine can tell; `npm run bench` measures them all. */

const plenty = { monthly: 1_000_000_000, purchased: 0 };

const createBusyService = (): MockService =>
  createMockService({
    accounts: { "test-key": { credits: { image: plenty, video: plenty } } },
    timeline: { queuedMs: 0, processingMs: Number.POSITIVE_INFINITY },
    journalLimit: 0,
  });

const headers = new Headers({ authorization: "Bearer test-key" });
const signal = new AbortController().signal;

/** As much of a request as is read: real ones are made too slowly for so many. */
const request = (method: string, path: string, body = ""): Request =>
  ({ method, url: `https://ads.test${path}`, headers, signal, text: async () => body }) as Request;

const submission = JSON.stringify({
  action: "generate-ad",
  prompt: "Summer sale on everything for the garden",
});

const submit = async (service: MockService, times: number): Promise<void> => {
  const submitted = request("POST", "/v1/jobs", submission);
  for (let count = 0; count < times; count += 1) await service.reply(submitted);
};

/** Milliseconds; the best of many: what it takes when nothing else happens. */
const bestTime = async (service: MockService, asked: Request): Promise<number> => {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 60; round += 1) {
    const startedAt = performance.now();
    for (let run = 0; run < 20; run += 1) await service.reply(asked);
    best = Math.min(best, performance.now() - startedAt);
  }
  return best;
};

describe("with twenty thousand jobs", () => {
  test.each([
    ["a poll the oldest job", 0],
    ["a list of the newest twenty", 20],
  ])("%s takes no longer than with two hundred", async (_, limit) => {
    const service = createBusyService();
    const { body } = await service.reply(request("POST", "/v1/jobs", submission));
    const id = JSON.parse(body).data.job_id;
    await submit(service, 199);
    const asked = request("GET", limit === 0 ? `/v1/jobs/${id}` : `/v1/jobs?limit=${limit}`);
    await bestTime(service, asked);
    const amongFew = await bestTime(service, asked);
    await submit(service, 19_800);
    expect((await bestTime(service, asked)) / amongFew).toBeLessThan(5);
  });

  test("submitting one more takes no longer than with none", async () => {
    const service = createBusyService();
    const asked = request("POST", "/v1/jobs", submission);
    await bestTime(createBusyService(), asked);
    const first = await bestTime(service, asked);
    await submit(service, 20_000);
    expect((await bestTime(service, asked)) / first).toBeLessThan(5);
  });
});

const usedBytes = (): number => {
  if (globalThis.gc === undefined) throw new Error("Run this with --expose-gc");
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

test("a job takes less than a kilobyte, its ledger entry included", async () => {
  const jobs = 50_000;
  const service = createBusyService();
  await submit(service, 1_000);
  const before = usedBytes();
  await submit(service, jobs);
  expect((usedBytes() - before) / jobs).toBeLessThan(1_024);
  expect(service.account("test-key").ledger.length).toBeGreaterThan(jobs);
});

test("a job of a large request takes 20 kB at most", async () => {
  const service = createBusyService();
  const large = (index: number): Request =>
    request(
      "POST",
      "/v1/jobs",
      JSON.stringify({
        action: "generate-ad",
        prompt: `${index} [[takes: 1s]] ${"夏 ".repeat(100_000)}`,
        images: [`data:image/png;base64,${"A0".repeat(100_000)}`],
      }),
    );
  await service.reply(large(0));
  const before = usedBytes();
  for (let index = 1; index <= 20; index += 1) await service.reply(large(index));
  expect((usedBytes() - before) / 20).toBeLessThan(20_000);
  expect(service.account("test-key").jobs.count).toBe(21);
});

test("pictures that were looked at are not kept for every job", async () => {
  const service = createMockService({
    accounts: { "test-key": { credits: { image: plenty } } },
    timeline: { queuedMs: 0, processingMs: 0 },
    journalLimit: 0,
  });
  const look = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count += 1) {
      const { body } = await service.reply(request("POST", "/v1/jobs", submission));
      const { job_id } = JSON.parse(body).data;
      expect((await service.reply(request("GET", `/v1/jobs/${job_id}`))).body).toContain("svg");
    }
  };
  await look(200);
  const before = usedBytes();
  await look(1_500);
  expect((usedBytes() - before) / 1_500).toBeLessThan(1_024);
});
