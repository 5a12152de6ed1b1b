import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Job } from "../../src/contract/jobs.ts";
import type { Doubt } from "../../src/errors/doubt.ts";
import { makeError } from "../../src/errors/make-error.ts";
import type { NextRecord } from "../../src/submissions/record-store.ts";
import type { Submissions, SubmissionsOptions } from "../../src/submissions/submissions.ts";
import { failure, leaseMs, paid, type Story, startStory } from "./story.ts";
import { digestAtOnce } from "./virtual-world.ts";

beforeEach(digestAtOnce);
afterEach(() => {
  vi.restoreAllMocks();
});

const order = { ...paid, once: "order-17" };

/** Loses a POST that is under way by its lease, and gives its doubt; its answer comes later. */
const loseByLease = async (
  { open, play, pass, answers }: Story,
  options?: SubmissionsOptions,
): Promise<{ submissions: Submissions; doubt: Doubt; late: Promise<unknown> }> => {
  const late = open({}, options).submissions.run(order, answers("job-1", 2 * leaseMs));
  await pass(10);
  const { submissions } = open();
  await play(submissions.listOpen());
  await pass(leaseMs);
  const [doubt] = (await play(submissions.listOpen())).unknown;
  if (doubt === undefined) throw new Error("There is no doubt");
  return { submissions, doubt, late };
};

const notItsJob = {
  waiting: [{ id: "order-17", job_id: "job-1" }],
  unknown: [{ id: "order-18", why: "not_its_job" }],
};

const refusal = (part: string) => ({
  code: "invalid_request",
  message: expect.stringContaining(part),
});

describe("decide", () => {
  test("adopts a job: repeats get its id, and it is waited for", async () => {
    const { open, play, lose, silent } = startStory();
    const { submissions } = open();
    const doubt = await lose(submissions, order);
    await play(submissions.decide(doubt, { adopt: "job-1" }));
    expect(await play(open().submissions.run(order, silent))).toEqual({
      answer: undefined,
      jobId: "job-1",
      isRepeated: true,
    });
    expect(await play(submissions.listOpen())).toMatchObject({
      waiting: [{ id: "order-17", job_id: "job-1", request: paid.body }],
      unknown: [],
    });
  });

  test("frees an id for another attempt", async () => {
    const { open, play, lose, answers } = startStory();
    const { submissions } = open();
    await play(submissions.decide(await lose(submissions, order), "resubmit"));
    const run = play(submissions.run(order, answers("job-2")));
    expect(await run).toMatchObject({ jobId: "job-2", isRepeated: false });
  });

  test("frees an id as has tells it, which refuses what is no id", async () => {
    const { open, play, fails, lose } = startStory();
    const { submissions } = open();
    expect(await play(submissions.has("order-17"))).toBe(false);
    const doubt = await lose(submissions, order);
    expect(await play(submissions.has("order-17"))).toBe(true);
    await play(submissions.decide(doubt, "resubmit"));
    expect(await play(submissions.has("order-17"))).toBe(false);
    for (const id of [undefined, "", 17]) {
      expect(await fails(submissions.has(id as never))).toMatchObject(
        refusal("has takes the id of a submission, got"),
      );
    }
  });

  test("drops an id for good", async () => {
    const { open, play, fails, lose, silent } = startStory();
    const { submissions } = open();
    await play(submissions.decide(await lose(submissions, order), "drop"));
    expect(await fails(submissions.run(order, silent))).toMatchObject({
      ...refusal("dropped"),
      outcome: "unknown",
    });
    expect(await play(submissions.listOpen())).toMatchObject({ unknown: [], waiting: [] });
  });

  test.each([{ adopt: { job_id: "job-1" } }, "resubmit", "drop"] as const)(
    "takes %j again as done, as after a crash",
    async (decision) => {
      const { open, play, lose } = startStory();
      const { submissions } = open();
      const doubt = await lose(submissions, order);
      for (const one of [submissions, submissions, open().submissions]) {
        await play(one.decide(doubt, decision));
      }
    },
  );

  test("is about one attempt: a later one of the same id stays in doubt", async () => {
    const { open, play, fails, lose } = startStory();
    const { submissions } = open();
    const first = await lose(submissions, order);
    await play(submissions.decide(first, "resubmit"));
    const second = await lose(submissions, order);
    expect(second.token).not.toBe(first.token);
    await play(submissions.decide(first, "resubmit"));
    for (const decision of ["drop", { adopt: "job-1" }] as const) {
      expect(await fails(submissions.decide(first, decision))).toMatchObject(
        refusal("not in doubt about this attempt"),
      );
    }
    expect((await play(submissions.listOpen())).unknown).toEqual([second]);
  });

  test("refuses what is under way, or answered", async () => {
    const { store, open, play, fails, answers, pass } = startStory();
    const { submissions } = open();
    let token = "";
    const own = open({
      swap: (id, expected, next?: NextRecord) => {
        token ||= JSON.parse(next?.text ?? "{}").attempt.token;
        return store.swap(id, expected, next);
      },
    });
    const run = own.submissions.run(order, answers("job-1", 1_000));
    await pass(500);
    const doubt = { id: "order-17", token };
    expect(await fails(submissions.decide(doubt, "resubmit"))).toMatchObject(refusal("is sending"));
    await play(run);
    for (const decision of ["resubmit", "drop", { adopt: "job-2" }] as const) {
      expect(await fails(submissions.decide(doubt, decision))).toMatchObject(refusal("is settled"));
    }
  });

  test("lets one job be adopted once", async () => {
    const { open, play, lose } = startStory();
    const { submissions } = open();
    const one = await lose(submissions, order);
    const other = await lose(submissions, { ...order, once: "order-18" });
    const decide = (doubt: Doubt) => failure(submissions.decide(doubt, { adopt: "job-1" }));
    const both = await play(Promise.all([decide(one), decide(other)]));
    expect(both.filter((error) => "resolved" in (error as object))).toHaveLength(1);
    expect(both).toContainEqual(expect.objectContaining(refusal('"job-1" belongs to')));
  });

  test("leaves a job to the first of two that adopt it, and the other doubt as it was", async () => {
    const { store, open, play, fails, lose } = startStory();
    const { submissions } = open();
    const first = await lose(submissions, order);
    const second = await lose(submissions, { ...order, once: "order-18" });
    let isFirst = true;
    const swap: typeof store.swap = async (id, expected, next) => {
      if (isFirst && id === "once:order-18") {
        isFirst = false;
        await submissions.decide(first, { adopt: "job-1" });
      }
      return store.swap(id, expected, next);
    };
    const slow = open({ swap }).submissions;
    for (const tries of [1, 2]) {
      const error = await fails(slow.decide(second, { adopt: "job-1" }));
      expect(error, `try ${tries}`).toMatchObject(refusal('"order-17"'));
      expect(await play(submissions.listOpen())).toMatchObject(notItsJob);
    }
    const third = await lose(submissions, { ...order, once: "order-19" });
    await fails(submissions.decide(third, { adopt: "job-1" }));
    expect((await play(submissions.listOpen())).unknown).toContainEqual(third);
  });

  test("refuses a job that an answer named, before and after its result is saved", async () => {
    const { store, open, play, fails, lose, answers } = startStory();
    const { submissions } = open();
    const doubt = await lose(submissions, order);
    await play(submissions.run({ ...order, once: "order-18" }, answers("job-1")));
    const adopt = () => fails(submissions.decide(doubt, { adopt: "job-1" }));
    expect(await adopt()).toMatchObject(refusal('"order-18"'));
    // As when its process ended before the claim was written.
    const claim = await store.get("job:job-1");
    await store.swap("job:job-1", claim?.rev ?? "");
    expect(await adopt()).toMatchObject(refusal('"order-18"'));
    await play(submissions.acknowledge("job-1"));
    expect(await adopt()).toMatchObject(refusal('"order-18"'));
  });

  test("undoes a guess that an answer contradicts", async () => {
    const { open, play, lose, answers, pass } = startStory();
    const { submissions } = open();
    const late = open().submissions.run(order, answers("job-1", 5_000));
    const doubt = await lose(submissions, { ...order, once: "order-18" });
    await play(submissions.decide(doubt, { adopt: "job-1" }));
    await play(late);
    await pass(100);
    expect(await play(submissions.listOpen())).toMatchObject(notItsJob);
  });

  test("undoes a guess that an answer contradicts while it is written", async () => {
    const { time, store, open, play, fails, lose, answers } = startStory();
    const { submissions } = open();
    const doubt = await lose(submissions, { ...order, once: "order-18" });
    const swap: typeof store.swap = async (id, expected, next) => {
      if (id === "once:order-18" && next?.text.includes('"settled"')) {
        await submissions.run(order, answers("job-1"));
        await time.wait(100);
      }
      return store.swap(id, expected, next);
    };
    const slow = open({ swap }).submissions;
    expect(await fails(slow.decide(doubt, { adopt: "job-1" }))).toMatchObject(
      refusal('"order-17"'),
    );
    expect(await play(submissions.listOpen())).toMatchObject(notItsJob);
  });

  test("undoes a guess that an answer contradicts, where a repeat asks first", async () => {
    const { open, play, fails, lose, answers, silent } = startStory();
    const { submissions } = open();
    const doubt = await lose(submissions, order);
    await play(submissions.decide(doubt, { adopt: "job-1" }));
    await play(submissions.run({ ...paid, once: "order-18" }, answers("job-1")));
    for (const isSaved of [false, true]) {
      if (isSaved) await play(submissions.acknowledge("job-1"));
      expect(await fails(open().submissions.run(order, silent))).toMatchObject({
        code: "in_doubt",
        doubt: { why: "not_its_job" },
      });
    }
    expect(await play(submissions.listOpen())).toMatchObject({
      waiting: [],
      unknown: [{ id: "order-17" }],
    });
  });

  test("keeps the job of a guess whose result was saved", async () => {
    const { open, play, fails, lose, answers, silent } = startStory();
    const { submissions } = open();
    const doubt = await lose(submissions, order);
    await play(submissions.decide(doubt, { adopt: "job-1" }));
    await play(open().submissions.acknowledge("job-1"));
    await play(submissions.run({ ...paid, once: "order-18" }, answers("job-1")));
    expect(await play(open().submissions.run(order, silent))).toMatchObject({ jobId: "job-1" });
    await play(submissions.decide(doubt, { adopt: "job-1" }));
    const third = await lose(submissions, { ...paid, once: "order-19" });
    expect(await fails(submissions.decide(third, { adopt: "job-1" }))).toMatchObject(
      refusal('"order-18"'),
    );
    expect((await play(submissions.listOpen())).waiting).toMatchObject([{ id: "order-18" }]);
  });

  test("gives a job of its own record when its answer comes after a decision", async () => {
    const jobs: unknown[] = [];
    const story = startStory();
    const { play, pass, answers } = story;
    const onLateJob = (job: unknown): void => void jobs.push(job);
    const { submissions, doubt, late } = await loseByLease(story, { onLateJob });
    await play(submissions.decide(doubt, "resubmit"));
    await play(submissions.run(order, answers("job-2")));
    await play(late);
    const recordId = `order-17~${doubt.token}`;
    expect(jobs).toEqual([{ id: "order-17", recordId, jobId: "job-1" }]);
    expect((await play(submissions.listOpen())).waiting).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ id: "order-17", job_id: "job-2" }),
        expect.objectContaining({ id: recordId, job_id: "job-1" }),
      ]),
    );
    await pass(100);
    await play(submissions.acknowledge("job-1"));
    expect((await play(submissions.listOpen())).waiting).toMatchObject([{ job_id: "job-2" }]);
  });

  test.each(["drop", { adopt: "job-9" }] as const)(
    "gives a late answer a record of its own after %j",
    async (decision) => {
      const story = startStory();
      const onLateJob = vi.fn();
      const { submissions, doubt, late } = await loseByLease(story, { onLateJob });
      await story.play(submissions.decide(doubt, decision));
      await story.play(late);
      const { waiting } = await story.play(submissions.listOpen());
      const id = `order-17~${doubt.token}`;
      expect(waiting).toContainEqual(expect.objectContaining({ id, job_id: "job-1" }));
      expect(waiting).toHaveLength(decision === "drop" ? 1 : 2);
      expect(onLateJob).toHaveBeenCalledTimes(1);
    },
  );

  test("takes the id back for a late answer, where no other attempt has it", async () => {
    const story = startStory();
    const { submissions, doubt, late } = await loseByLease(story);
    await story.play(submissions.decide(doubt, "resubmit"));
    await story.play(late);
    const repeat = submissions.run(order, story.silent);
    expect(await story.play(repeat)).toMatchObject({ jobId: "job-1" });
  });

  test("has no job for a brand", async () => {
    const { open, play, fails, lose } = startStory();
    const { submissions } = open();
    const doubt = await lose(submissions, { ...order, method: "brands.create" });
    const adopt = submissions.decide(doubt, { adopt: "job-1" });
    expect(await fails(adopt)).toMatchObject(refusal("brands.create makes no job"));
    await play(submissions.decide(doubt, "resubmit"));
  });

  test.each([
    [undefined, "drop", "decide takes a doubt"],
    [{ id: "order-17" }, "drop", "decide takes a doubt"],
    [{ id: "order-17", token: "t" }, "keep", 'got "keep"'],
    [{ id: "order-17", token: "t" }, { adopt: "" }, "a job's id"],
    [{ id: "order-17", token: "t" }, {}, "{ adopt: job }"],
  ])("refuses %j with %j", async (doubt, decision, part) => {
    const { submissions } = startStory().open();
    const decide = submissions.decide(doubt as never, decision as never);
    expect(await failure(decide)).toMatchObject(refusal(part));
  });

  test("tells that the store failed, so that it can be tried again", async () => {
    const { open, play, fails, lose } = startStory();
    const { submissions } = open();
    const doubt = await lose(submissions, order);
    const broken = open({ swap: () => Promise.reject(new Error("full")) }).submissions;
    expect(await fails(broken.decide(doubt, "drop"))).toMatchObject({
      code: "store",
      message: expect.stringContaining("full"),
    });
    await play(submissions.decide(doubt, "drop"));
  });
});

describe("acknowledge", () => {
  test("takes a job off the list, and once more does nothing", async () => {
    const { open, play, answers, silent } = startStory();
    const { submissions } = open();
    await play(submissions.run(order, answers("job-1")));
    for (const one of [submissions, submissions, open().submissions]) {
      await play(one.acknowledge({ job_id: "job-1" }));
    }
    expect((await play(submissions.listOpen())).waiting).toEqual([]);
    expect(await play(submissions.run(order, silent))).toMatchObject({ jobId: "job-1" });
  });

  test("reads no list where it is told the submission, and searches where that is another", async () => {
    const { store, open, play, fails, answers } = startStory();
    await play(open().submissions.run(order, answers("job-1")));
    await play(open().submissions.run({ ...order, once: "order-18" }, answers("job-2")));
    const list = vi.fn(store.list);
    const { submissions } = open({ list });
    for (let times = 0; times < 2; times++) {
      await play(submissions.acknowledge("job-1", "order-17"));
    }
    expect(list).not.toHaveBeenCalled();
    await play(submissions.acknowledge("job-2", "order-17"));
    expect((await play(submissions.listOpen())).waiting).toEqual([]);
    expect(await fails(submissions.acknowledge("job-1", 17 as unknown as string))).toMatchObject(
      refusal("the id of a submission must be text, got 17"),
    );
  });

  test("finds a job whose claim was not written", async () => {
    const { store, open, play, answers } = startStory();
    const { submissions } = open({
      swap: async (id, expected, next) =>
        id.startsWith("job:") ? new Promise(() => {}) : store.swap(id, expected, next),
    });
    await play(submissions.run(order, answers("job-1")));
    const other = open().submissions;
    await play(other.acknowledge("job-1"));
    expect((await play(other.listOpen())).waiting).toEqual([]);
  });

  test("closes the submission whose answer named the job, and not the guess", async () => {
    const { open, play, lose, answers, silent } = startStory();
    const { submissions } = open();
    await play(submissions.decide(await lose(submissions, order), { adopt: "job-1" }));
    await play(submissions.run(order, silent));
    await play(open().submissions.run({ ...paid, once: "order-18" }, answers("job-1")));
    await play(submissions.acknowledge("job-1"));
    expect(await play(submissions.listOpen())).toMatchObject({
      waiting: [],
      unknown: [{ id: "order-17", why: "not_its_job" }],
    });
  });

  test("lets the store forget what nobody can repeat, a week later", async () => {
    const { store, open, play, answers } = startStory();
    const kept: NextRecord[] = [];
    const { submissions } = open({
      swap(id, expected, next) {
        if (next) kept.push(next);
        return store.swap(id, expected, next);
      },
    });
    await play(submissions.run(paid, answers("job-1")));
    expect(kept.map(({ ttlMs }) => ttlMs)).toEqual([undefined, undefined]);
    await play(submissions.acknowledge("job-1"));
    const weekMs = 7 * 24 * 3_600_000;
    expect(kept.slice(2).map(({ ttlMs, list }) => [ttlMs, list])).toEqual([
      ...[
        [weekMs, undefined],
        [weekMs, undefined],
      ],
    ]);
    await play(submissions.run(order, answers("job-2")));
    await play(submissions.acknowledge("job-2"));
    expect(kept.at(-1)).not.toHaveProperty("ttlMs");
  });

  test.each(["job-9", "", undefined])("refuses the job %j", async (job) => {
    const { open, fails } = startStory();
    const { submissions } = open();
    expect(await fails(submissions.acknowledge(job as string))).toMatchObject({
      code: "invalid_request",
    });
  });
});

describe("recover", () => {
  const listOf = (...ids: string[]): Job[] => ids.map((id) => ({ job_id: id, status: "queued" }));
  const jobsOf = (items: readonly Job[]) => ({
    list: vi.fn(async () => ({ items, extra: {} })),
    get: vi.fn(async (id: string) => {
      const found = items.find(({ job_id: jobId }) => jobId === id);
      if (found === undefined) throw makeError("not_found", "no such job");
      return found;
    }),
  });

  test("gives what is open, and candidates that no record owns", async () => {
    const { open, play, lose, answers, silent, pass } = startStory();
    const { submissions } = open();
    await play(submissions.run(paid, answers("job-1")));
    await play(submissions.run({ ...paid, once: "a" }, answers("job-2")));
    await play(submissions.acknowledge("job-2"));
    const doubt = await lose(submissions, order);
    const dead = open();
    void dead.submissions.run({ ...order, once: "b" }, silent);
    await pass(10);
    const jobs = jobsOf([
      ...listOf("job-5", "job-2", "job-1"),
      { job_id: "job-0", status: "queued", action: "video-a-2" } as Job,
      { job_id: "job-6", status: "queued", action: "generate-ad" } as Job,
    ]);
    const open1 = await play(submissions.recover({ candidateLimit: 50 }, jobs as never));
    expect(jobs.list).toHaveBeenCalledWith({ limit: 50 }, { signal: undefined });
    expect(open1).toEqual({
      waiting: [expect.objectContaining({ job_id: "job-1", request: paid.body })],
      unknown: [
        {
          ...doubt,
          mayStillArrive: true,
          candidates: [
            { job_id: "job-5", status: "queued" },
            { job_id: "job-6", status: "queued", action: "generate-ad" },
          ],
        },
      ],
      underWay: [expect.objectContaining({ id: "b", leftMs: expect.any(Number) })],
      damaged: [],
    });
    await pass(75_000);
    const open2 = await play(submissions.recover(undefined, jobs as never));
    expect(open2.unknown).toMatchObject([
      { id: "order-17", mayStillArrive: false },
      { id: "b", mayStillArrive: true, why: "process_ended" },
    ]);
    expect(open2.underWay).toEqual([]);
  });

  test("asks for no jobs where nothing is in doubt", async () => {
    const { open, play, answers } = startStory();
    const { submissions } = open();
    await play(submissions.run(paid, answers("job-1")));
    const jobs = jobsOf([]);
    await play(submissions.recover({}, jobs as never));
    expect(jobs.list).not.toHaveBeenCalled();
  });

  test("gives the job that a broken answer named as the only candidate", async () => {
    const { open, play, fails, ends } = startStory();
    const { submissions } = open();
    const error = makeError("server_error", "500");
    await fails(submissions.run(order, ends({ verdict: "doubt", error, jobId: "job-1" })));
    const candidatesOf = async (ids: string[]) => {
      const { unknown } = await play(submissions.recover({}, jobsOf(listOf(...ids)) as never));
      return unknown.map(({ jobId, candidates }) => [jobId, candidates]);
    };
    expect(await candidatesOf(["job-2", "job-1"])).toEqual([["job-1", listOf("job-1")]]);
    expect(await candidatesOf(["job-2"])).toEqual([["job-1", []]]);
  });

  test("keeps a job as candidate while its adoption is not over", async () => {
    const { store, open, play, fails, lose } = startStory();
    const { submissions } = open();
    const doubt = await lose(submissions, order);
    const swap: typeof store.swap = (id, expected, next) =>
      id.startsWith("job:") ? store.swap(id, expected, next) : Promise.reject(new Error("full"));
    const broken = open({ swap }).submissions;
    await fails(broken.decide(doubt, { adopt: "job-1" }));
    const { unknown } = await play(submissions.recover({}, jobsOf(listOf("job-1")) as never));
    expect(unknown).toMatchObject([{ candidates: listOf("job-1") }]);
    await play(submissions.decide(doubt, "resubmit"));
    const other = await lose(submissions, { ...order, once: "order-18" });
    await play(submissions.decide(other, { adopt: "job-1" }));
  });

  test("tells the doubts without candidates where the service does not answer", async () => {
    const { open, play, fails, lose } = startStory();
    const { submissions } = open();
    await lose(submissions, order);
    const error = makeError("server_error", "503");
    const jobs = { list: () => Promise.reject(error), get: () => Promise.reject(error) };
    const told = await play(submissions.recover({}, jobs));
    expect(told).toMatchObject({ candidatesError: error, unknown: [{ id: "order-17" }] });
    expect(told.unknown[0]).not.toHaveProperty("candidates");
    const aborted = makeError("aborted", "aborted");
    jobs.list = () => Promise.reject(aborted);
    expect(await fails(submissions.recover({}, jobs))).toBe(aborted);
  });

  test("gives no candidates of one service to the submissions of another", async () => {
    const { open, play, lose, answers } = startStory();
    const { submissions } = open();
    await lose(submissions, { ...order, origin: "https://staging.test" });
    await play(submissions.run({ ...paid, once: "order-18" }, answers("job-1")));
    const jobs = { ...jobsOf(listOf("job-2")), origin: "https://ads.test" };
    const told = await play(submissions.recover({}, jobs as never));
    expect(told).toMatchObject({
      candidatesError: { code: "config", message: expect.stringContaining("https://staging.test") },
      unknown: [{ id: "order-17" }],
      waiting: [{ id: "order-18" }],
    });
    expect(told.unknown[0]).not.toHaveProperty("candidates");
    expect(jobs.list).not.toHaveBeenCalled();
  });

  test("tells no lost submission before the store has it as such", async () => {
    const { open, play, fails, silent, pass } = startStory();
    void open().submissions.run(order, silent);
    await pass(10);
    const { submissions } = open({ swap: () => Promise.reject(new Error("full")) });
    await play(submissions.listOpen());
    await pass(leaseMs);
    expect(await fails(submissions.listOpen())).toMatchObject({ code: "store" });
  });

  test("shows records that it cannot read", async () => {
    const { store, open, play, fails, silent } = startStory();
    await store.swap("once:order-17", "", { rev: "1", text: "{}", list: "open" });
    const { submissions } = open();
    expect((await play(submissions.listOpen())).damaged).toEqual([{ id: "order-17", text: "{}" }]);
    expect(await fails(submissions.run(order, silent))).toMatchObject({
      code: "store",
      outcome: "unknown",
      message: expect.stringContaining("damaged"),
    });
  });

  test.each([
    ["candidateLimit", { candidateLimit: -1 }],
    ["settleMs", { settleMs: Number.NaN }],
    ['"minAgeMs"', { minAgeMs: 1 }],
  ])("refuses a bad option %s", async (name, options) => {
    const { submissions } = startStory().open();
    const recover = submissions.recover(options as object, jobsOf([]) as never);
    expect(await failure(recover)).toMatchObject(refusal(name));
  });
});
