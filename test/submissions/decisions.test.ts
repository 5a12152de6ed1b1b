import { describe, expect, test, vi } from "vitest";
import type { Doubt } from "../../src/errors/doubt.ts";
import type { NextRecord } from "../../src/submissions/record-store.ts";
import type { SubmissionsOptions } from "../../src/submissions/submissions.ts";
import {
  answers,
  failure,
  full,
  here,
  leaseMs,
  open,
  order,
  order18,
  paid,
  pass,
  play,
  silent,
  store,
  there,
  time,
  useStories,
} from "./story.ts";

useStories();

const order19 = { ...paid, once: "order-19" };

const refusal = (part: string) => ({
  code: "invalid_request",
  message: expect.stringContaining(part),
});

describe("decide", () => {
  test.each([
    [
      { adopt: { job_id: "job-1" } },
      { answer: undefined, jobId: "job-1", isRepeated: true },
      [{ id: "order-17", job_id: "job-1", request: paid.body }],
    ],
    ["resubmit", { jobId: "job-2", isRepeated: false }, []],
    ["drop", { ...refusal("dropped"), outcome: "unknown" }, []],
  ] as const)(
    "%j is taken, and again as done, as after a crash",
    async (decision, next, waiting) => {
      expect(await here.has("order-17")).toBe(false);
      const doubt = await here.lose(order);
      expect(await here.has("order-17")).toBe(true);
      for (const one of [here, here, there]) await one.decide(doubt, decision);
      expect(await here.has("order-17")).toBe(decision !== "resubmit");
      expect(await here.list()).toMatchObject({ waiting, unknown: [] });
      const repeat = await there.submit(order, answers("job-2")).catch((error: unknown) => error);
      expect(repeat).toMatchObject(next);
    },
  );

  test("is about one attempt: a later one of the same id stays in doubt", async () => {
    const first = await here.lose(order);
    await here.decide(first, "resubmit");
    const second = await here.lose(order);
    expect(second.token).not.toBe(first.token);
    await here.decide(first, "resubmit");
    for (const decision of ["drop", { adopt: "job-1" }] as const) {
      expect(await failure(here.decide(first, decision))).toMatchObject(
        refusal("not in doubt about this attempt"),
      );
    }
    expect((await here.list()).unknown).toEqual([second]);
  });

  test("refuses what is under way, or answered", async () => {
    let token = "";
    there.store.swap = (id, expected, next) => {
      token ||= JSON.parse(next?.text ?? "{}").attempt.token;
      return store.swap(id, expected, next);
    };
    const submitted = there.start(order, answers("job-1", 1_000));
    await pass(500);
    const decide = (decision: Parameters<typeof here.decide>[1]) =>
      failure(here.decide({ id: "order-17", token }, decision));
    expect(await decide("resubmit")).toMatchObject(refusal("is sending"));
    await play(submitted);
    for (const decision of ["resubmit", "drop", { adopt: "job-2" }] as const) {
      expect(await decide(decision)).toMatchObject(refusal("is settled"));
    }
  });

  test("has no job for a brand", async () => {
    const doubt = await here.lose({ ...order, method: "brands.create" });
    const error = await failure(here.decide(doubt, { adopt: "job-1" }));
    expect(error).toMatchObject(refusal("brands.create makes no job"));
    await here.decide(doubt, "resubmit");
  });

  test("tells that the store failed, so that it can be tried again", async () => {
    const doubt = await here.lose(order);
    there.store.swap = full;
    expect(await failure(there.decide(doubt, "drop"))).toMatchObject({
      code: "store",
      message: expect.stringContaining("full"),
    });
    await here.decide(doubt, "drop");
  });
});

describe("one job of two submissions", () => {
  const notItsJob = {
    waiting: [{ id: "order-17", job_id: "job-1" }],
    unknown: [{ id: "order-18", why: "not_its_job" }],
  };
  const adopt = (doubt: Doubt, one = here) => one.decide(doubt, { adopt: "job-1" });

  test("is left to the first of two that adopt it, and the other doubt stays as it was", async () => {
    const first = await here.lose(order);
    const second = await here.lose(order18);
    there.store.swap = async (...input) => {
      there.store.swap = store.swap;
      await here.submissions.decide(first, { adopt: "job-1" });
      return store.swap(...input);
    };
    for (const tries of [1, 2]) {
      const error = await failure(adopt(second, there));
      expect(error, `try ${tries}`).toMatchObject(refusal('"order-17"'));
      expect(await here.list()).toMatchObject(notItsJob);
    }
    const third = await here.lose(order19);
    await failure(adopt(third));
    expect((await here.list()).unknown).toContainEqual(third);
  });

  test("is not adopted once an answer named it, before and after its result is saved", async () => {
    const doubt = await here.lose(order);
    await here.submit(order18, answers("job-1"));
    for (const isSaved of [false, true]) {
      if (isSaved) await here.acknowledge("job-1");
      expect(await failure(adopt(doubt))).toMatchObject(refusal('"order-18"'));
    }
  });

  test("is that of the answer: a guess is undone when it comes", async () => {
    const late = there.start(order, answers("job-1", 5_000));
    await adopt(await here.lose(order18));
    await play(late);
    await pass(100);
    expect(await here.list()).toMatchObject(notItsJob);
  });

  test("is that of the answer: a guess is undone when it comes while that is written", async () => {
    const doubt = await here.lose(order18);
    there.store.swap = async (id, expected, next) => {
      await here.submissions.run(order, answers("job-1"));
      await time.wait(100);
      return store.swap(id, expected, next);
    };
    expect(await failure(adopt(doubt, there))).toMatchObject(refusal('"order-17"'));
    expect(await here.list()).toMatchObject(notItsJob);
  });

  test("is that of the answer: a guess is undone where a repeat asks first", async () => {
    await adopt(await here.lose(order18));
    await here.submit(order, answers("job-1"));
    for (const isSaved of [false, true]) {
      if (isSaved) await here.acknowledge("job-1");
      expect(await failure(there.submit(order18, silent))).toMatchObject({
        code: "in_doubt",
        doubt: { why: "not_its_job" },
      });
    }
    expect(await here.list()).toMatchObject({ waiting: [], unknown: [{ id: "order-18" }] });
  });

  test("is closed for the answer, and not for the guess", async () => {
    await adopt(await here.lose(order));
    await here.submit(order, silent);
    await there.submit(order18, answers("job-1"));
    await here.acknowledge("job-1");
    expect(await here.list()).toMatchObject({
      waiting: [],
      unknown: [{ id: "order-17", why: "not_its_job" }],
    });
  });

  test("stays that of a guess whose result was saved", async () => {
    const doubt = await here.lose(order);
    await adopt(doubt);
    await there.acknowledge("job-1");
    await here.submit(order18, answers("job-1"));
    expect(await there.submit(order, silent)).toMatchObject({ jobId: "job-1" });
    await adopt(doubt);
    const error = await failure(adopt(await here.lose(order19)));
    expect(error).toMatchObject(refusal('"order-18"'));
    expect((await here.list()).waiting).toMatchObject([{ id: "order-18" }]);
  });
});

describe("an answer that comes after a decision", () => {
  /** Loses a POST that is under way by its lease, and gives its doubt; its answer comes later. */
  const loseByLease = async (options?: SubmissionsOptions) => {
    const late = open(options).start(order, answers("job-1", 2 * leaseMs));
    await pass(10);
    await here.list();
    await pass(leaseMs);
    const [doubt = { id: "", token: "" }] = (await here.list()).unknown;
    return { doubt, late, recordId: `order-17~${doubt.token}` };
  };

  test.each([
    ["resubmit", [{ id: "order-17", job_id: "job-2" }]],
    ["drop", []],
    [{ adopt: "job-9" }, [{ id: "order-17", job_id: "job-9" }]],
  ] as const)("gives its job a record of its own after %j", async (decision, others) => {
    const onLateJob = vi.fn();
    const { doubt, late, recordId } = await loseByLease({ onLateJob });
    await here.decide(doubt, decision);
    if (decision === "resubmit") await here.submit(order, answers("job-2"));
    await play(late);
    expect(onLateJob.mock.calls).toEqual([[{ id: "order-17", recordId, jobId: "job-1" }]]);
    const waiting = [...others, { id: recordId, job_id: "job-1" }];
    const listed = (await here.list()).waiting.toSorted(
      (one, other) => one.id.length - other.id.length,
    );
    expect(listed).toMatchObject(waiting);
    await pass(100);
    await here.acknowledge("job-1");
    expect((await here.list()).waiting).toMatchObject(others);
  });

  test("takes the id back, where no other attempt has it", async () => {
    const { doubt, late } = await loseByLease();
    await here.decide(doubt, "resubmit");
    await play(late);
    expect(await here.submit(order, silent)).toMatchObject({ jobId: "job-1" });
  });
});

describe("acknowledge", () => {
  test("takes a job off the list, and once more does nothing", async () => {
    await here.submit(order, answers("job-1"));
    for (const one of [here, here, there]) await one.acknowledge({ job_id: "job-1" });
    expect((await here.list()).waiting).toEqual([]);
    expect(await here.submit(order, silent)).toMatchObject({ jobId: "job-1" });
  });

  test("reads no list where it is told the submission, and searches where that is another", async () => {
    await here.submit(order, answers("job-1"));
    await here.submit(order18, answers("job-2"));
    const list = vi.spyOn(there.store, "list");
    for (let times = 0; times < 2; times++) await there.acknowledge("job-1", "order-17");
    expect(list).not.toHaveBeenCalled();
    await there.acknowledge("job-2", "order-17");
    expect((await there.list()).waiting).toEqual([]);
  });

  test("lets the store forget what nobody can repeat, a week later", async () => {
    const kept: NextRecord[] = [];
    here.store.swap = (id, expected, next) => {
      if (next) kept.push(next);
      return store.swap(id, expected, next);
    };
    await here.submit(paid, answers("job-1"));
    expect(kept.map(({ ttlMs }) => ttlMs)).toEqual([undefined, undefined]);
    await here.acknowledge("job-1");
    const weekMs = 7 * 24 * 3_600_000;
    const closed = { ttlMs: weekMs, list: undefined };
    expect(kept.slice(2).map(({ ttlMs, list }) => ({ ttlMs, list }))).toEqual([closed, closed]);
    await here.submit(order, answers("job-2"));
    await here.acknowledge("job-2");
    expect(kept.at(-1)).not.toHaveProperty("ttlMs");
  });
});

const doubt = { id: "order-17", token: "t" };

test.each<[verb: "decide" | "has" | "acknowledge" | "recover", given: unknown[], part: string]>([
  ["decide", [undefined, "drop"], "decide takes a doubt"],
  ["decide", [{ id: "order-17" }, "drop"], "decide takes a doubt"],
  ["decide", [doubt, "keep"], 'got "keep"'],
  ["decide", [doubt, { adopt: "" }], "a job's id"],
  ["decide", [doubt, {}], "{ adopt: job }"],
  ["has", [undefined], "has takes the id of a submission, got"],
  ["has", [""], "has takes the id of a submission, got"],
  ["has", [17], "has takes the id of a submission, got"],
  ["acknowledge", ["job-9"], 'the job "job-9" is none of a submission on record'],
  ["acknowledge", [""], "a job's id must be a non-empty string"],
  ["acknowledge", [undefined], "a job's id must be a non-empty string"],
  ["acknowledge", ["job-1", 17], "the id of a submission must be text, got 17"],
  ["recover", [{ candidateLimit: -1 }], "candidateLimit"],
  ["recover", [{ settleMs: Number.NaN }], "settleMs"],
  ["recover", [{ minAgeMs: 1 }], '"minAgeMs"'],
])("%s refuses %j", async (verb, given, part) => {
  const act = here[verb] as (...given: unknown[]) => Promise<unknown>;
  expect(await failure(act(...given))).toMatchObject(refusal(part));
});
