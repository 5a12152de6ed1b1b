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
  test("is given up after ten minutes, and the observer hears which one", async () => {
    const time = startVirtualTime();
    const { proxy, errors } = openProxy();
    expect((await proxy(submission())).status).toBe(202);
    const isGivenUp = ({ error }: ProxyErrorEvent) => /gives it up/.test(String(error));
    await time.runUntil(() => errors.filter(isGivenUp).length === 2, 700_000);
    const [owner, call] = errors.filter(isGivenUp).map(({ part, error }) => `${part}: ${error}`);
    expect(owner).toMatch(/^store: Error: the store has not taken job:job-1 for ten minutes/);
    expect(call).toMatch(/^store: Error: the store has not taken call:ann:call-1 for ten minutes/);
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
    expect(await memory.get("job:job-1")).toContain("ann");
    expect(await memory.get("call:ann:call-1")).toContain("job-1");
  });
});
