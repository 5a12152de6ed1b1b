// Decisions, late answers and lists of open submissions. property.test.ts plays their combinations.
import { expect, test, vi } from "vitest";
import type { Doubt } from "../../src/client/errors/doubt.ts";
import type { Job } from "../../src/contract/jobs.ts";
import {
  advance,
  advanceUntilDone,
  answerWith,
  failAsFull,
  here,
  leaseMs,
  loseAnswer,
  neverAnswer,
  openProcess,
  order,
  order18,
  outcomeOf,
  paid,
  refusal,
  sharedStore,
  there,
  useFixtures,
} from "./fixtures.ts";

useFixtures();

const adopt = (doubt: Doubt, one = here) => one.decide(doubt, { adopt: "job-1" });
const only18InDoubt = { unknown: [{ id: "order-18", why: "connection" }] };

test("a doubt about a brand cannot adopt a job", async () => {
  const doubt = await here.lose({ ...order, method: "brands.create" });
  expect(await outcomeOf(adopt(doubt))).toMatchObject(refusal("brands.create makes no job"));
  await here.decide(doubt, "drop");
});

test("a decision that the store fails to record can be repeated", async () => {
  const doubt = await here.lose(order);
  there.store.swap = failAsFull;
  expect(await outcomeOf(there.decide(doubt, "drop"))).toMatchObject({
    code: "store",
    message: expect.stringContaining("full"),
  });
  await here.decide(doubt, "drop");
});

test("a job belongs to the first of two submissions that adopt it, and the other stays in doubt", async () => {
  const first = await here.lose(order);
  const second = await here.lose(order18);
  there.store.swap = async (...input) => {
    there.store.swap = sharedStore.swap;
    await here.submissions.decide(first, { adopt: "job-1" });
    return sharedStore.swap(...input);
  };
  for (const tries of [1, 2]) {
    const error = await outcomeOf(adopt(second, there));
    expect(error, `try ${tries}`).toMatchObject(refusal('"order-17"'));
    expect(await here.list()).toMatchObject(only18InDoubt);
  }
  const third = await here.lose({ ...paid, once: "order-19" });
  await outcomeOf(adopt(third));
  expect((await here.list()).unknown).toContainEqual(third);
});

test("programs that live for a second and only read see that a submission is in doubt", async () => {
  void here.start(order, neverAnswer);
  await advance(10);
  here.process.kill();
  const states: string[] = [];
  for (let ms = 0; ms < 2 * leaseMs; ms += 10_000) {
    const one = openProcess();
    states.push((await one.find("order-17")).state);
    one.process.kill();
    await advance(10_000);
  }
  const leaseEnds = leaseMs / 10_000;
  expect(states.slice(0, leaseEnds)).toEqual(Array(leaseEnds).fill("sending"));
  expect(states.slice(leaseEnds)).toEqual(Array(leaseEnds).fill("in-doubt"));
});

const [dayMs, ever] = [86_400_000, Number.NaN];

test.each([
  ["for ever", undefined, ever],
  ["for keepMs", dayMs, dayMs],
])("the store keeps an answer, and the mark of its job, %s", async (_, keepMs, kept) => {
  const one = openProcess({ keepMs });
  const written = vi.spyOn(one.store, "swap");
  /** Times to live of the last writes of the record and of the mark, `NaN` for ever. */
  const livesOf = () => {
    const calls = written.mock.calls.toReversed();
    return ["once:", "job:job-1"].map(
      (place) => calls.find(([id, , next]) => next && id.startsWith(place))?.[2]?.ttlMs ?? ever,
    );
  };
  await one.submit(order, answerWith("job-1"));
  expect(livesOf()).toEqual([kept, kept]);
  await one.lose(order18);
  expect(livesOf()).toEqual([ever, kept]);
});

test("an answer that names an adopted job is reported, and both ids keep the job", async () => {
  const told = vi.spyOn(console, "error").mockImplementation(() => {});
  const doubt = await here.lose(order);
  const other = here.start(order18, answerWith("job-1", 1_000));
  await advance(0);
  await here.decide(doubt, { adopt: "job-1" });
  expect(await advanceUntilDone(other)).toMatchObject({ jobId: "job-1" });
  expect(told).toHaveBeenCalledWith(
    expect.stringContaining('the submission "order-18" made the job "job-1"'),
  );
  for (const call of [order, order18]) {
    expect(await there.submit(call, neverAnswer)).toMatchObject({ jobId: "job-1" });
  }
});

const doubt = { id: "order-17", token: "t" };
type Method = "submit" | "decide" | "find" | "list";

test.each<[method: Method, given: unknown[], part: string]>([
  // UTF-8 replaces lone surrogates, so two different ids would collide.
  ["submit", [{ ...paid, once: "order 🎄".slice(0, 7) }], "once has half of a surrogate pair"],
  ["decide", [undefined, "drop"], "decide takes a doubt"],
  ["decide", [{ id: "order-17" }, "drop"], "decide takes a doubt"],
  ["decide", [doubt, "keep"], 'got "keep"'],
  ["decide", [doubt, { adopt: "" }], "job id must be a non-empty string"],
  ...["a/../b", "..", { job_id: "a/../b" }].map((adopt): [Method, unknown[], string] => {
    const words = 'job id has a part "." or "..", as in a path: pass job.job_id or the job';
    return ["decide", [doubt, { adopt }], words];
  }),
  ["decide", [doubt, { adopt: { id: "job-9" } }], "got an object: did you mean job_id?"],
  ["decide", [doubt, { adopt: 9 }], "a non-empty string, got a number: pass job.job_id"],
  ["decide", [doubt, {}], "{ adopt: job }"],
  ["find", [undefined], "find takes the id of a submission, got"],
  ["find", [""], "find takes the id of a submission, got"],
  ["find", [17], "find takes the id of a submission, got"],
  ["list", [undefined, { candidateLimit: -1 }], "candidateLimit"],
  ["list", [undefined, { minAgeMs: 1 }], '"minAgeMs"'],
])("the method %s of submissions refuses %j", async (method, given, part) => {
  const act = here[method] as (...given: unknown[]) => Promise<unknown>;
  const outcome = method === "submit" && { outcome: "not-sent" };
  expect(await outcomeOf(act(...given))).toMatchObject({ ...refusal(part), ...outcome });
});

test("a record of another version is refused, and the message says what to do", async () => {
  await here.submit(order, answerWith("job-1"));
  const { rev = "", text = "" } = (await sharedStore.get("once:order-17")) ?? {};
  const older = text.replace('"v":2', '"v":1');
  await sharedStore.swap("once:order-17", rev, { rev: "1", text: older, list: "open" });
  const whatToDo =
    'the record of "order-17" was written by another version of adgen-sdk: settle the open ' +
    "submissions with that version, and then give this version a new store";
  for (const work of [here.submit(order, neverAnswer), here.find("order-17")]) {
    expect(await outcomeOf(work)).toMatchObject({
      code: "store",
      message: expect.stringContaining(whatToDo),
    });
  }
  expect((await here.list()).damaged).toEqual([{ id: "order-17", text: older }]);
});

const listOf = (...ids: string[]): Job[] => ids.map((id) => ({ job_id: id, status: "queued" }));

/** Creates a list of jobs as a client has it. */
const jobsOf = (...items: readonly Job[]) => ({
  list: vi.fn(async () => ({ items: [...items], meta: {} })),
});

test("a recovery lists the open submissions, and candidates that no record owns", async () => {
  await here.submit({ ...paid, once: "a" }, answerWith("job-2"));
  await outcomeOf(here.submit(order, loseAnswer));
  void there.start({ ...order, once: "b" }, neverAnswer);
  await advance(10);
  // A service may show no action, or an unknown one. Only a known other action rules a job out.
  const shown = [undefined, null, 7, "", "generateAdCopy", "generate-ad", "video-a-2"];
  const others = shown.map(
    (action, index) => ({ job_id: `shown-${index}`, status: "queued", action }) as Job,
  );
  const jobs = jobsOf(...listOf("job-5", "job-2"), ...others);
  const first = await here.list(jobs, { candidateLimit: 50 });
  expect(jobs.list).toHaveBeenCalledWith({ limit: 50 }, { signal: undefined });
  expect(first).toEqual({
    unknown: [
      {
        id: "order-17",
        token: expect.stringMatching(/^[0-9a-f]{32}$/),
        method: "jobs.submit",
        action: "generate-ad",
        submittedAt: expect.stringMatching(/^20\d\d-.*Z$/),
        request: paid.body,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        why: "connection",
        mayStillArrive: true,
        settlesAt: expect.any(Number),
        candidates: [...listOf("job-5"), ...others.slice(0, -1)],
      },
    ],
    underWay: [expect.objectContaining({ id: "b", leftMs: expect.any(Number) })],
    damaged: [],
  });
  await advance(75_000);
  const second = await here.list(jobs);
  expect(second.unknown).toMatchObject([
    { id: "order-17", mayStillArrive: false },
    { id: "b", mayStillArrive: true, why: "process_ended" },
  ]);
  expect(second.underWay).toEqual([]);
});

test("a recovery lists the nearest candidates first, and earlier jobs last", async () => {
  await advance(600_000);
  const doubts = [await here.lose(order)];
  await advance(300_000);
  doubts.push(await here.lose(order18));
  const [first = 0, second = 0] = doubts.map(({ submittedAt }) => Date.parse(submittedAt));
  const made = (id: string, created_at?: unknown): Job =>
    ({ job_id: id, status: "queued", created_at }) as Job;
  const iso = (ms: number) => new Date(ms).toISOString();
  const jobs = jobsOf(
    made("unknown"),
    made("of-no-zone", iso(first - 3_600_000).slice(0, -1)),
    made("later", iso(second + 90_000)),
    made("of-18", iso(second + 20)),
    made("of-17", iso(first + 20).replace("Z", "+00:00")),
    made("clock-behind", iso(first - 59_000)),
    made("before", iso(first - 61_000)),
    made("a-number", first - 3_600_000),
  );
  const untimed = ["unknown", "of-no-zone", "a-number"];
  const { unknown } = await here.list(jobs);
  expect(unknown.map(({ candidates }) => candidates?.map(({ job_id }) => job_id))).toEqual([
    ["of-17", "clock-behind", "of-18", "later", ...untimed, "before"],
    ["of-18", "later", ...untimed, "of-17", "clock-behind", "before"],
  ]);
});
