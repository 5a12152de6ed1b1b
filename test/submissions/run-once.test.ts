import { expect, test, vi } from "vitest";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import { createMemoryStore } from "../../src/submissions/store/memory-store.ts";
import { createRedisStore } from "../../src/submissions/store/redis-store.ts";
import { expectNoTimers } from "../helpers/faked-time.ts";
import {
  advance,
  advanceUntilDone,
  answerOf,
  answerWith,
  endWith,
  failAsFull,
  here,
  leaseMs,
  neverAnswer,
  openProcess,
  order,
  order18,
  outcomeOf,
  paid,
  refusal,
  refuseCall,
  sentCount,
  sharedStore,
  there,
  useFixtures,
  virtualTime,
  withFullStore,
} from "./fixtures.ts";

useFixtures();

const quiet = () => vi.spyOn(console, "error").mockImplementation(() => {});

test("a call waits for a call of its id that is under way, here or elsewhere", async () => {
  const first = here.start(order, answerWith("job-1", 5_000));
  await advance(10);
  const repeats = [here, there].map((one) => one.start(order, answerWith("job-2")));
  const winter = { ...order, body: { ...paid.body, prompt: "Winter" } };
  expect(await outcomeOf(here.submit(winter, neverAnswer))).toMatchObject(
    refusal("another request"),
  );
  const all = await advanceUntilDone(Promise.all([first, ...repeats]));
  expect(all.map(({ jobId }) => jobId)).toEqual(["job-1", "job-1", "job-1"]);
  expect(sentCount).toBe(1);
});

test.each([0, 1_000])(
  "a call waits %i ms for another call, and keeps its whole timeout to send",
  async (waitMs) => {
    void here.start(order, neverAnswer);
    await advance(0);
    for (const one of [here, there]) {
      const startedAt = virtualTime.now();
      const error = await outcomeOf(one.submit({ ...order, waitMs }, neverAnswer));
      expect(error).toMatchObject({ code: "under_way", retryAfterMs: expect.any(Number) });
      expect(virtualTime.now() - startedAt).toBeLessThanOrEqual(waitMs);
    }
    const slow = answerWith("job-1", 59_000);
    expect(await here.submit({ ...order18, waitMs }, slow)).toMatchObject({ jobId: "job-1" });
  },
);

test("an abort ends the wait of a call for another call", async () => {
  void here.start(order, neverAnswer);
  await advance(10);
  for (const one of [here, there]) {
    const controller = new AbortController();
    virtualTime.after(500, () => controller.abort("enough"));
    const startedAt = virtualTime.now();
    const error = await outcomeOf(one.submit({ ...order, signal: controller.signal }, neverAnswer));
    expect(error).toMatchObject({ code: "aborted", outcome: "unknown", cause: "enough" });
    expect(virtualTime.now() - startedAt).toBe(500);
  }
});

test("a call to another service is another request, and is not sent", async () => {
  await here.submit({ ...order, origin: "https://staging.test" }, answerWith("job-1"));
  const call = { ...order, origin: "https://ads.test" };
  expect(await outcomeOf(there.submit(call, neverAnswer))).toMatchObject(
    refusal("another request"),
  );
  expect(sentCount).toBe(1);
});

const failingRedis = createRedisStore(() => Promise.reject(new Error("OOM full")));
const other = { id: "once:order-17", rev: "other", text: "no record" };
const tooLong = /: the call took longer than its 3000 ms, so give it more time$/;

test.each<[string, () => Promise<unknown>, RegExp]>([
  ["rejects", failAsFull, /: disk full$/],
  [
    "rejects with an error of this library",
    failingRedis.swap as never,
    /: Redis failed at eval: OOM full/,
  ],
  [
    "returns no record after a write",
    async () => undefined,
    /: it returned no record after a write$/,
  ],
  ["never resolves", () => new Promise(() => {}), tooLong],
  ["returns a number", async () => 5, /: swap returned a value that is not a record$/],
  [
    "returns a record that is damaged",
    async () => other,
    /: the record of "order-17" is damaged: compare with jobs/,
  ],
])(
  "nothing is sent if the store %s, and the call ends within its timeout",
  async (_, swap, message) => {
    here.store.swap = swap as never;
    const startedAt = virtualTime.now();
    const error = (await outcomeOf(
      here.submit({ ...order, timeoutMs: 3_000 }, neverAnswer),
    )) as Error;
    // An earlier call with the id may have been sent.
    expect(error).toMatchObject({ code: "store", outcome: "unknown" });
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^the store of submissions failed: \S/);
    expect(virtualTime.now() - startedAt).toBeLessThanOrEqual(3_000);
    expect(sentCount).toBe(0);
  },
);

test("a reservation that was written despite an error leaves no doubt, here or elsewhere", async () => {
  for (const [one, waitMs] of [
    [here, 0],
    [there, 2_000],
  ] as const) {
    here.store.swap = async (...input) => {
      here.store.swap = sharedStore.swap;
      await sharedStore.swap(...input);
      return failAsFull();
    };
    const call = { ...paid, once: `order ${waitMs}`, timeoutMs: 50 };
    expect(await outcomeOf(here.submit(call, answerWith("job-1")))).toMatchObject({
      code: "store",
    });
    await advance(waitMs);
    expect(await one.submit(call, answerWith("job-2"))).toMatchObject({ jobId: "job-2" });
  }
  expect(sentCount).toBe(2);
});

test("a store that is too slow leaves no doubt about an unsent call, even if the process dies", async () => {
  here.store.get = () => new Promise(() => {});
  here.store.swap = async (...input) => {
    // The removal takes half a second.
    if (input[1] !== "") await virtualTime.wait(500);
    const found = await sharedStore.swap(...input);
    if (input[1] === "") await virtualTime.wait(15_000);
    return found;
  };
  expect(await outcomeOf(here.submit(order, neverAnswer))).toMatchObject({ code: "store" });
  here.process.kill();
  expect(virtualTime.now()).toBe(10_500);
  expect(await there.list()).toMatchObject({ unknown: [], underWay: [] });
  expect(sentCount).toBe(0);
});

test("a store that fails delays the job of a caller by at most a second", async () => {
  quiet();
  const job = await here.submit(order, withFullStore(here, answerWith("job-1")));
  expect(job).toMatchObject({ jobId: "job-1", isRepeated: false });
  expect(virtualTime.now()).toBe(1_010);
});

test("an answer is recorded later as it came, and repeats wait for it", async () => {
  quiet();
  const call = { ...order, timeoutMs: 5_000 };
  const first = await here.submit(call, withFullStore(here, answerWith("job-1")));
  expect(first).toMatchObject({ jobId: "job-1", isRepeated: false });
  // The caller may change the answer in any way.
  Object.assign(first.answer as object, { job_id: "changed", self: first, act: () => {} });
  expect(await outcomeOf(there.submit(call, neverAnswer))).toMatchObject({ code: "under_way" });
  here.store.swap = sharedStore.swap;
  await advance(60_000);
  const given = { answer: answerOf("job-1"), jobId: "job-1", isRepeated: true };
  expect(await there.submit(call, neverAnswer)).toEqual(given);
  expect(sentCount).toBe(1);
});

test("the job of an answer that is too deep for JSON is recorded", async () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  const end = { answer: { job_id: "job-1", deep }, jobId: "job-1" };
  expect(await here.submit(order, endWith(end))).toMatchObject({ jobId: "job-1" });
  const repeated = { answer: undefined, jobId: "job-1", isRepeated: true };
  expect(await there.submit(order, neverAnswer)).toEqual(repeated);
});

test("the id of a refused call becomes free once the store works again", async () => {
  quiet();
  await outcomeOf(here.submit(order, withFullStore(here, refuseCall)));
  const error = await outcomeOf(here.submit(order, answerWith("job-1")));
  expect(error).toMatchObject({ code: "store", outcome: "unknown" });
  here.store.swap = sharedStore.swap;
  const again = await here.submit(order, answerWith("job-2"));
  expect(again).toMatchObject({ jobId: "job-2" });
  expect(sentCount).toBe(2);
});

test.each([
  ["an answer, in two writes, up to the timeout of the call", { jobId: "job-1" }, 4_000, 8_010],
  ["an answer no longer than the timeout of the call", { jobId: "job-1" }, 9_995, 10_000],
  ["a failure for a second", new Error("lost"), 8_000, 1_010],
] as const)("a slow store delays %s", async (_, end, slowMs, endedMs) => {
  const send = endWith(end);
  const submit = here.submit({ ...order, timeoutMs: 10_000 }, (turn) => {
    here.store.swap = async (...input) => {
      await virtualTime.wait(slowMs);
      return sharedStore.swap(...input);
    };
    return send(turn);
  });
  await outcomeOf(submit);
  expect(virtualTime.now()).toBe(endedMs);
});

test("a process that was suspended during its reservation reserves the id again", async () => {
  here.store.swap = async (...input) => {
    here.store.swap = sharedStore.swap;
    const found = await sharedStore.swap(...input);
    here.process.suspend(leaseMs + 200_000);
    await virtualTime.wait(leaseMs + 200_000);
    return found;
  };
  const submitted = here.start(order, answerWith("job-1"));
  await advance(0);
  await advance(leaseMs + 75_000);
  const [doubt] = (await there.list()).unknown;
  if (doubt) await there.decide(doubt, "resubmit");
  expect(await there.submit(order, answerWith("job-2"))).toMatchObject({ jobId: "job-2" });
  expect(await advanceUntilDone(submitted)).toMatchObject({ jobId: "job-2", isRepeated: true });
  expect(sentCount).toBe(1);
});

test("a call leaves no timer behind on the clocks of this platform", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const submissions = createSubmissions(createMemoryStore());
    const send = async () => ({ jobId: "job-1" });
    for (const isRepeated of [false, true]) {
      expect(await submissions.runOnce(order, send)).toMatchObject({ jobId: "job-1", isRepeated });
    }
    expect(await submissions.listOpen()).toEqual({ unknown: [], underWay: [], damaged: [] });
    await expectNoTimers();
  } finally {
    vi.useRealTimers();
  }
});

test("createSubmissions refuses an incomplete store, and options that make no sense", () => {
  const { get, list } = sharedStore;
  expect(() => createSubmissions({ get, list } as never)).toThrow(/with get, swap, list/);
  expect(() => openProcess({ storeTimeoutMs: 0 })).toThrow(/storeTimeoutMs/);
  expect(() => openProcess({ keepMs: 60_000 })).toThrow(/keepMs must be .* 3600000 or more/);
  expect(() => openProcess({ hooks: {} } as never)).toThrow(/no option "hooks"/);
});
