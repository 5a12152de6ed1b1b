import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Job } from "../../src/contract/jobs.ts";
import type { Doubt } from "../../src/errors/doubt.ts";
import { makeError } from "../../src/errors/make-error.ts";
import type { NextRecord } from "../../src/submissions/record-store.ts";
import type { Submissions } from "../../src/submissions/submissions.ts";
import { failure, leaseMs, paid, type Story, startStory } from "./story.ts";
import { digestAtOnce } from "./virtual-world.ts";

beforeEach(digestAtOnce);
afterEach(() => {
  vi.restoreAllMocks();
});

const order = { ...paid, once: "order-17" };

/** Leaves the only doubt of a submission, and gives it. */
const loseOne = async (
  { play, lost }: Story,
  submissions: Submissions,
  call: Parameters<Submissions["run"]>[0] = order,
): Promise<Doubt> => {
  await play(failure(submissions.run(call, lost())));
  const { unknown } = await play(submissions.listOpen());
  const doubt = unknown.at(-1);
  if (doubt === undefined) throw new Error("There is no doubt");
  return doubt;
};

const refusal = (part: string) => ({
  code: "invalid_request",
  message: expect.stringContaining(part),
});

describe("decide", () => {
  test("adopts a job: repeats get its id, and it is waited for", async () => {
    const story = startStory();
    const { submissions } = story.open();
    const doubt = await loseOne(story, submissions);
    await story.play(submissions.decide(doubt, { adopt: "job-1" }));
    expect(await story.play(story.open().submissions.run(order, story.silent))).toEqual({
      answer: undefined,
      jobId: "job-1",
      isRepeated: true,
    });
    expect(await story.play(submissions.listOpen())).toMatchObject({
      waiting: [{ id: "order-17", job_id: "job-1", request: paid.body }],
      unknown: [],
    });
  });

  test("frees an id for another attempt", async () => {
    const story = startStory();
    const { submissions } = story.open();
    await story.play(submissions.decide(await loseOne(story, submissions), "resubmit"));
    const run = story.play(submissions.run(order, story.answers("job-2")));
    expect(await run).toMatchObject({ jobId: "job-2", isRepeated: false });
  });

  test("frees an id as has tells it, which refuses what is no id", async () => {
    const story = startStory();
    const { submissions } = story.open();
    expect(await story.play(submissions.has("order-17"))).toBe(false);
    const doubt = await loseOne(story, submissions);
    expect(await story.play(submissions.has("order-17"))).toBe(true);
    await story.play(submissions.decide(doubt, "resubmit"));
    expect(await story.play(submissions.has("order-17"))).toBe(false);
    for (const id of [undefined, "", 17]) {
      expect(await story.play(failure(submissions.has(id as never)))).toMatchObject(
        refusal("has takes the id of a submission, got"),
      );
    }
  });

  test("drops an id for good", async () => {
    const story = startStory();
    const { submissions } = story.open();
    await story.play(submissions.decide(await loseOne(story, submissions), "drop"));
    expect(await story.play(failure(submissions.run(order, story.silent)))).toMatchObject({
      ...refusal("dropped"),
      outcome: "unknown",
    });
    expect(await story.play(submissions.listOpen())).toMatchObject({ unknown: [], waiting: [] });
  });

  test.each([{ adopt: { job_id: "job-1" } }, "resubmit", "drop"] as const)(
    "takes %j again as done, as after a crash",
    async (decision) => {
      const story = startStory();
      const { submissions } = story.open();
      const doubt = await loseOne(story, submissions);
      for (const one of [submissions, submissions, story.open().submissions]) {
        await story.play(one.decide(doubt, decision));
      }
    },
  );

  test("is about one attempt: a later one of the same id stays in doubt", async () => {
    const story = startStory();
    const { submissions } = story.open();
    const first = await loseOne(story, submissions);
    await story.play(submissions.decide(first, "resubmit"));
    const second = await loseOne(story, submissions);
    expect(second.token).not.toBe(first.token);
    await story.play(submissions.decide(first, "resubmit"));
    for (const decision of ["drop", { adopt: "job-1" }] as const) {
      expect(await story.play(failure(submissions.decide(first, decision)))).toMatchObject(
        refusal("not in doubt about this attempt"),
      );
    }
    expect((await story.play(submissions.listOpen())).unknown).toEqual([second]);
  });

  test("refuses what is under way, or answered", async () => {
    const story = startStory();
    const { submissions } = story.open();
    let token = "";
    const own = story.open({
      swap: (id, expected, next?: NextRecord) => {
        token ||= JSON.parse(next?.text ?? "{}").attempt.token;
        return story.store.swap(id, expected, next);
      },
    });
    const run = own.submissions.run(order, story.answers("job-1", 1_000));
    await story.pass(500);
    const doubt = { id: "order-17", token };
    expect(await story.play(failure(submissions.decide(doubt, "resubmit")))).toMatchObject(
      refusal("is sending"),
    );
    await story.play(run);
    for (const decision of ["resubmit", "drop", { adopt: "job-2" }] as const) {
      expect(await story.play(failure(submissions.decide(doubt, decision)))).toMatchObject(
        refusal("is settled"),
      );
    }
  });

  test("lets one job be adopted once", async () => {
    const story = startStory();
    const { submissions } = story.open();
    const one = await loseOne(story, submissions);
    const other = await loseOne(story, submissions, { ...order, once: "order-18" });
    const decide = (doubt: Doubt) => failure(submissions.decide(doubt, { adopt: "job-1" }));
    const both = await story.play(Promise.all([decide(one), decide(other)]));
    expect(both.filter((error) => "resolved" in (error as object))).toHaveLength(1);
    expect(both).toContainEqual(expect.objectContaining(refusal('"job-1" belongs to')));
  });

  test("leaves a job to the first of two that adopt it, and the other doubt as it was", async () => {
    const story = startStory();
    const { submissions } = story.open();
    const first = await loseOne(story, submissions);
    const second = await loseOne(story, submissions, { ...order, once: "order-18" });
    let isFirst = true;
    const swap: typeof story.store.swap = async (id, expected, next) => {
      if (isFirst && id === "once:order-18") {
        isFirst = false;
        await submissions.decide(first, { adopt: "job-1" });
      }
      return story.store.swap(id, expected, next);
    };
    const slow = story.open({ swap }).submissions;
    for (const tries of [1, 2]) {
      const error = await story.play(failure(slow.decide(second, { adopt: "job-1" })));
      expect(error, `try ${tries}`).toMatchObject(refusal('"order-17"'));
      expect(await story.play(submissions.listOpen())).toMatchObject({
        waiting: [{ id: "order-17", job_id: "job-1" }],
        unknown: [{ id: "order-18", why: "not_its_job" }],
      });
    }
    const third = await loseOne(story, submissions, { ...order, once: "order-19" });
    await story.play(failure(submissions.decide(third, { adopt: "job-1" })));
    expect((await story.play(submissions.listOpen())).unknown).toContainEqual(third);
  });

  test("refuses a job that an answer named, before and after its result is saved", async () => {
    const story = startStory();
    const { submissions } = story.open();
    const doubt = await loseOne(story, submissions);
    await story.play(submissions.run({ ...order, once: "order-18" }, story.answers("job-1")));
    const adopt = () => story.play(failure(submissions.decide(doubt, { adopt: "job-1" })));
    expect(await adopt()).toMatchObject(refusal('"order-18"'));
    // As when its process ended before the claim was written.
    const claim = await story.store.get("job:job-1");
    await story.store.swap("job:job-1", claim?.rev ?? "");
    expect(await adopt()).toMatchObject(refusal('"order-18"'));
    await story.play(submissions.acknowledge("job-1"));
    expect(await adopt()).toMatchObject(refusal('"order-18"'));
  });

  test("undoes a guess that an answer contradicts", async () => {
    const story = startStory();
    const { submissions } = story.open();
    const late = story.open().submissions.run(order, story.answers("job-1", 5_000));
    const doubt = await loseOne(story, submissions, { ...order, once: "order-18" });
    await story.play(submissions.decide(doubt, { adopt: "job-1" }));
    await story.play(late);
    await story.pass(100);
    expect(await story.play(submissions.listOpen())).toMatchObject({
      waiting: [{ id: "order-17", job_id: "job-1" }],
      unknown: [{ id: "order-18", why: "not_its_job" }],
    });
  });

  test("undoes a guess that an answer contradicts while it is written", async () => {
    const story = startStory();
    const { submissions } = story.open();
    const doubt = await loseOne(story, submissions, { ...order, once: "order-18" });
    const swap: typeof story.store.swap = async (id, expected, next) => {
      if (id === "once:order-18" && next?.text.includes('"settled"')) {
        await submissions.run(order, story.answers("job-1"));
        await story.time.wait(100);
      }
      return story.store.swap(id, expected, next);
    };
    const slow = story.open({ swap }).submissions;
    expect(await story.play(failure(slow.decide(doubt, { adopt: "job-1" })))).toMatchObject(
      refusal('"order-17"'),
    );
    expect(await story.play(submissions.listOpen())).toMatchObject({
      waiting: [{ id: "order-17", job_id: "job-1" }],
      unknown: [{ id: "order-18", why: "not_its_job" }],
    });
  });

  test("undoes a guess that an answer contradicts, where a repeat asks first", async () => {
    const { open, play, answers, silent, ...story } = startStory();
    const { submissions } = open();
    const doubt = await loseOne({ ...story, open, play, answers, silent }, submissions);
    await play(submissions.decide(doubt, { adopt: "job-1" }));
    await play(submissions.run({ ...paid, once: "order-18" }, answers("job-1")));
    for (const isSaved of [false, true]) {
      if (isSaved) await play(submissions.acknowledge("job-1"));
      expect(await play(failure(open().submissions.run(order, silent)))).toMatchObject({
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
    const story = startStory();
    const { open, play, answers, silent } = story;
    const { submissions } = open();
    const doubt = await loseOne(story, submissions);
    await play(submissions.decide(doubt, { adopt: "job-1" }));
    await play(open().submissions.acknowledge("job-1"));
    await play(submissions.run({ ...paid, once: "order-18" }, answers("job-1")));
    expect(await play(open().submissions.run(order, silent))).toMatchObject({ jobId: "job-1" });
    await play(submissions.decide(doubt, { adopt: "job-1" }));
    const third = await loseOne(story, submissions, { ...paid, once: "order-19" });
    expect(await play(failure(submissions.decide(third, { adopt: "job-1" })))).toMatchObject(
      refusal('"order-18"'),
    );
    expect((await play(submissions.listOpen())).waiting).toMatchObject([{ id: "order-18" }]);
  });

  test("gives a job of its own record when its answer comes after a decision", async () => {
    const story = startStory();
    const { open, play, pass, answers } = story;
    const late: unknown[] = [];
    const first = open({}, { onLateJob: (job) => late.push(job) });
    const run = first.submissions.run(order, answers("job-1", 2 * leaseMs));
    await pass(10);
    const { submissions } = open();
    await play(submissions.listOpen());
    await pass(leaseMs);
    const [doubt] = (await play(submissions.listOpen())).unknown;
    if (doubt === undefined) throw new Error("There is no doubt");
    await play(submissions.decide(doubt, "resubmit"));
    await play(submissions.run(order, answers("job-2")));
    await play(run);
    const recordId = `order-17~${doubt.token}`;
    expect(late).toEqual([{ id: "order-17", recordId, jobId: "job-1" }]);
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
      const { open, play, pass, answers } = startStory();
      const onLateJob = vi.fn();
      const run = open({}, { onLateJob }).submissions.run(order, answers("job-1", 2 * leaseMs));
      await pass(10);
      const { submissions } = open();
      await play(submissions.listOpen());
      await pass(leaseMs);
      const [doubt] = (await play(submissions.listOpen())).unknown;
      if (doubt === undefined) throw new Error("There is no doubt");
      await play(submissions.decide(doubt, decision));
      await play(run);
      const recordId = `order-17~${doubt.token}`;
      const { waiting } = await play(submissions.listOpen());
      expect(waiting).toContainEqual(expect.objectContaining({ id: recordId, job_id: "job-1" }));
      expect(waiting).toHaveLength(decision === "drop" ? 1 : 2);
      expect(onLateJob).toHaveBeenCalledTimes(1);
    },
  );

  test("takes the id back for a late answer, where no other attempt has it", async () => {
    const { open, play, pass, answers, silent } = startStory();
    const run = open().submissions.run(order, answers("job-1", 2 * leaseMs));
    await pass(10);
    const { submissions } = open();
    await play(submissions.listOpen());
    await pass(leaseMs);
    for (const doubt of (await play(submissions.listOpen())).unknown) {
      await play(submissions.decide(doubt, "resubmit"));
    }
    await play(run);
    expect(await play(submissions.run(order, silent))).toMatchObject({ jobId: "job-1" });
  });

  test("has no job for a brand", async () => {
    const story = startStory();
    const { submissions } = story.open();
    const doubt = await loseOne(story, submissions, { ...order, method: "brands.create" });
    const adopt = submissions.decide(doubt, { adopt: "job-1" });
    expect(await story.play(failure(adopt))).toMatchObject(refusal("brands.create makes no job"));
    await story.play(submissions.decide(doubt, "resubmit"));
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
    const story = startStory();
    const { submissions } = story.open();
    const doubt = await loseOne(story, submissions);
    const broken = story.open({ swap: () => Promise.reject(new Error("full")) }).submissions;
    expect(await story.play(failure(broken.decide(doubt, "drop")))).toMatchObject({
      code: "store",
      message: expect.stringContaining("full"),
    });
    await story.play(submissions.decide(doubt, "drop"));
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
    const { open, play, answers, store } = startStory();
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
    expect(
      await play(failure(submissions.acknowledge("job-1", 17 as unknown as string))),
    ).toMatchObject(refusal("the id of a submission must be text, got 17"));
  });

  test("finds a job whose claim was not written", async () => {
    const { open, play, answers, store } = startStory();
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
    const story = startStory();
    const { open, play, answers, silent } = story;
    const { submissions } = open();
    await play(submissions.decide(await loseOne(story, submissions), { adopt: "job-1" }));
    await play(submissions.run(order, silent));
    await play(open().submissions.run({ ...paid, once: "order-18" }, answers("job-1")));
    await play(submissions.acknowledge("job-1"));
    expect(await play(submissions.listOpen())).toMatchObject({
      waiting: [],
      unknown: [{ id: "order-17", why: "not_its_job" }],
    });
  });

  test("lets the store forget what nobody can repeat, a week later", async () => {
    const { open, play, answers, store } = startStory();
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
    const { open, play } = startStory();
    const { submissions } = open();
    expect(await play(failure(submissions.acknowledge(job as string)))).toMatchObject({
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
    const story = startStory();
    const { open, play, answers, silent, pass } = story;
    const { submissions } = open();
    await play(submissions.run(paid, answers("job-1")));
    await play(submissions.run({ ...paid, once: "a" }, answers("job-2")));
    await play(submissions.acknowledge("job-2"));
    const doubt = await loseOne(story, submissions);
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
    const { open, play, ends } = startStory();
    const { submissions } = open();
    const error = makeError("server_error", "500");
    await play(failure(submissions.run(order, ends({ verdict: "doubt", error, jobId: "job-1" }))));
    const candidatesOf = async (ids: string[]) => {
      const { unknown } = await play(submissions.recover({}, jobsOf(listOf(...ids)) as never));
      return unknown.map(({ jobId, candidates }) => [jobId, candidates]);
    };
    expect(await candidatesOf(["job-2", "job-1"])).toEqual([["job-1", listOf("job-1")]]);
    expect(await candidatesOf(["job-2"])).toEqual([["job-1", []]]);
  });

  test("keeps a job as candidate while its adoption is not over", async () => {
    const story = startStory();
    const { submissions } = story.open();
    const doubt = await loseOne(story, submissions);
    const swap: typeof story.store.swap = (id, expected, next) =>
      id.startsWith("job:")
        ? story.store.swap(id, expected, next)
        : Promise.reject(new Error("full"));
    const broken = story.open({ swap }).submissions;
    await story.play(failure(broken.decide(doubt, { adopt: "job-1" })));
    const { unknown } = await story.play(submissions.recover({}, jobsOf(listOf("job-1")) as never));
    expect(unknown).toMatchObject([{ candidates: listOf("job-1") }]);
    await story.play(submissions.decide(doubt, "resubmit"));
    const other = await loseOne(story, submissions, { ...order, once: "order-18" });
    await story.play(submissions.decide(other, { adopt: "job-1" }));
  });

  test("tells the doubts without candidates where the service does not answer", async () => {
    const story = startStory();
    const { submissions } = story.open();
    await loseOne(story, submissions);
    const error = makeError("server_error", "503");
    const jobs = { list: () => Promise.reject(error), get: () => Promise.reject(error) };
    const open = await story.play(submissions.recover({}, jobs));
    expect(open).toMatchObject({ candidatesError: error, unknown: [{ id: "order-17" }] });
    expect(open.unknown[0]).not.toHaveProperty("candidates");
    const aborted = makeError("aborted", "aborted");
    jobs.list = () => Promise.reject(aborted);
    expect(await story.play(failure(submissions.recover({}, jobs)))).toBe(aborted);
  });

  test("gives no candidates of one service to the submissions of another", async () => {
    const story = startStory();
    const { submissions } = story.open();
    await loseOne(story, submissions, { ...order, origin: "https://staging.test" });
    await story.play(submissions.run({ ...paid, once: "order-18" }, story.answers("job-1")));
    const jobs = { ...jobsOf(listOf("job-2")), origin: "https://ads.test" };
    const open = await story.play(submissions.recover({}, jobs as never));
    expect(open).toMatchObject({
      candidatesError: { code: "config", message: expect.stringContaining("https://staging.test") },
      unknown: [{ id: "order-17" }],
      waiting: [{ id: "order-18" }],
    });
    expect(open.unknown[0]).not.toHaveProperty("candidates");
    expect(jobs.list).not.toHaveBeenCalled();
  });

  test("tells no lost submission before the store has it as such", async () => {
    const { open, play, pass, silent } = startStory();
    void open().submissions.run(order, silent);
    await pass(10);
    const { submissions } = open({ swap: () => Promise.reject(new Error("full")) });
    await play(submissions.listOpen());
    await pass(leaseMs);
    expect(await play(failure(submissions.listOpen()))).toMatchObject({ code: "store" });
  });

  test("shows records that it cannot read", async () => {
    const { open, play, store, silent } = startStory();
    await store.swap("once:order-17", "", { rev: "1", text: "{}", list: "open" });
    const { submissions } = open();
    expect((await play(submissions.listOpen())).damaged).toEqual([{ id: "order-17", text: "{}" }]);
    expect(await play(failure(submissions.run(order, silent)))).toMatchObject({
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
