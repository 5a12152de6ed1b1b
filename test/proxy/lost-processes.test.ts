import { afterEach, describe, expect, test, vi } from "vitest";
import { createProxy, type ProxyOptions } from "../../src/proxy.ts";
import { createMapStore, watchStore } from "./test-store.ts";
import { startVirtualTime, type VirtualTime } from "./virtual-time.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const never = () => new Promise<never>(() => {});

const submission = () =>
  new Request("http://page.test/adgen/v1/jobs", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": "call-1" },
    body: JSON.stringify({ action: "generate-ad", prompt: "Sale" }),
  });

const openProxy = (options: ProxyOptions) =>
  createProxy({
    ...{ baseUrl: "http://service.test", apiKey: "test-key", authorize: () => "ann" },
    hooks: { onError: () => {} }, // failures are meant, and must not be printed
    ...options,
  });

/** A process that has died while the service had its submission, and the store that is left. */
const dieInTheMiddle = async (options: ProxyOptions = {}) => {
  const time = startVirtualTime();
  const { store, values } = createMapStore();
  let isDead = false;
  const dying = openProxy({
    ...options,
    store: watchStore(store, ({ go }) => (isDead ? never() : go())),
    fetch: async () => {
      isDead = true;
      return never();
    },
  });
  void dying(submission());
  await time.runUntil(() => isDead, 1_000);
  return { time, store, values };
};

describe("the record of a call whose process died", () => {
  const callWindowMs = 3_600_000;
  const pass = (time: VirtualTime, ms: number) => {
    let isOver = false;
    void time.wait(ms).then(() => {
      isOver = true;
    });
    return time.runUntil(() => isOver, ms);
  };

  test("ends with the window, and not while its POST may be under way", async () => {
    const { time, store, values } = await dieInTheMiddle({ callWindowMs });
    const [[id = ""] = []] = values;
    await pass(time, callWindowMs + 70_000);
    expect(await store.get(id)).toMatchObject({ text: expect.stringContaining("sending") });
    await pass(time, 20_000);
    expect(await store.get(id)).toBeUndefined();
  });

  test("ends with the window, too, where its repeat was told of the doubt", async () => {
    const { time, store, values } = await dieInTheMiddle({ callWindowMs });
    const [[id = ""] = []] = values;
    let answer: Response | undefined;
    void openProxy({ callWindowMs, store, fetch: never })(submission()).then((given) => {
      answer = given;
    });
    await time.runUntil(() => answer !== undefined, 200_000);
    expect(await store.get(id)).toMatchObject({ text: expect.stringContaining("in-doubt") });
    await pass(time, callWindowMs);
    expect(await store.get(id)).toBeUndefined();
  });
});
