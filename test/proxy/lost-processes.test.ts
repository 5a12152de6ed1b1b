import { afterEach, expect, test, vi } from "vitest";
import { createProxy, type ProxyOptions } from "../../src/proxy.ts";
import { createMapStore, watchStore } from "./test-store.ts";
import { startVirtualTime } from "./virtual-time.ts";

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
    ...options,
  });

test("a process that died in the middle leaves a call that is never made again", async () => {
  const time = startVirtualTime();
  const { store } = createMapStore();
  let charges = 0;
  let isDead = false;
  const dying = openProxy({
    store: watchStore(store, ({ go }) => (isDead ? never() : go())),
    fetch: async () => {
      charges++;
      isDead = true;
      return never();
    },
  });
  void dying(submission());
  await time.runUntil(() => isDead, 1_000);

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
  expect(charges).toBe(1);
});
