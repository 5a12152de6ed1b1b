import { expect, test } from "vitest";
import { createMockService, type MockService, type MockServiceOptions } from "../../mocks/index.ts";
import { atOnce } from "./set-up.ts";

/** Costs of the mock, as far as a shared machine can tell; `npm run bench` measures them all. */

const plenty = { monthly: 1_000_000_000, purchased: 0 };

const createBusyService = (options: MockServiceOptions = {}): MockService =>
  createMockService({
    accounts: { "test-key": { credits: { image: plenty, video: plenty } } },
    timeline: { queuedMs: 0, processingMs: Number.POSITIVE_INFINITY },
    journalLimit: 0,
    ...options,
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

/** Milliseconds of this thread's processor, in steps of a few. */
const processorMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
};

/**
 * Measures milliseconds. The quickest of several runs counts: garbage collection and other
 * processes have disturbed it least.
 */
const quickest = async (
  rounds: number,
  run: () => unknown,
  clock = () => performance.now(),
): Promise<number> => {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round += 1) {
    const startedAt = clock();
    await run();
    best = Math.min(best, clock() - startedAt);
  }
  return best;
};

/** Milliseconds of twenty equal requests. */
const timeOf = (service: MockService, asked: Request): Promise<number> =>
  quickest(60, async () => {
    for (let run = 0; run < 20; run += 1) await service.reply(asked);
  });

test.each<[string, (id: string) => Request]>([
  ["a poll of the oldest job", (id) => request("GET", `/v1/jobs/${id}`)],
  ["a list of the newest twenty", () => request("GET", "/v1/jobs?limit=20")],
  ["a submission", () => request("POST", "/v1/jobs", submission)],
])("with twenty thousand jobs, %s takes no longer than with two hundred", async (_, asking) => {
  const service = createBusyService();
  const { body } = await service.reply(request("POST", "/v1/jobs", submission));
  const asked = asking(JSON.parse(body).data.job_id);
  await submit(service, 199);
  await timeOf(service, asked);
  const amongFew = await timeOf(service, asked);
  await submit(service, 19_800);
  expect((await timeOf(service, asked)) / amongFew).toBeLessThan(5);
});

test("many paid jobs are restored and forked in a time that does not grow with their square", async () => {
  /** Half of the jobs have failed and were paid back. */
  const paid = async (jobs: number): Promise<MockService> => {
    const service = createBusyService({ refundFailedJobs: true });
    service.jobs.next({ fail: "moderation", takesMs: 0 }, { times: jobs / 2 });
    await submit(service, jobs);
    expect(service.account("test-key").charges.filter(({ refunded }) => refunded)).toHaveLength(
      jobs / 2,
    );
    return service;
  };
  const [few, many] = [await paid(1_000), await paid(8_000)];
  const restoring = (service: MockService) => {
    const snapshot = service.snapshot();
    return quickest(3, () => service.restore(snapshot), processorMs);
  };
  // Eight times the jobs: linear work takes about 8 times as long, quadratic work up to 64.
  expect((await restoring(many)) / (await restoring(few))).toBeLessThan(20);
  const forking = (service: MockService) => quickest(3, service.fork, processorMs);
  expect((await forking(many)) / (await forking(few))).toBeLessThan(20);
  expect(many.account("test-key").charges).toHaveLength(8_000);
});

const usedBytes = (): number => {
  if (globalThis.gc === undefined) throw new Error("Run this with --expose-gc");
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

/** Bytes that one act leaves in memory, when it is done so often. */
const bytesOf = async (times: number, act: (count: number) => Promise<void>): Promise<number> => {
  await act(Math.ceil(times / 10));
  const before = usedBytes();
  await act(times);
  return (usedBytes() - before) / times;
};

test("a job takes less than a kilobyte, its ledger entry included", async () => {
  const service = createBusyService();
  expect(await bytesOf(50_000, (count) => submit(service, count))).toBeLessThan(1_024);
  expect(service.account("test-key").ledger.length).toBeGreaterThan(50_000);
});

test("a job of a large request takes 20 kB at most", async () => {
  const service = createBusyService();
  const images = [`data:image/png;base64,${"A0".repeat(100_000)}`];
  const submitLarge = async (times: number): Promise<void> => {
    for (let index = 0; index < times; index += 1) {
      const prompt = `${index} [[takes: 1s]] ${"夏 ".repeat(100_000)}`;
      const body = JSON.stringify({ action: "generate-ad", prompt, images });
      await service.reply(request("POST", "/v1/jobs", body));
    }
  };
  expect(await bytesOf(20, submitLarge)).toBeLessThan(20_000);
  expect(service.account("test-key").jobs.count).toBe(22);
});

test("pictures that were looked at are not kept for every job", async () => {
  const service = createBusyService({ timeline: atOnce });
  const look = async (times: number): Promise<void> => {
    for (let count = 0; count < times; count += 1) {
      const { body } = await service.reply(request("POST", "/v1/jobs", submission));
      const { job_id } = JSON.parse(body).data;
      expect((await service.reply(request("GET", `/v1/jobs/${job_id}`))).body).toContain("svg");
    }
  };
  expect(await bytesOf(1_500, look)).toBeLessThan(1_024);
});
