import { afterEach, describe, expect, test, vi } from "vitest";
import { createProxy, type ProxyOptions } from "../../src/proxy.ts";
import { createMapStore, watchStore } from "./test-store.ts";
import { startVirtualTime, type VirtualTime } from "./virtual-time.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const never = () => new Promise<never>(() => {});

const submission = (prompt = "Sale") =>
  new Request("http://page.test/adgen/v1/jobs", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": "call-1" },
    body: JSON.stringify({ action: "generate-ad", prompt }),
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
  let charges = 0;
  let isDead = false;
  const dying = openProxy({
    ...options,
    store: watchStore(store, ({ go }) => (isDead ? never() : go())),
    fetch: async () => {
      charges++;
      isDead = true;
      return never();
    },
  });
  void dying(submission());
  await time.runUntil(() => isDead, 1_000);
  return { time, store, values, charges: () => charges };
};

test("a process that died in the middle leaves a call that is never made again", async () => {
  const { time, store, charges } = await dieInTheMiddle();
  const living = openProxy({ store, fetch: never });
  const answers: Response[] = [];
  const submit = (prompt?: string) =>
    void living(submission(prompt)).then((answer) => answers.push(answer));
  submit();
  const begun = time.now();
  await time.runUntil(() => answers.length === 1, 200_000);
  // One lease: the time of a call, and a margin.
  expect(time.now() - begun).toBeGreaterThan(70_000);
  expect(time.now() - begun).toBeLessThan(85_000);
  submit();
  await time.runUntil(() => answers.length === 2, 1_000);
  submit("Another");
  await time.runUntil(() => answers.length === 3, 1_000);
  expect(answers.map(({ status }) => status)).toEqual([502, 502, 409]);
  const outcomes = answers.map(({ headers }) => headers.get("adgen-outcome"));
  expect(outcomes).toEqual(["unknown", "unknown", "refused"]);
  expect(charges()).toBe(1);
});

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
