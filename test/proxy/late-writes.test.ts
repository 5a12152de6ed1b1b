import { afterEach, describe, expect, test, vi } from "vitest";
import { createMemoryStore, createProxy, type ProxyErrorEvent } from "../../src/proxy.ts";
import { watchStore } from "./test-store.ts";
import { startVirtualTime } from "./virtual-time.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const submission = () =>
  new Request("http://page.test/adgen/v1/jobs", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": "call-1" },
    body: '{"action":"generate-ad"}',
  });

/** A proxy whose store takes nothing any more once the service has answered, until it is well. */
const openProxy = () => {
  const errors: ProxyErrorEvent[] = [];
  const memory = createMemoryStore();
  let isGone = false;
  const store = watchStore(memory, async ({ go }) => {
    if (isGone) throw new Error("gone");
    return go();
  });
  const proxy = createProxy({
    ...{ baseUrl: "http://service.test", apiKey: "test-key", authorize: () => "ann", store },
    hooks: { onError: (error) => errors.push(error) },
    fetch: async () => {
      isGone = true;
      const data = { job_id: "job-1", status: "queued" };
      return Response.json({ success: true, data, error: null }, { status: 202 });
    },
  });
  const heal = (): void => {
    isGone = false;
  };
  return { proxy, memory, errors, heal };
};

describe("a write that the store could not take", () => {
  test("is given up after an hour, and the observer hears whose job it was", async () => {
    const time = startVirtualTime();
    const { proxy, errors } = openProxy();
    expect((await proxy(submission())).status).toBe(202);
    const isGivenUp = ({ error }: ProxyErrorEvent) => /for an hour/.test(String(error));
    await time.runUntil(() => errors.some(isGivenUp), 4_000_000);
    const [owner] = errors.filter(isGivenUp).map(({ part, error }) => `${part}: ${error}`);
    expect(owner).toMatch(/^store: Error: the store has not taken owner:job:job-1 for an hour/);
  });

  test("belongs to the work that a platform waits for", async () => {
    const time = startVirtualTime();
    const { proxy, memory, heal } = openProxy();
    let hasEnded = false;
    const waitUntil = (work: Promise<unknown>): void => {
      void work.then(() => {
        hasEnded = true;
      });
    };
    expect((await proxy(submission(), { waitUntil })).status).toBe(202);
    const pause = vi.fn();
    void time.wait(2_000).then(pause);
    await time.runUntil(() => pause.mock.calls.length > 0, 2_000);
    expect(hasEnded).toBe(false);
    heal();
    await time.runUntil(() => hasEnded, 20_000);
    expect(await memory.get("owner:job:job-1")).toMatchObject({
      text: expect.stringContaining("ann"),
    });
    const call = await memory.get("once:proxy:ann:call-1");
    expect(call).toMatchObject({ text: expect.stringContaining("job-1") });
  });
});
