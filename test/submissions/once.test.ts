import { describe, expect, test, vi } from "vitest";
import { createSubmissions } from "../../src/submissions/create-submissions.ts";
import { createMemoryStore } from "../../src/submissions/memory-store.ts";
import { createRedisStore } from "../../src/submissions/redis-store.ts";
import { expectNoTimers } from "../helpers/faked-time.ts";
import {
  answerOf,
  answers,
  ends,
  failure,
  full,
  here,
  leaseMs,
  lost,
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
    for (const retryAfterMs of [59_000, 49_000]) {
      const end = time.now() + 10_000;
      const underWay = { code: "under_way", outcome: "unknown" };
      expect(await repeat(here)).toMatchObject({ ...underWay, retryAfterMs });
      expect(await repeat(there)).toMatchObject(underWay);
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

  test("is refused to a client of another service, and nothing is sent", async () => {
    const [staging, ads] = ["https://staging.test", "https://ads.test"];
    await here.submit({ ...order, origin: staging }, answers("job-1"));
    await failure(here.submit({ ...order18, origin: staging }, lost));
    for (const call of [order, order18]) {
      expect(await failure(there.submit({ ...call, origin: ads }, silent))).toMatchObject({
        // The service may have moved, and an earlier call may have sent it.
        ...{ code: "config", outcome: "unknown" },
        message: expect.stringMatching(`"${call.once}" of ${staging}.*${ads}`),
      });
    }
    // It may not be known.
    expect(await there.submit(order, silent)).toMatchObject({ jobId: "job-1" });
    expect(sent).toBe(2);
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
  /** A record that is read when it is asked for, as lazy rows of a database are. */
  const lazy = Object.defineProperty({ ...other, rev: "" }, "rev", {
    get: () => {
      throw new Error("row is gone");
    },
  });
  const tooLong = /: it took longer than the 3000 ms of the call$/;

  test.each<[string, () => Promise<unknown>, RegExp]>([
    ["rejects", full, /: disk full$/],
    ["tells its reason itself", failingRedis.swap as never, /: Redis failed at EVAL: OOM full/],
    ["keeps nothing", async () => undefined, /: it kept nothing of what was written$/],
    ["gives no answer", () => new Promise(() => {}), tooLong],
    ["gives a number", async () => 5, /: swap gave something else than a store of records gives$/],
    ["gives a record of another id", async () => ({ ...other, id: "a" }), /: swap gave something/],
    ["gives a record that cannot be read", async () => lazy, /: row is gone$/],
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
      const [reason] = /disk full|row is gone/.exec(error.message) ?? [];
      expect(error.cause).toEqual(reason && new Error(reason));
      expect(time.now() - startedAt).toBeLessThanOrEqual(3_000);
    }
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

  test("for an hour is told once more, and the next call begins to try again", async () => {
    const printed = quiet();
    await here.submit(order, withFullStore(here, answers("job-1")));
    await pass(2 * 3_600_000);
    expect(printed.mock.calls).toEqual([
      [expect.stringMatching(/"order-17" is not on record yet$/), expect.any(Error)],
      [expect.stringMatching(/"order-17" is still not on record: the next/), expect.any(Error)],
    ]);
    await failure(here.submit(order18, silent));
    await pass(30_000);
    here.store.swap = store.swap;
    await pass(60_000);
    expect(await there.submit(order, silent)).toMatchObject({ jobId: "job-1" });
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
    const winter = { ...call, body: { ...paid.body, prompt: "Winter" } };
    expect(await failure(here.submit(winter, silent))).toMatchObject(refusal("another request"));
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

  test("gets the plain fields of a brand that is too deep for JSON", async () => {
    const deep = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`);
    const brand = { id: "brand-1", name: "Lemonade", deep };
    const call = { ...order, method: "brands.create" };
    const made = await here.submit(call, ends({ verdict: "settled", answer: brand }));
    expect([made.answer, time.now()]).toEqual([brand, 10]);
    for (const one of [here, there]) {
      const { answer } = await one.submit(call, silent);
      expect(answer).toEqual({ id: "brand-1", name: "Lemonade" });
    }
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
    ["an answer, in two steps, for as long as the call may take", "settled", 4_000, 8_010],
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

test("a process that is suspended while its record is written reserves the id anew", async () => {
  here.store.swap = async (...input) => {
    here.store.swap = store.swap;
    const found = await store.swap(...input);
    here.process.suspend(leaseMs + 20_000);
    await time.wait(leaseMs + 20_000);
    return found;
  };
  const submitted = here.start(order, answers("job-1"));
  await pass(0);
  await there.list();
  await pass(leaseMs);
  const [doubt] = (await there.list()).unknown;
  if (doubt) await there.decide({ ...doubt, mayStillArrive: false }, "resubmit");
  expect(await there.submit(order, answers("job-2"))).toMatchObject({ jobId: "job-2" });
  expect(await play(submitted)).toMatchObject({ jobId: "job-2", isRepeated: true });
  expect(sent).toBe(1);
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
    await expectNoTimers();
  } finally {
    vi.useRealTimers();
  }
});

test("refuses a store without its methods, and options that it does not have", () => {
  const { get, list } = store;
  expect(() => createSubmissions({ get, list } as never)).toThrow(/\{ get, swap, list \}/);
  expect(() => open({ storeTimeoutMs: 0 })).toThrow(/storeTimeoutMs/);
  expect(() => open({ keepMs: 60_000 })).toThrow(/keepMs must be .* 3600000 or more/);
  expect(() => open({ hooks: {} } as never)).toThrow(/no option "hooks"/);
});
