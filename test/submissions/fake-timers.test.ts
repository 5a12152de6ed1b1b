// In the tests of many users, clocks stand still and nobody advances a timer.
import { install } from "@sinonjs/fake-timers";
import { afterEach, expect, test, vi } from "vitest";
import { createClient } from "../../src/client/create-client.ts";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import { createMemoryStore } from "../../src/submissions/store/memory-store.ts";

/** Submits one order twice, as an application does in its tests. */
const submitTwice = async (): Promise<{ ids: string[]; posts: number }> => {
  let posts = 0;
  const client = createClient({
    baseUrl: "https://api.example.com",
    apiKey: "test-key",
    submissions: createSubmissions(createMemoryStore()),
    fetch: async () => {
      posts++;
      const data = { job_id: `job_${posts}`, status: "queued" };
      return Response.json({ success: true, data, error: null });
    },
  });
  const submit = () => client.jobs.submit({ action: "generate-ad" }, { once: "order-17" });
  return { ids: [(await submit()).job_id, (await submit()).job_id], posts };
};

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a submission with an id needs no time under Vitest's fake timers", async () => {
  vi.useFakeTimers();
  expect(await submitTwice()).toEqual({ ids: ["job_1", "job_1"], posts: 1 });
});

// Node's streams need these two functions: without them, not even `response.json()` resolves.
const neededByNode = ["nextTick", "queueMicrotask"] as const;

test.each([
  ["for everything else", { toNotFake: [...neededByNode] }],
  ["at a time long ago", { toNotFake: [...neededByNode], now: 0 }],
])("a submission with an id needs no time under Sinon's fake timers %s", async (_, options) => {
  const clock = install(options);
  try {
    expect(await submitTwice()).toEqual({ ids: ["job_1", "job_1"], posts: 1 });
  } finally {
    clock.uninstall();
  }
});

test("a submission with an id needs no crypto.subtle under fake timers", async () => {
  vi.useFakeTimers();
  vi.spyOn(crypto, "subtle", "get").mockReturnValue(undefined as never);
  expect(await submitTwice()).toEqual({ ids: ["job_1", "job_1"], posts: 1 });
});
