// Submissions whose process has died, or seems to: the time of their calls passes in the store.
import { describe, expect, test } from "vitest";
import { createSubmissionsWith } from "../../src/submissions/create-submissions.ts";
import {
  answers,
  failure,
  full,
  here,
  leaseMs,
  lost,
  open,
  order,
  pass,
  play,
  refusal,
  refused,
  sent,
  setStoreClock,
  silent,
  store,
  there,
  time,
  useStories,
} from "./story.ts";

useStories();

/** Time of an attempt, and of its listing, by default. */
const settleMs = 75_000;
const place = "once:order-17";

/** Begins a call that never ends, in a process that dies in it. */
const die = async (call = order): Promise<void> => {
  void here.start(call, silent);
  await pass(10);
  here.process.kill();
};

/** Lists by a program of its own, which lives for a moment. */
const visit = async () => {
  const one = open();
  const found = await one.list();
  one.process.kill();
  return found;
};

const textOf = async () => JSON.parse((await store.get(place))?.text ?? "");

describe("a lost submission", () => {
  test("is known after its lease, by programs that live for a moment every ten seconds", async () => {
    await die();
    const startedAt = time.now();
    const errors: unknown[] = [];
    for (;;) {
      const error = await failure(open().submit({ ...order, waitMs: 0 }, silent));
      errors.push(error);
      if ((error as { code: string }).code === "in_doubt") break;
      await pass(10_000);
    }
    expect(time.now() - startedAt).toBeLessThanOrEqual(leaseMs + 20_000);
    const underWay = { code: "under_way", retryAfterMs: leaseMs };
    expect(errors.slice(0, -1)).toEqual(
      errors.slice(0, -1).map(() => expect.objectContaining(underWay)),
    );
    expect(errors.length).toBeGreaterThan(leaseMs / 10_000);
    expect((await visit()).unknown).toMatchObject([{ why: "process_ended", mayStillArrive: true }]);
    expect(sent).toBe(1);
  });

  test("is known also where there are 12,000, and can be decided about", async () => {
    const swap = async (index: number) => {
      const facts = { method: "jobs.submit", submittedAt: "2026", request: {} };
      const attempt = { token: `${index}`, facts };
      const text = JSON.stringify({ v: 1, attempt, state: "sending", leaseMs });
      await store.swap(`once:${index}`, "", { rev: `${index}`, text, list: "open" });
    };
    for (let index = 0; index < 12_000; index++) await swap(index);
    // Nothing waits here, and virtual timers of so many commands take long.
    const never = () => new Promise<never>(() => {});
    const clock = { now: time.now, wall: time.now, sleep: never, rest: never };
    const start = () => createSubmissionsWith(clock, store);
    expect((await start().listOpen()).underWay).toHaveLength(12_000);
    await pass(leaseMs);
    const one = start();
    expect(await one.listOpen()).toMatchObject({ unknown: { length: 12_000 }, underWay: [] });
    await pass(leaseMs + settleMs);
    const { unknown } = await one.listOpen();
    expect(unknown.filter(({ mayStillArrive }) => mayStillArrive)).toEqual([]);
  });

  test("is known to a process that lives on, by a store that forgets nothing", async () => {
    there.store.swap = (id, expected, next) =>
      store.swap(id, expected, next && { rev: next.rev, text: next.text, list: next.list ?? "" });
    await die();
    await there.list();
    // Nor by one whose clock is set back again and again.
    for (let hours = 0; hours < 7; hours++) {
      setStoreClock(-3_600_000);
      await pass(leaseMs / 7);
    }
    const { unknown } = await there.list();
    expect(unknown).toMatchObject([{ why: "process_ended" }]);
    expect(unknown[0]).not.toHaveProperty("leaseMs");
  });

  test("of release 0.11 is known in the same time, and so is one that it reads", async () => {
    await die();
    const old = await textOf();
    expect(Object.keys(old).sort()).toEqual(["attempt", "leaseMs", "state", "v"]);
    await visit();
    // What that release reads is there, and as it was.
    expect(await textOf()).toEqual({ ...old, hasTimer: true });
    await pass(leaseMs);
    await visit();
    const { token } = old.attempt;
    expect(await textOf()).toMatchObject({
      ...{ v: 1, state: "in-doubt", why: "process_ended", attempt: { token } },
    });
  });
});

describe("a timer", () => {
  test("that is not safe makes no doubt, and the next reader begins another", async () => {
    await die();
    // The reader dies between its two writes.
    there.store.swap = async (...input) => {
      await store.swap(...input);
      there.process.kill();
      return new Promise(() => {});
    };
    void there.submissions.listOpen();
    await pass(10);
    const reader = open();
    reader.store.swap = full;
    expect((await reader.list()).underWay).toHaveLength(1);
    for (let visits = 0; visits < 2; visits++) expect((await visit()).underWay).toHaveLength(1);
    await pass(leaseMs);
    expect((await visit()).unknown).toHaveLength(1);
  });

  test("is not begun by who makes the POST, and the end of that is written over one", async () => {
    const first = here.start(order, answers("job-1", 5_000));
    await pass(10);
    const before = await store.get(place);
    await here.list();
    expect(await store.get(place)).toEqual(before);
    await visit();
    expect((await store.get(place))?.rev).not.toBe(before?.rev);
    await play(first);
    expect(await visit()).toMatchObject({ waiting: [{ job_id: "job-1" }], underWay: [] });
  });

  test.each([
    ["settled", answers("job-1", 1_000)],
    ["in-doubt", lost],
    ["dropped", lost],
    ["free", refused],
  ])("that is told of late changes no submission that is %s by then", async (state, send) => {
    let late: () => Promise<unknown> = () => Promise.resolve();
    there.store.swap = async (id, expected, next) => {
      if (id !== place) return store.swap(id, expected, next);
      late = () => store.swap(id, expected, next);
      throw new Error("late");
    };
    const goOn = time.wait(1_000);
    const call = failure(here.start(order, (turn) => goOn.then(() => send(turn))));
    await pass(10);
    await there.list();
    await play(call);
    const [doubt] = (await here.list()).unknown;
    if (doubt && state === "dropped") await here.decide(doubt, "drop");
    const before = await store.get(place);
    await late();
    expect(await store.get(place)).toEqual(before);
    expect(JSON.parse(before?.text ?? '{"state":"free"}')).toMatchObject({ state });
  });

  test("says nothing of the process that its reader was", async () => {
    void here.start(order, silent);
    await pass(10);
    await visit();
    there.store.list = async (name, limit) =>
      (await store.list(name, limit)).map((one) => ({ ...one, isLeft: true }));
    expect((await there.list()).underWay).toHaveLength(1);
  });
});

describe("a doubt of a timer that has ended too soon", () => {
  /** Lets a call of a minute be under way, and its timer end at once. */
  const doubtTooSoon = async (send = silent) => {
    const call = failure(here.start(order, send));
    await pass(10);
    await there.list();
    setStoreClock(7_200_000);
    const [doubt] = (await there.list()).unknown;
    if (doubt === undefined) throw new Error("There is no doubt");
    return { call, doubt };
  };

  test("is refused to submit again until a lease and the time to settle have passed here", async () => {
    const { doubt } = await doubtTooSoon();
    expect(doubt).toMatchObject({ why: "process_ended", leaseMs, mayStillArrive: true });
    const { id, token } = doubt;
    const late = open();
    await late.list();
    for (const one of [there, late]) {
      for (const given of [doubt, { id, token }]) {
        const error = await failure(one.decide(given, "resubmit"));
        const retryAfterMs = leaseMs + settleMs;
        expect(error).toMatchObject({ code: "under_way", name: "UnderWayError", retryAfterMs });
        expect((error as Error).message).toContain('"order-17": wait 145 s, recover again');
      }
    }
    // Clocks that are set change nothing.
    setStoreClock(7_200_000);
    for (let times = 0; times < 20; times++) there.process.setClock();
    await pass(leaseMs + settleMs - 1);
    expect(await failure(there.decide({ id, token }, "resubmit"))).toMatchObject({
      retryAfterMs: 1,
    });
    await pass(1);
    // Its candidates are of a time when the job was perhaps not made.
    const stale = await failure(there.decide(doubt, "resubmit"));
    expect(stale).toMatchObject(refusal("recover again, and decide by the new candidates"));
    const [now] = (await there.list()).unknown;
    expect(now).toMatchObject({ token, mayStillArrive: false });
    // In another process, too, which lives for a moment.
    await open().decide(now ?? doubt, "resubmit");
    expect(await there.submit(order, answers("job-2"))).toMatchObject({ jobId: "job-2" });
  });

  test("is replaced by the end of its call: by its answer, or by a doubt that counts anew", async () => {
    const { call } = await doubtTooSoon(answers("job-1", 30_000));
    expect(await play(call)).toMatchObject({ resolved: { jobId: "job-1" } });
    expect(await visit()).toMatchObject({ waiting: [{ job_id: "job-1" }], unknown: [] });
  });

  test("counts anew where its call has no answer", async () => {
    const gate = time.wait(59_000);
    const { call, doubt } = await doubtTooSoon((turn) => gate.then(() => lost(turn)));
    await play(call);
    const [reported] = (await there.list()).unknown;
    expect(reported).toMatchObject({ token: doubt.token, why: "connection", mayStillArrive: true });
    expect(reported).not.toHaveProperty("leaseMs");
    await pass(settleMs - 1);
    expect((await there.list()).unknown).toMatchObject([{ mayStillArrive: true }]);
    await pass(1);
    expect((await there.list()).unknown).toMatchObject([{ mayStillArrive: false }]);
  });
});

test.each([
  ["connection", undefined, 300_000, 315_000],
  ["connection", undefined, 1_000, settleMs],
  ["connection", 1_000, 300_000, 1_000],
  ["process_ended", undefined, 300_000, 315_000],
  ["process_ended", 1_000, 300_000, 300_000],
] as const)(
  "a doubt (%s) with settleMs %s and attempts of %i ms settles after %i ms",
  async (...row) => {
    const [why, given, attemptMs, afterMs] = row;
    const call = { ...order, attemptMs };
    if (why === "connection") await failure(here.submit(call, lost));
    else await die(call);
    if (why === "process_ended") await there.list();
    if (why === "process_ended") await pass(leaseMs);
    const jobs = { list: async () => ({ items: [], meta: {} }), get: async () => ({}) as never };
    const recover = async () =>
      (await there.recover(given === undefined ? {} : { settleMs: given }, jobs)).unknown;
    expect(await recover()).toMatchObject([{ why, attemptMs, mayStillArrive: true }]);
    await pass(afterMs - 1);
    expect(await recover()).toMatchObject([{ mayStillArrive: true }]);
    await pass(1);
    expect(await recover()).toMatchObject([{ mayStillArrive: false }]);
  },
);
