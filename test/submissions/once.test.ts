import { describe, expect, test, vi } from "vitest";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import { createMemoryStore } from "../../src/submissions/memory-store.ts";
import { createRedisStore } from "../../src/submissions/redis-store.ts";
import {
  answerOf,
  answers,
  ends,
  failure,
  full,
  here,
  leaseMs,
  lost,
  open,
  order,
  order18,
  paid,
  pass,
  play,
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
  test("is sent once: each repeat gets the same answer, in any process", async () => {
    const given = { answer: answerOf("job-1"), jobId: "job-1" };
    expect(await here.submit(order, answers("job-1"))).toEqual({ ...given, isRepeated: false });
    const body = { prompt: "Summer", action: "generate-ad" };
    for (const one of [here, there]) {
      const repeat = await one.submit({ ...order, body }, answers("job-2"));
      expect(repeat).toEqual({ ...given, isRepeated: true });
    }
    expect(sent).toBe(1);
  });

  test.each([
    ["another body", { body: { ...paid.body, prompt: "Winter" } }],
    ["another method", { method: "brands.create" }],
  ])("refuses %s, under way, answered or in doubt", async (_, other) => {
    void here.start(order, silent);
    await here.submit(order18, answers("job-1"));
    await here.lose({ ...paid, once: "order-19" });
    for (const once of ["order-17", "order-18", "order-19"]) {
      for (const one of [here, there]) {
        expect(await failure(one.submit({ ...order, ...other, once }, silent))).toMatchObject({
          code: "invalid_request",
          outcome: "not-sent",
          message: expect.stringContaining(`"${once}"`),
        });
      }
    }
    expect(sent).toBe(3);
  });

  test("waits for one that is under way, here or elsewhere", async () => {
    const first = here.start(order, answers("job-1", 5_000));
    await pass(10);
    const repeats = [here, there].map((one) => one.start(order, answers("job-2")));
    const all = await play(Promise.all([first, ...repeats]));
    expect(all.map(({ jobId }) => jobId)).toEqual(["job-1", "job-1", "job-1"]);
    expect(sent).toBe(1);
  });

  test("waits for no longer than it may, and says when to ask again by what is left", async () => {
    void here.start(order, silent);
    await pass(0);
    for (const [whereSent, elsewhere] of [
      [59, 69],
      [49, 59],
      [39, 49],
    ]) {
      const repeats = [here, there].map((one) => one.start({ ...order, timeoutMs: 1_000 }, silent));
      const [own, other] = await play(Promise.all(repeats.map(failure)));
      for (const [error, leftSeconds] of [
        [own, whereSent],
        [other, elsewhere],
      ]) {
        expect(error).toMatchObject({ code: "under_way", outcome: "unknown" });
        const { retryAfterMs } = error as { retryAfterMs: number };
        expect(Math.round(retryAfterMs / 1_000)).toBe(leftSeconds);
      }
      await pass(9_000);
    }
    expect(sent).toBe(1);
  });

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

  test("is free after a refusal, for a mended request too", async () => {
    const error = await failure(here.submit(order, refused));
    expect(error).toMatchObject({ code: "payment_required" });
    const mended = { ...order, body: { ...paid.body, prompt: "Autumn" } };
    expect(await there.submit(mended, answers("job-1"))).toMatchObject({ jobId: "job-1" });
    expect(sent).toBe(2);
  });

  test("is in doubt after a lost answer, with the facts to decide by", async () => {
    const call = { ...order, origin: "https://ads.test" };
    expect(await failure(here.submit(call, lost))).toMatchObject({ code: "connection" });
    for (const one of [here, there]) {
      const error = await failure(one.submit(call, silent));
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
    expect(sent).toBe(1);
  });

  test("is refused to a client of another service, and nothing is sent", async () => {
    const [staging, ads] = ["https://staging.test", "https://ads.test"];
    await here.submit({ ...order, origin: staging }, answers("job-1"));
    await failure(here.submit({ ...order18, origin: staging }, lost));
    for (const call of [order, order18]) {
      expect(await failure(there.submit({ ...call, origin: ads }, silent))).toMatchObject({
        code: "config",
        // The service may have moved, and an earlier call may have sent it.
        outcome: "unknown",
        message: expect.stringMatching(`"${call.once}" of ${staging}.*${ads}`),
      });
    }
    // It may not be known.
    expect(await there.submit(order, silent)).toMatchObject({ jobId: "job-1" });
    await here.submit({ ...paid, once: "order-19" }, answers("job-2"));
    const repeat = await there.submit({ ...paid, once: "order-19", origin: ads }, silent);
    expect(repeat).toMatchObject({ jobId: "job-2" });
    expect(sent).toBe(3);
  });

  test("is in doubt when its process is gone: after its lease, and no sooner", async () => {
    void here.start(order, silent);
    await pass(10);
    here.process.kill();
    const repeat = () => failure(there.submit({ ...order, timeoutMs: 1_000 }, silent));
    expect(await repeat()).toMatchObject({ code: "under_way" });
    await pass(leaseMs - 2_000);
    expect(await repeat()).toMatchObject({ code: "under_way" });
    await pass(2_000);
    expect(await repeat()).toMatchObject({ code: "in_doubt", doubt: { why: "process_ended" } });
    expect(sent).toBe(1);
  });

  test("is in doubt at once where the store knows that its process has ended", async () => {
    void here.start(order, silent);
    await pass(10);
    there.store.swap = async (id, expected, next) => {
      const found = await store.swap(id, expected, next);
      return found && { ...found, isLeft: found.rev !== next?.rev };
    };
    expect(await failure(there.submit(order, silent))).toMatchObject({ code: "in_doubt" });
  });

  test("takes the late answer of an attempt that was marked in doubt", async () => {
    // Its process was suspended meanwhile.
    const first = here.start(order, answers("job-1", 2 * leaseMs));
    await pass(0);
    await there.list();
    await pass(leaseMs);
    expect((await there.list()).unknown).toMatchObject([{ id: "order-17" }]);
    expect(await play(first)).toMatchObject({ jobId: "job-1" });
    expect(await there.list()).toMatchObject({
      unknown: [],
      waiting: [{ id: "order-17", job_id: "job-1" }],
    });
    expect(sent).toBe(1);
  });

  test("tells a job that a broken answer named, and waits for none of a brand", async () => {
    const error = new Error("broken");
    const named = ends({ verdict: "settled", jobId: "job-1", error });
    expect(await failure(here.submit(order, named))).toBe(error);
    const repeated = { answer: undefined, jobId: "job-1", isRepeated: true };
    expect(await here.submit(order, silent)).toEqual(repeated);
    const brand = { ...order18, method: "brands.create" };
    await here.submit(brand, ends({ verdict: "settled", answer: { brand_id: "b1" } }));
    expect(await here.submit(brand, silent)).toMatchObject({ answer: { brand_id: "b1" } });
    expect((await here.list()).waiting).toMatchObject([{ job_id: "job-1" }]);
  });

  test.each([
    ["that is empty", "", "once must be text"],
    ["that is a number", 17, "once must be text"],
    ["of 1025 characters", "x".repeat(1_025), "once must be text"],
    // A store in UTF-8 would take it for another one.
    ["that ends in half of a letter", "order 🎄".slice(0, 7), "once has half of a surrogate pair"],
  ])("refuses an id %s", async (_, once, message) => {
    expect(await failure(here.submit({ ...order, once: once as string }, silent))).toMatchObject({
      ...{ code: "invalid_request", outcome: "not-sent" },
      message: expect.stringContaining(message),
    });
    expect(sent).toBe(0);
  });

  test("needs SHA-256, which a page without https does not have", async () => {
    vi.spyOn(crypto, "subtle", "get").mockReturnValue(undefined as never);
    expect(await failure(here.submit(order, silent))).toMatchObject({
      ...{ code: "config", outcome: "not-sent" },
      message: expect.stringContaining("https"),
    });
    expect(sent).toBe(0);
    expect(await here.submit(paid, answers("job-1"))).toMatchObject({ jobId: "job-1" });
  });
});

describe("a store that fails", () => {
  const failingRedis = createRedisStore(() => Promise.reject(new Error("OOM full")));
  const other = { id: "once:order-17", rev: "other", text: "no record" };

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ["rejects", full, /: disk full$/],
    ["tells its reason itself", failingRedis.swap as never, /: Redis failed at EVAL: OOM full/],
    ["keeps nothing", async () => undefined, /: it kept nothing of what was written$/],
    [
      "gives no answer",
      () => new Promise(() => {}),
      /: it took longer than the 3000 ms of the call$/,
    ],
    ["gives a number", async () => 5, /: swap gave something else than a store of records gives$/],
    ["gives a record of another id", async () => ({ ...other, id: "a" }), /: swap gave something/],
    ["gives no record", async () => other, /: the record of "order-17" is damaged$/],
  ])("and %s lets nothing be sent, and ends the call in its time", async (_, swap, message) => {
    here.store.swap = swap as never;
    // An earlier call with an id of the caller may have sent it.
    for (const [call, outcome] of [
      [order, "unknown"],
      [paid, "not-sent"],
    ] as const) {
      const startedAt = time.now();
      const error = (await failure(here.submit({ ...call, timeoutMs: 3_000 }, silent))) as Error;
      expect(error).toMatchObject({ code: "store", outcome });
      if (call === order) expect(error.message).toMatch(message);
      expect(error.message).toMatch(/^the store of submissions failed: \S/);
      // A store of this library has told all of it in the message.
      const cause = swap === full ? new Error("disk full") : undefined;
      expect(error.cause).toEqual(cause);
      expect(time.now() - startedAt).toBeLessThanOrEqual(3_000);
    }
    expect(sent).toBe(0);
  });

  test("whose reservation stands all the same is no doubt for its process", async () => {
    let isFull = true;
    here.store.swap = async (id, expected, next) => {
      const found = next && (await store.swap(id, expected, next));
      return isFull ? full() : next ? found : store.swap(id, expected, next);
    };
    const error = await failure(here.submit(order, answers("job-1")));
    expect(error).toMatchObject({ code: "store" });
    isFull = false;
    const again = await here.submit({ ...order, timeoutMs: 50 }, answers("job-2"));
    expect(again).toMatchObject({ jobId: "job-2" });
    expect(sent).toBe(1);
  });

  test("frees a reservation that stands all the same, for other processes too", async () => {
    here.store.swap = async (...input) => {
      here.store.swap = store.swap;
      await store.swap(...input);
      return full();
    };
    await failure(here.submit(order, answers("job-1")));
    await pass(2_000);
    expect(await there.submit(order, answers("job-2"))).toMatchObject({ jobId: "job-2" });
    expect(sent).toBe(1);
  });

  test("gets an answer later: repeats in this process have it at once, as it came", async () => {
    quiet();
    const call = { ...order, timeoutMs: 5_000 };
    const first = await here.submit(call, withFullStore(here, answers("job-1")));
    expect(first).toMatchObject({ jobId: "job-1", isRepeated: false });
    // Its caller may do to it whatever it likes.
    const mine = first.answer as Record<string, unknown>;
    Object.assign(mine, { job_id: "changed", self: mine, act: () => {} });
    const given = { answer: answerOf("job-1"), jobId: "job-1", isRepeated: true };
    for (let repeats = 0; repeats < 3; repeats++) {
      const repeat = await here.submit(call, silent);
      expect(repeat).toEqual(given);
      Object.assign(repeat.answer as object, { job_id: "changed" });
    }
    const other = { ...call, body: { ...paid.body, prompt: "Winter" } };
    const error = await failure(here.submit(other, silent));
    expect(error).toMatchObject({ code: "invalid_request" });
    here.store.swap = store.swap;
    await pass(60_000);
    expect(await there.submit(call, silent)).toEqual(given);
    expect(sent).toBe(1);
  });

  test("gets the job of an answer that is too deep for JSON", async () => {
    const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
    const end = { verdict: "settled", answer: { job_id: "job-1", deep }, jobId: "job-1" } as const;
    expect(await here.submit(order, ends(end))).toMatchObject({ jobId: "job-1" });
    const repeated = { answer: undefined, jobId: "job-1", isRepeated: true };
    expect(await there.submit(order, silent)).toEqual(repeated);
  });

  test("keeps a refused id until it takes that it is free", async () => {
    quiet();
    await failure(here.submit(order, withFullStore(here, refused)));
    const error = await failure(here.submit(order, answers("job-1")));
    expect(error).toMatchObject({ code: "store", outcome: "unknown" });
    // The next try of the store by itself is later than this call may take.
    await pass(100);
    here.store.swap = store.swap;
    const again = await here.submit({ ...order, timeoutMs: 500 }, answers("job-2"));
    expect(again).toMatchObject({ jobId: "job-2" });
    expect(sent).toBe(2);
  });

  test.each([
    ["an answer for as long as the call may take", "settled", 8_000, 8_010],
    ["an answer no longer than the call may take", "settled", 9_995, 10_000],
    ["a failure for a second", "doubt", 8_000, 1_010],
  ] as const)("or is slow holds %s", async (_, verdict, slowMs, endedMs) => {
    const send = ends({ verdict, jobId: "job-1", error: new Error("lost") });
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

  test("or is slow writes an end once, however many ask for it meanwhile", async () => {
    const writes: string[] = [];
    here.store.swap = async (id, expected, next) => {
      if (next?.text.includes('"settled"')) {
        writes.push(id);
        await time.wait(1_000);
      }
      return store.swap(id, expected, next);
    };
    const call = here.start(order, answers("job-1"));
    const lists = [100, 200, 300].map((ms) => time.wait(ms).then(here.submissions.listOpen));
    await play(Promise.all([call, ...lists]));
    expect(writes).toEqual(["once:order-17"]);
  });
});

describe("a process that is suspended", () => {
  /** The process sleeps while its first record is written. */
  const suspendAtFirst = (ms: number): void => {
    const { swap } = here.store;
    here.store.swap = async (...input) => {
      here.store.swap = swap;
      const found = await swap(...input);
      here.process.suspend(ms);
      await time.wait(ms);
      return found;
    };
  };

  test("while its record is written reserves the id anew before it sends", async () => {
    suspendAtFirst(leaseMs + 20_000);
    const submitted = here.start(order, answers("job-1"));
    await pass(0);
    await there.list();
    await pass(leaseMs);
    const [doubt] = (await there.list()).unknown;
    if (doubt) await there.decide(doubt, "resubmit");
    expect(await there.submit(order, answers("job-2"))).toMatchObject({ jobId: "job-2" });
    expect(await play(submitted)).toMatchObject({ jobId: "job-2", isRepeated: true });
    expect(sent).toBe(1);
  });

  test("frees its first reservation late, and leaves the answer of the second alone", async () => {
    quiet();
    let isFull = false;
    here.store.swap = (id, expected, next) => {
      const isLateFree = next === undefined && time.now() >= 25_000;
      return (isFull || next === undefined) && !isLateFree
        ? full()
        : store.swap(id, expected, next);
    };
    suspendAtFirst(20_000);
    const send = answers("job-1");
    const answered = await here.submit({ ...order, timeoutMs: 30_000 }, (turn) => {
      isFull = true;
      return send(turn);
    });
    expect(answered).toMatchObject({ jobId: "job-1" });
    await pass(10_000);
    isFull = false;
    await pass(120_000);
    expect(await there.list()).toMatchObject({ waiting: [{ job_id: "job-1" }], underWay: [] });
  });

  test("between two attempts may not send the second", async () => {
    const error = new Error("not sent");
    const turns: boolean[] = [];
    const work = here.submit(order, async ({ mayLeave }) => {
      turns.push(mayLeave());
      await here.process.clock.sleep(1_000);
      turns.push(mayLeave());
      here.process.suspend(leaseMs);
      await here.process.clock.sleep(1);
      turns.push(mayLeave());
      return { verdict: "free", error };
    });
    expect(await failure(work)).toBe(error);
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

test("refuses a store without its methods, and options that it does not have", () => {
  const { get, list } = store;
  expect(() => createSubmissions({ get, list } as never)).toThrow(/\{ get, swap, list \}/);
  expect(() => open({ storeTimeoutMs: 0 })).toThrow(/storeTimeoutMs/);
  expect(() => open({ hooks: {} } as never)).toThrow(/no option "hooks"/);
});
