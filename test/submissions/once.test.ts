import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import { createMemoryStore } from "../../src/submissions/memory-store.ts";
import { createRedisStore } from "../../src/submissions/redis-store.ts";
import { failure, leaseMs, paid, startStory } from "./story.ts";
import { digestAtOnce } from "./virtual-world.ts";

beforeEach(digestAtOnce);
afterEach(() => {
  vi.restoreAllMocks();
});

const order = { ...paid, once: "order-17" };
const answer = (jobId: string) => ({ job_id: jobId, status: "queued" });
const down = () => Promise.reject(new Error("disk full"));
const quiet = () => vi.spyOn(console, "error").mockImplementation(() => {});

describe("a call with an id", () => {
  test("is sent once: each repeat gets the same answer, in any process", async () => {
    const { sent, open, play, answers } = startStory();
    const { submissions } = open();
    expect(await play(submissions.run(order, answers("job-1")))).toEqual({
      answer: answer("job-1"),
      jobId: "job-1",
      isRepeated: false,
    });
    const body = { prompt: "Summer", action: "generate-ad" };
    for (const one of [submissions, open().submissions]) {
      expect(await play(one.run({ ...order, body }, answers("job-2")))).toEqual({
        answer: answer("job-1"),
        jobId: "job-1",
        isRepeated: true,
      });
    }
    expect(sent.count).toBe(1);
  });

  test.each([
    ["another body", { body: { ...paid.body, prompt: "Winter" } }],
    ["another method", { method: "brands.create" }],
  ])("refuses %s, under way, answered or in doubt", async (_, other) => {
    const { sent, open, play, fails, answers, silent, pass } = startStory();
    const { submissions } = open();
    const refusal = {
      code: "invalid_request",
      outcome: "not-sent",
      message: expect.stringContaining('"order-17"'),
    };
    void submissions.run(order, silent);
    await pass(10);
    for (const one of [submissions, open().submissions]) {
      expect(await fails(one.run({ ...order, ...other }, silent))).toMatchObject(refusal);
    }
    const second = { ...order, once: "order-18" };
    refusal.message = expect.stringContaining('"order-18"');
    await play(submissions.run(second, answers("job-1")));
    expect(await fails(submissions.run({ ...second, ...other }, silent))).toMatchObject(refusal);
    expect(sent.count).toBe(2);
  });

  test("waits for one that is under way, here or elsewhere", async () => {
    const { sent, open, play, answers, pass } = startStory();
    const { submissions } = open();
    const first = submissions.run(order, answers("job-1", 5_000));
    await pass(10);
    const repeats = [submissions, open().submissions].map((one) =>
      one.run(order, answers("job-2")),
    );
    const all = await play(Promise.all([first, ...repeats]));
    expect(all.map(({ jobId }) => jobId)).toEqual(["job-1", "job-1", "job-1"]);
    expect(sent.count).toBe(1);
  });

  test("waits for no longer than it may, and says when to ask again", async () => {
    const { time, sent, open, fails, silent, pass } = startStory();
    const { submissions } = open();
    void submissions.run(order, silent);
    await pass(10);
    for (const one of [submissions, open().submissions]) {
      const startedAt = time.now();
      const error = await fails(one.run({ ...order, timeoutMs: 3_000 }, silent));
      expect(error).toMatchObject({ code: "under_way", outcome: "unknown" });
      expect(time.now() - startedAt).toBeLessThanOrEqual(3_000);
      const { retryAfterMs } = error as { retryAfterMs: number };
      expect(retryAfterMs).toBeGreaterThan(50_000);
      expect(retryAfterMs).toBeLessThanOrEqual(leaseMs);
    }
    expect(sent.count).toBe(1);
  });

  test("says when to ask again by what is left, as far as its process knows", async () => {
    const { open, play, silent, pass } = startStory();
    const { submissions } = open();
    void submissions.run(order, silent);
    await pass(0);
    const other = open().submissions;
    const waits: number[][] = [];
    for (let round = 0; round < 3; round++) {
      const asked = [submissions, other].map((one) =>
        failure(one.run({ ...order, timeoutMs: 1_000 }, silent)),
      );
      const errors = (await play(Promise.all(asked))) as { retryAfterMs: number }[];
      waits.push(errors.map(({ retryAfterMs }) => Math.round(retryAfterMs / 1_000)));
      await pass(9_000);
    }
    expect(waits).toEqual([
      [59, 69],
      [49, 59],
      [39, 49],
    ]);
  });

  test("ends its wait at an abort", async () => {
    const { time, open, fails, silent, pass } = startStory();
    const { submissions } = open();
    void submissions.run(order, silent);
    await pass(10);
    for (const one of [submissions, open().submissions]) {
      const controller = new AbortController();
      time.after(500, () => controller.abort("enough"));
      const startedAt = time.now();
      expect(await fails(one.run({ ...order, signal: controller.signal }, silent))).toMatchObject({
        code: "aborted",
        outcome: "unknown",
        cause: "enough",
      });
      expect(time.now() - startedAt).toBe(500);
    }
  });

  test("is free after a refusal, for a mended request too", async () => {
    const { sent, open, play, fails, answers, refused } = startStory();
    const { submissions } = open();
    expect(await fails(submissions.run(order, refused()))).toMatchObject({
      code: "payment_required",
    });
    const mended = { ...order, body: { ...paid.body, prompt: "Autumn" } };
    const { jobId } = await play(open().submissions.run(mended, answers("job-1")));
    expect(jobId).toBe("job-1");
    expect(sent.count).toBe(2);
  });

  test("is in doubt after a lost answer, with the facts to decide by", async () => {
    const { sent, open, fails, lost, silent } = startStory();
    const { submissions } = open();
    const call = { ...order, origin: "https://ads.test" };
    expect(await fails(submissions.run(call, lost()))).toMatchObject({
      code: "connection",
    });
    for (const one of [submissions, open().submissions]) {
      const error = await fails(one.run(call, silent));
      expect(error).toMatchObject({ code: "in_doubt", outcome: "unknown" });
      expect(error).toHaveProperty("doubt", {
        id: "order-17",
        token: expect.stringMatching(/^[0-9a-f]{32}$/),
        method: "jobs.submit",
        action: "generate-ad",
        submittedAt: expect.stringMatching(/^20\d\d-.*Z$/),
        request: paid.body,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        origin: "https://ads.test",
        why: "connection",
        mayStillArrive: true,
      });
      expect(JSON.stringify(error)).not.toContain("Summer");
    }
    expect(sent.count).toBe(1);
  });

  test("is refused to a client of another service, and nothing is sent", async () => {
    const { sent, open, play, fails, answers, lost, silent } = startStory();
    const { submissions } = open();
    const staging = "https://staging.test";
    const second = { ...order, once: "order-18" };
    await play(submissions.run({ ...order, origin: staging }, answers("job-1")));
    await fails(submissions.run({ ...second, origin: staging }, lost()));
    for (const call of [order, second]) {
      const other = { ...call, origin: "https://ads.test" };
      expect(await fails(open().submissions.run(other, silent))).toMatchObject({
        code: "config",
        // The service may have moved, and an earlier call may have sent it.
        outcome: "unknown",
        message: expect.stringMatching(
          /"order-1[78]" of https:\/\/staging.test.*https:\/\/ads.test/,
        ),
      });
    }
    expect(sent.count).toBe(2);
  });

  test.each([
    [undefined, "https://ads.test"],
    ["https://ads.test", undefined],
  ])("of %s is repeated by a client of %s", async (first, next) => {
    const { open, play, answers, silent } = startStory();
    await play(open().submissions.run({ ...order, origin: first }, answers("job-1")));
    const again = open().submissions.run({ ...order, origin: next }, silent);
    expect(await play(again)).toMatchObject({ jobId: "job-1" });
  });

  test("is in doubt when its process is gone: after its lease, and no sooner", async () => {
    const { sent, open, fails, silent, pass } = startStory();
    const first = open();
    void first.submissions.run(order, silent);
    await pass(10);
    first.process.kill();
    const second = open().submissions;
    const repeat = () => fails(second.run({ ...order, timeoutMs: 1_000 }, silent));
    expect(await repeat()).toMatchObject({ code: "under_way" });
    await pass(leaseMs - 2_000);
    expect(await repeat()).toMatchObject({ code: "under_way" });
    await pass(2_000);
    expect(await repeat()).toMatchObject({ code: "in_doubt", doubt: { why: "process_ended" } });
    expect(sent.count).toBe(1);
  });

  test("is in doubt at once where the store knows that its process has ended", async () => {
    const { store, open, fails, silent, pass } = startStory();
    void open().submissions.run(order, silent);
    await pass(10);
    const swap: typeof store.swap = async (id, expected, next) => {
      const there = await store.swap(id, expected, next);
      return there && { ...there, isLeft: there.rev !== next?.rev };
    };
    expect(await fails(open({ swap }).submissions.run(order, silent))).toMatchObject({
      code: "in_doubt",
    });
  });

  test("takes the late answer of an attempt that was marked in doubt", async () => {
    const { sent, open, play, answers, pass } = startStory();
    // Its process was suspended meanwhile.
    const first = open().submissions.run(order, answers("job-1", 2 * leaseMs));
    await pass(0);
    const other = open().submissions;
    await play(other.listOpen());
    await pass(leaseMs);
    expect((await play(other.listOpen())).unknown).toMatchObject([{ id: "order-17" }]);
    expect(await play(first)).toMatchObject({ jobId: "job-1" });
    expect(await play(other.listOpen())).toMatchObject({
      unknown: [],
      waiting: [{ id: "order-17", job_id: "job-1" }],
    });
    expect(sent.count).toBe(1);
  });

  test("tells a job that a broken answer named", async () => {
    const { open, play, fails, ends, silent } = startStory();
    const { submissions } = open();
    const error = new Error("broken");
    const named = ends({ verdict: "settled", jobId: "job-1", error });
    expect(await fails(submissions.run(order, named))).toBe(error);
    expect(await play(submissions.run(order, silent))).toEqual({
      answer: undefined,
      jobId: "job-1",
      isRepeated: true,
    });
    expect((await submissions.listOpen()).waiting).toMatchObject([{ job_id: "job-1" }]);
  });

  test("of a brand is kept, and nothing waits for it", async () => {
    const { open, play, ends } = startStory();
    const { submissions } = open();
    const brand = { ...order, method: "brands.create" };
    const made = ends({ verdict: "settled", answer: { brand_id: "b1" } });
    await play(submissions.run(brand, made));
    expect(await play(submissions.run(brand, made))).toMatchObject({ answer: { brand_id: "b1" } });
    expect((await submissions.listOpen()).waiting).toEqual([]);
  });

  test.each([
    ["that is empty", "", "once must be text"],
    ["that is a number", 17, "once must be text"],
    ["of 1025 characters", "x".repeat(1_025), "once must be text"],
    [
      "that a store in UTF-8 would take for another one",
      ...(["order 🎄".slice(0, 7), "once has half of a surrogate pair"] as const),
    ],
  ])("refuses an id %s", async (_, once, message) => {
    const { sent, open, silent } = startStory();
    const call = { ...order, once: once as string };
    expect(await failure(open().submissions.run(call, silent))).toMatchObject({
      code: "invalid_request",
      outcome: "not-sent",
      message: expect.stringContaining(message),
    });
    expect(sent.count).toBe(0);
  });

  test("needs SHA-256, which a page without https does not have", async () => {
    const { sent, open, play, answers } = startStory();
    vi.spyOn(crypto, "subtle", "get").mockReturnValue(undefined as never);
    const { submissions } = open();
    expect(await failure(submissions.run(order, answers("job-1")))).toMatchObject({
      code: "config",
      outcome: "not-sent",
      message: expect.stringContaining("https"),
    });
    expect(sent.count).toBe(0);
    expect(await play(submissions.run(paid, answers("job-1")))).toMatchObject({ jobId: "job-1" });
  });
});

describe("a store that fails", () => {
  test.each([
    ["an id of the caller", order, "unknown"],
    ["no id", paid, "not-sent"],
  ])("lets nothing be sent with %s", async (_, call, outcome) => {
    const { sent, open, fails, silent } = startStory();
    const { submissions } = open({ swap: down });
    const message = expect.stringContaining("disk full");
    const cause = new Error("disk full");
    const error = await fails(submissions.run(call, silent));
    expect(error).toMatchObject({ code: "store", outcome, message, cause });
    expect(sent.count).toBe(0);
  });

  test("tells a reason of its own once", async () => {
    const { open, fails, silent } = startStory();
    const own = { swap: async () => 5 as never };
    const error = await fails(open(own).submissions.run(order, silent));
    expect(error).toMatchObject({
      message:
        "the store of submissions failed: swap gave something else than a store of records gives",
    });
    expect(error).not.toHaveProperty("cause");
    const redis = createRedisStore(() => Promise.reject(new Error("OOM full")));
    const failed = await fails(open({ swap: redis.swap }).submissions.run(order, silent));
    expect((failed as Error).message).toMatch(/^the store of submissions failed: Redis .*OOM full/);
    expect(failed).not.toHaveProperty("cause");
  });

  test("that keeps nothing, or gives no answer, ends the call in its time", async () => {
    const { time, sent, open, fails, silent } = startStory();
    const stores = [
      { swap: async () => undefined },
      { swap: () => new Promise<never>(() => {}) },
      { swap: async (id: string) => ({ id, rev: "other", text: "no record" }) },
    ];
    for (const own of stores) {
      const startedAt = time.now();
      const call = { ...order, timeoutMs: 3_000 };
      expect(await fails(open(own).submissions.run(call, silent))).toMatchObject({
        code: "store",
      });
      expect(time.now() - startedAt).toBeLessThanOrEqual(3_000);
    }
    expect(sent.count).toBe(0);
  });

  test("has the record before the POST leaves, however slow it is", async () => {
    const { time, store, open, play, answers } = startStory();
    let isReserved = false;
    const { submissions } = open({
      async swap(...input) {
        await time.wait(3_000);
        const there = await store.swap(...input);
        isReserved = true;
        return there;
      },
    });
    const send = vi.fn(answers("job-1"));
    await play(
      submissions.run(order, (turn) => {
        expect(isReserved).toBe(true);
        return send(turn);
      }),
    );
    expect(send).toHaveBeenCalledTimes(1);
  });

  test("whose reservation stands all the same is no doubt for its process", async () => {
    const { store, sent, open, play, fails, answers } = startStory();
    let isDown = true;
    const { submissions } = open({
      async swap(id, expected, next) {
        const there = next && (await store.swap(id, expected, next));
        return isDown ? down() : next ? there : store.swap(id, expected, next);
      },
    });
    expect(await fails(submissions.run(order, answers("job-1")))).toMatchObject({
      code: "store",
    });
    isDown = false;
    const again = { ...order, timeoutMs: 500 };
    expect(await play(submissions.run(again, answers("job-2")))).toMatchObject({ jobId: "job-2" });
    expect(sent.count).toBe(1);
  });

  test("frees a reservation that stands all the same, for other processes too", async () => {
    const { store, sent, open, play, fails, answers, pass } = startStory();
    let commands = 0;
    const { submissions } = open({
      async swap(id, expected, next) {
        const there = await store.swap(id, expected, next);
        return ++commands === 1 ? down() : there;
      },
    });
    await fails(submissions.run(order, answers("job-1")));
    await pass(2_000);
    expect(await play(open().submissions.run(order, answers("job-2")))).toMatchObject({
      jobId: "job-2",
    });
    expect(sent.count).toBe(1);
  });

  test("gets an answer later: repeats in this process have it at once, as it came", async () => {
    quiet();
    const { sent, open, openFailing, play, fails, answers, silent, pass } = startStory();
    const { submissions, breakAt, heal } = openFailing();
    const call = { ...order, timeoutMs: 5_000 };
    const first = await play(submissions.run(call, breakAt(answers("job-1"))));
    expect(first).toMatchObject({ jobId: "job-1", isRepeated: false });
    // Its caller may do to it whatever it likes.
    const mine = first.answer as Record<string, unknown>;
    Object.assign(mine, { job_id: "changed", self: mine, act: () => {} });
    const given = { answer: answer("job-1"), jobId: "job-1", isRepeated: true };
    for (let repeats = 0; repeats < 3; repeats++) {
      expect(await play(submissions.run(call, silent))).toEqual(given);
    }
    const other = { ...call, body: { ...paid.body, prompt: "Winter" } };
    expect(await fails(submissions.run(other, silent))).toMatchObject({ code: "invalid_request" });
    heal();
    await pass(60_000);
    expect(await play(open().submissions.run(call, silent))).toEqual(given);
    expect(sent.count).toBe(1);
  });

  test("gets the job of an answer that is too deep for JSON", async () => {
    const { open, play, ends, silent } = startStory();
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    const end = { verdict: "settled", answer: { job_id: "job-1", deep }, jobId: "job-1" } as const;
    expect(await play(open().submissions.run(order, ends(end)))).toMatchObject({ jobId: "job-1" });
    const repeated = { answer: undefined, jobId: "job-1", isRepeated: true };
    expect(await play(open().submissions.run(order, silent))).toEqual(repeated);
  });

  test("keeps a refused id until it takes that it is free", async () => {
    quiet();
    const { sent, openFailing, play, fails, answers, refused, pass } = startStory();
    const { submissions, breakAt, heal } = openFailing();
    await fails(submissions.run(order, breakAt(refused())));
    expect(await fails(submissions.run(order, answers("job-1")))).toMatchObject({
      ...{ code: "store", outcome: "unknown" },
    });
    // The next try of the store by itself is later than this call may take.
    await pass(100);
    heal();
    const again = { ...order, timeoutMs: 500 };
    expect(await play(submissions.run(again, answers("job-2")))).toMatchObject({ jobId: "job-2" });
    expect(sent.count).toBe(2);
  });
});

describe("a slow store", () => {
  test.each([
    ["an answer for as long as the call may take", "settled", 8_000, 8_010],
    ["an answer no longer than the call may take", "settled", 9_995, 10_000],
    ["a failure for a second", "doubt", 8_000, 1_010],
  ] as const)("holds %s", async (_, verdict, slowMs, endedMs) => {
    const { time, store, open, fails, ends } = startStory();
    let isSlow = false;
    const { submissions } = open({
      async swap(...input) {
        if (isSlow) await time.wait(slowMs);
        return store.swap(...input);
      },
    });
    const send = ends({ verdict, jobId: "job-1", error: new Error("lost") });
    const call = { ...order, timeoutMs: 10_000 };
    const run = submissions.run(call, (turn) => {
      isSlow = true;
      return send(turn);
    });
    await fails(run);
    expect(time.now()).toBe(endedMs);
  });
});

test("writes an end once, however many ask for it meanwhile", async () => {
  const { time, store, open, play, answers } = startStory();
  const writes: string[] = [];
  const { submissions } = open({
    async swap(id, expected, next) {
      if (next?.text.includes('"settled"')) {
        writes.push(id);
        await time.wait(1_000);
      }
      return store.swap(id, expected, next);
    },
  });
  const run = submissions.run(order, answers("job-1"));
  const lists = [100, 200, 300].map((ms) => time.wait(ms).then(submissions.listOpen));
  await play(Promise.all([run, ...lists]));
  expect(writes).toEqual(["once:order-17"]);
});

describe("a process that is suspended", () => {
  test("while its record is written reserves the id anew before it sends", async () => {
    const { time, store, sent, open, play, answers, pass } = startStory();
    let isFirst = true;
    const first = open({
      async swap(id, expected, next) {
        const there = await store.swap(id, expected, next);
        if (isFirst) {
          isFirst = false;
          first.process.suspend(leaseMs + 20_000);
          await time.wait(leaseMs + 20_000);
        }
        return there;
      },
    });
    const submitted = first.submissions.run(order, answers("job-1"));
    await pass(0);
    const other = open().submissions;
    await play(other.listOpen());
    await pass(leaseMs);
    const [doubt] = (await play(other.listOpen())).unknown;
    if (doubt) await play(other.decide(doubt, "resubmit"));
    expect(await play(other.run(order, answers("job-2")))).toMatchObject({ jobId: "job-2" });
    expect(await play(submitted)).toMatchObject({ jobId: "job-2", isRepeated: true });
    expect(sent.count).toBe(1);
  });

  test("frees its first reservation late, and leaves the answer of the second alone", async () => {
    quiet();
    const { time, store, open, play, answers, pass } = startStory();
    let isFirst = true;
    let isDown = false;
    const first = open({
      async swap(id, expected, next) {
        if (isDown || next === undefined) {
          if (next !== undefined || time.now() < 25_000) return down();
        }
        const there = await store.swap(id, expected, next);
        if (isFirst) {
          isFirst = false;
          first.process.suspend(20_000);
          await time.wait(20_000);
        }
        return there;
      },
    });
    const call = { ...order, timeoutMs: 30_000 };
    const run = first.submissions.run(call, (turn) => {
      isDown = true;
      return answers("job-1")(turn);
    });
    expect(await play(run)).toMatchObject({ jobId: "job-1" });
    await pass(10_000);
    isDown = false;
    await pass(120_000);
    expect(await play(open().submissions.listOpen())).toMatchObject({
      waiting: [{ job_id: "job-1" }],
      underWay: [],
    });
  });

  test("between two attempts may not send the second", async () => {
    const { open, fails } = startStory();
    const { submissions, process } = open();
    const error = new Error("not sent");
    const turns: boolean[] = [];
    const work = submissions.run(order, async ({ mayLeave }) => {
      turns.push(mayLeave());
      await process.clock.sleep(1_000);
      turns.push(mayLeave());
      process.suspend(leaseMs);
      await process.clock.sleep(1);
      turns.push(mayLeave());
      return { verdict: "free", error };
    });
    expect(await fails(work)).toBe(error);
    expect(turns).toEqual([true, true, false]);
  });
});

test("leaves no timer behind, with the clocks of this platform", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const submissions = createSubmissions(createMemoryStore());
    const send = async () => ({ verdict: "settled", jobId: "job-1" }) as const;
    const run = () => submissions.run(order, send);
    expect(await Promise.all([run(), run()])).toMatchObject([
      { jobId: "job-1", isRepeated: false },
      { jobId: "job-1", isRepeated: true },
    ]);
    await submissions.acknowledge("job-1");
    expect(await submissions.listOpen()).toEqual({
      ...{ waiting: [], unknown: [], underWay: [], damaged: [] },
    });
    expect(vi.getTimerCount()).toBe(0);
  } finally {
    vi.useRealTimers();
  }
});

test("refuses a store without its methods, and options that it does not have", async () => {
  const { open } = startStory();
  expect(() => open({ swap: undefined as never })).toThrow(/\{ get, swap, list \}/);
  expect(() => open({}, { storeTimeoutMs: 0 })).toThrow(/storeTimeoutMs/);
  expect(() => open({}, { hooks: {} } as never)).toThrow(/no option "hooks"/);
});
