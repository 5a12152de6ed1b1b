import { describe, expect, test, vi } from "vitest";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import { createMemoryStore } from "../../src/submissions/store/memory-store.ts";
import { createRedisStore } from "../../src/submissions/store/redis-store.ts";
import { expectNoTimers } from "../helpers/faked-time.ts";
import {
  answerOf,
  answers,
  ends,
  failure,
  full,
  here,
  leaseMs,
  type Opened,
  open,
  order,
  order18,
  paid,
  pass,
  play,
  refusal,
  refused,
  sent,
  silent,
  store,
  there,
  time,
  useStories,
  withFullStore,
} from "./story.ts";

useStories();

const quiet = () => vi.spyOn(console, "error").mockImplementation(() => {});

describe("a call with an id", () => {
  test("waits for one that is under way, here or elsewhere", async () => {
    const first = here.start(order, answers("job-1", 5_000));
    await pass(10);
    const repeats = [here, there].map((one) => one.start(order, answers("job-2")));
    const winter = { ...order, body: { ...paid.body, prompt: "Winter" } };
    expect(await failure(here.submit(winter, silent))).toMatchObject(refusal("another request"));
    const all = await play(Promise.all([first, ...repeats]));
    expect(all.map(({ jobId }) => jobId)).toEqual(["job-1", "job-1", "job-1"]);
    expect(sent).toBe(1);
  });

  test("waits for no longer than it may, and says when to ask again by what is left", async () => {
    void here.start(order, silent);
    await pass(0);
    const repeat = (one: Opened) => failure(one.submit({ ...order, timeoutMs: 1_000 }, silent));
    for (const _ of [1, 2]) {
      const end = time.now() + 10_000;
      for (const one of [here, there]) {
        const error = await repeat(one);
        expect(error).toMatchObject({ code: "under_way", outcome: "unknown" });
        expect((error as { retryAfterMs: number }).retryAfterMs).toBeCloseTo(
          70_000 - time.now(),
          -5,
        );
      }
      expect(time.now()).toBeLessThanOrEqual(end - 8_000);
      await pass(end - time.now());
    }
    expect(sent).toBe(1);
  });

  test.each([0, 1_000])(
    "waits %i ms for another, and sends with all of its time",
    async (waitMs) => {
      void here.start(order, silent);
      await pass(0);
      for (const one of [here, there]) {
        const startedAt = time.now();
        const error = await failure(one.submit({ ...order, waitMs }, silent));
        expect(error).toMatchObject({ code: "under_way", retryAfterMs: expect.any(Number) });
        expect(time.now() - startedAt).toBeLessThanOrEqual(waitMs);
      }
      const slow = answers("job-1", 59_000);
      expect(await here.submit({ ...order18, waitMs }, slow)).toMatchObject({ jobId: "job-1" });
    },
  );

  test("ends its wait at an abort", async () => {
    void here.start(order, silent);
    await pass(10);
    for (const one of [here, there]) {
      const controller = new AbortController();
      time.after(500, () => controller.abort("enough"));
      const startedAt = time.now();
      const error = await failure(one.submit({ ...order, signal: controller.signal }, silent));
      expect(error).toMatchObject({ code: "aborted", outcome: "unknown", cause: "enough" });
      expect(time.now() - startedAt).toBe(500);
    }
  });

  test("of another service is another request, and nothing is sent", async () => {
    await here.submit({ ...order, origin: "https://staging.test" }, answers("job-1"));
    const call = { ...order, origin: "https://ads.test" };
    expect(await failure(there.submit(call, silent))).toMatchObject(refusal("another request"));
    expect(sent).toBe(1);
  });

  test("needs no crypto.subtle, which a page without https and jsdom do not have", async () => {
    vi.spyOn(crypto, "subtle", "get").mockReturnValue(undefined as never);
    expect(await here.submit(order, answers("job-1"))).toMatchObject({ jobId: "job-1" });
  });
});

describe("a store that fails", () => {
  const failingRedis = createRedisStore(() => Promise.reject(new Error("OOM full")));
  const other = { id: "once:order-17", rev: "other", text: "no record" };
  const tooLong = /: it took longer than the 3000 ms of the call$/;

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ["rejects", full, /: disk full$/],
    ["tells its reason itself", failingRedis.swap as never, /: Redis failed at eval: OOM full/],
    ["keeps nothing", async () => undefined, /: it returned no record after a write$/],
    ["gives no answer", () => new Promise(() => {}), tooLong],
    ["gives a number", async () => 5, /: swap returned something that is not a record$/],
    [
      "gives no record",
      async () => other,
      /: the record of "order-17" is damaged: compare with jobs/,
    ],
  ])("and %s lets nothing be sent, and ends the call in its time", async (_, swap, message) => {
    here.store.swap = swap as never;
    const startedAt = time.now();
    const error = (await failure(here.submit({ ...order, timeoutMs: 3_000 }, silent))) as Error;
    // An earlier call with the id may have sent it.
    expect(error).toMatchObject({ code: "store", outcome: "unknown" });
    expect(error.message).toMatch(message);
    expect(error.message).toMatch(/^the store of submissions failed: \S/);
    expect(time.now() - startedAt).toBeLessThanOrEqual(3_000);
    expect(sent).toBe(0);
  });

  test("whose reservation stands all the same is no doubt, here or elsewhere", async () => {
    for (const [one, waitMs] of [
      [here, 0],
      [there, 2_000],
    ] as const) {
      here.store.swap = async (...input) => {
        here.store.swap = store.swap;
        await store.swap(...input);
        return full();
      };
      const call = { ...paid, once: `order ${waitMs}`, timeoutMs: 50 };
      expect(await failure(here.submit(call, answers("job-1")))).toMatchObject({ code: "store" });
      await pass(waitMs);
      expect(await one.submit(call, answers("job-2"))).toMatchObject({ jobId: "job-2" });
    }
    expect(sent).toBe(2);
  });

  test("that answers too late leaves no doubt of what never left, though its program ends", async () => {
    here.store.get = () => new Promise(() => {});
    here.store.swap = async (...input) => {
      // The removal takes half a second.
      if (input[1] !== "") await time.wait(500);
      const found = await store.swap(...input);
      if (input[1] === "") await time.wait(15_000);
      return found;
    };
    expect(await failure(here.submit(order, silent))).toMatchObject({ code: "store" });
    here.process.kill();
    expect(time.now()).toBe(10_500);
    expect(await there.list()).toMatchObject({ unknown: [], underWay: [] });
    expect(sent).toBe(0);
  });

  test("does not keep the job from its caller for more than a second", async () => {
    quiet();
    const job = await here.submit(order, withFullStore(here, answers("job-1")));
    expect(job).toMatchObject({ jobId: "job-1", isRepeated: false });
    expect(time.now()).toBe(1_010);
  });

  test("gets an answer later, as it came: repeats wait for it", async () => {
    quiet();
    const call = { ...order, timeoutMs: 5_000 };
    const first = await here.submit(call, withFullStore(here, answers("job-1")));
    expect(first).toMatchObject({ jobId: "job-1", isRepeated: false });
    // Its caller may do to it whatever it likes.
    Object.assign(first.answer as object, { job_id: "changed", self: first, act: () => {} });
    expect(await failure(there.submit(call, silent))).toMatchObject({ code: "under_way" });
    here.store.swap = store.swap;
    await pass(60_000);
    const given = { answer: answerOf("job-1"), jobId: "job-1", isRepeated: true };
    expect(await there.submit(call, silent)).toEqual(given);
    expect(sent).toBe(1);
  });

  test("gets the job of an answer that is too deep for JSON", async () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    const end = { answer: { job_id: "job-1", deep }, jobId: "job-1" };
    expect(await here.submit(order, ends(end))).toMatchObject({ jobId: "job-1" });
    const repeated = { answer: undefined, jobId: "job-1", isRepeated: true };
    expect(await there.submit(order, silent)).toEqual(repeated);
  });

  test("keeps a refused id until it takes that it is free", async () => {
    quiet();
    await failure(here.submit(order, withFullStore(here, refused)));
    const error = await failure(here.submit(order, answers("job-1")));
    expect(error).toMatchObject({ code: "store", outcome: "unknown" });
    here.store.swap = store.swap;
    const again = await here.submit(order, answers("job-2"));
    expect(again).toMatchObject({ jobId: "job-2" });
    expect(sent).toBe(2);
  });

  test.each([
    ["an answer, in two steps, for as long as the call may take", { jobId: "job-1" }, 4_000, 8_010],
    ["an answer no longer than the call may take", { jobId: "job-1" }, 9_995, 10_000],
    ["a failure for a second", new Error("lost"), 8_000, 1_010],
  ] as const)("or is slow holds %s", async (_, end, slowMs, endedMs) => {
    const send = ends(end);
    const submit = here.submit({ ...order, timeoutMs: 10_000 }, (turn) => {
      here.store.swap = async (...input) => {
        await time.wait(slowMs);
        return store.swap(...input);
      };
      return send(turn);
    });
    await failure(submit);
    expect(time.now()).toBe(endedMs);
  });
});

test("a process that is suspended while its record is written reserves the id anew", async () => {
  here.store.swap = async (...input) => {
    here.store.swap = store.swap;
    const found = await store.swap(...input);
    here.process.suspend(leaseMs + 200_000);
    await time.wait(leaseMs + 200_000);
    return found;
  };
  const submitted = here.start(order, answers("job-1"));
  await pass(0);
  await pass(leaseMs + 75_000);
  const [doubt] = (await there.list()).unknown;
  if (doubt) await there.decide(doubt, "resubmit");
  expect(await there.submit(order, answers("job-2"))).toMatchObject({ jobId: "job-2" });
  expect(await play(submitted)).toMatchObject({ jobId: "job-2", isRepeated: true });
  expect(sent).toBe(1);
});

test("leaves no timer behind, with the clocks of this platform", async () => {
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

test("refuses a store without its methods, and options that it does not have", () => {
  const { get, list } = store;
  expect(() => createSubmissions({ get, list } as never)).toThrow(/with get, swap, list/);
  expect(() => open({ storeTimeoutMs: 0 })).toThrow(/storeTimeoutMs/);
  expect(() => open({ keepMs: 60_000 })).toThrow(/keepMs must be .* 3600000 or more/);
  expect(() => open({ hooks: {} } as never)).toThrow(/no option "hooks"/);
});
