import { expect, test } from "vitest";
import { createMockService, type MockService, type MockServiceOptions } from "../../mocks/index.ts";
import { atOnce } from "./set-up.ts";

/** Costs of the mock that a shared machine can measure. `npm run bench` measures all of them. */

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

/** Creates only the parts of a request that the mock reads, because a `Request` takes longer. */
const request = (method: string, path: string, body = ""): Request =>
  ({ method, url: `https://ads.test${path}`, headers, signal, text: async () => body }) as Request;

const prompt = "Summer sale on everything for the garden";
const submission = JSON.stringify({ action: "generate-ad", prompt });

const submit = async (service: MockService, times: number): Promise<void> => {
  const submitted = request("POST", "/v1/jobs", submission);
  for (let count = 0; count < times; count += 1) await service.reply(submitted);
};

const usedBytes = (): number => {
  if (globalThis.gc === undefined) throw new Error("Run this with --expose-gc");
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

const post = async (service: MockService, body: object) =>
  (await service.reply(request("POST", "/v1/jobs", JSON.stringify(body)))).body;

const postAndLook = async (service: MockService) => {
  const { job_id } = JSON.parse(await post(service, { action: "generate-ad" })).data;
  expect((await service.reply(request("GET", `/v1/jobs/${job_id}`))).body).toContain("svg");
};

const postText = (service: MockService, index: number) =>
  post(service, { action: "copy-ad", text: index + "lemon ".repeat(136_000) });

test.each<
  [string, number, number, MockServiceOptions, (service: MockService, index: number) => unknown]
>([
  ["a job, and its ledger entry,", 1_024, 50_000, {}, (service) => submit(service, 1)],
  ["a job whose picture was looked at", 1_024, 1_500, { timeline: atOnce }, postAndLook],
  // The text has 816,000 characters, so the limit leaves room for one copy.
  ["a large request in the journal", 900_000, 60, { journalLimit: 1_000 }, postText],
])("%s takes at most %i bytes of memory", async (_, bytes, times, options, act) => {
  const service = createBusyService(options);
  const run = async (count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) await act(service, index);
  };
  await run(times / 10);
  const before = usedBytes();
  await run(times);
  expect((usedBytes() - before) / times).toBeLessThan(bytes);
  expect(service.account("test-key").charges).toHaveLength(times + times / 10);
});
