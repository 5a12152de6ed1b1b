import { describe, expect, test } from "vitest";
import { processorMsOf } from "../helpers/processor-time.ts";
import { minute, setUp } from "./set-up.ts";

const deep = (levels: number): string => "[".repeat(levels) + "]".repeat(levels);

test.each([
  [undefined, "outcome must be an object of fail, result, takesMs; it is missing"],
  [{}, "outcome must be an object of fail, result or takesMs"],
  [{ failed: "x" }, 'outcome has no field "failed"; it has fail, result, takesMs'],
  [{ fail: 5 }, "outcome.fail must be text; it is 5"],
  [{ fail: "x", result: 1 }, "outcome must be a failure or a result, not both"],
  [{ result: undefined }, "outcome.result must be JSON"],
  [{ result: 5n }, "outcome.result must be JSON"],
  [{ result: JSON.parse(deep(65)) }, "JSON, at most 64 levels deep"],
  [{ takesMs: -1 }, "outcome.takesMs must be milliseconds, zero or more"],
  [{ takesMs: Number.NaN }, "outcome.takesMs must be"],
])("jobs.next refuses %s: %s", (outcome, message) => {
  const { jobs } = setUp();
  jobs.next({ result: JSON.parse(deep(64)) });
  expect(() => jobs.next(outcome as never)).toThrow(message);
});

test("a job that is to take for ever expires", async () => {
  const { jobs, service, submit } = setUp();
  const endless = { takesMs: Number.POSITIVE_INFINITY };
  expect(jobs.next(endless)).toMatchObject(endless);
  const id = await submit();
  service.clock.advance(30 * minute);
  expect(jobs.find(id)?.error).toBe("Job expired");
});

describe("a job can be ended from outside", () => {
  test("only while it has not finished", async () => {
    const { jobs, submit } = setUp();
    const id = await submit();
    jobs.complete(id);
    for (const end of ["complete", "fail", "expire"] as const) {
      expect(() => jobs[end](id)).toThrow(
        `The job ${id} has finished; nothing can change it any more`,
      );
      expect(() => jobs[end]("job_x")).toThrow("The mock has no job job_x");
    }
  });

  test("with a reason that is text, and a result that is JSON", async () => {
    const { jobs, submit } = setUp();
    const id = await submit();
    expect(() => jobs.fail(id, 5 as never)).toThrow("reason must be text");
    expect(() => jobs.complete(id, 5n)).toThrow("result must be JSON");
    jobs.fail(id);
    expect(jobs.find(id)?.error).toBe("Generation failed");
  });
});

describe("a magic prompt", () => {
  test.each([
    ["[[takes: 20s]]", 20_000],
    ["[[takes:500ms]]", 500],
    ["[[ takes : 1.5 m ]]", 90_000],
    ["[[takes: 0s]]", 0],
  ])("decides the time that its job takes: %s", async (prompt, ms) => {
    const { submit, jobs, clock } = setUp();
    const id = await submit({ prompt });
    clock.advance(Math.max(0, ms - 1));
    expect(jobs.find(id)?.status).toBe(ms > 0 ? "processing" : "completed");
    clock.advance(1);
    expect(jobs.find(id)?.status).toBe("completed");
  });

  test.each([
    ['[[result: {"images":[]}]]', { result: { images: [] } }],
    ["[[result: [[1],[2]]]]", { result: [[1], [2]] }],
    ['[[result: "]] not yet"]]', { result: "]] not yet" }],
    ["[[result: null]]", { result: null }],
    ["[[FAIL: late]]", { error: "late" }],
    ["[[fail:]]", { error: "Generation failed" }],
    ["Lemon [[takes: 0s]] ad [[fail: too sour]]", { error: "too sour" }],
  ])("decides the end: %s", async (prompt, end) => {
    const { submit, finish } = setUp();
    expect(await finish(await submit({ prompt }))).toMatchObject(end);
  });

  test.each([
    "[[takes: soon]]",
    "[[takes: -1s]]",
    "[[result: {]]",
    "[[result: nope]]",
    `[[result: ${deep(65)}]]`,
    `[[result: ${deep(4_900)}]]`,
  ])("is answered with 400 when it makes no sense, and costs nothing: %.40s", async (prompt) => {
    const { post, account } = setUp();
    const { status, error } = await post({ prompt });
    expect(status).toBe(400);
    expect(error).toMatch(/^Invalid parameter prompt: expected .* in \[\[/);
    expect(account.charges).toEqual([]);
    expect((await post({ prompt: `[[result: ${deep(64)}]]` })).status).toBe(202);
  });

  test.each(["[[1, 2], [3]]", "[[fail]]", "[[fails: x]]", "[[fail: never closed", "]] [["])(
    "needs its words: %s is a prompt like any other",
    async (prompt) => {
      const { submit, finish } = setUp();
      expect((await finish(await submit({ prompt }))).status).toBe("completed");
    },
  );

  test("is read in less than two seconds when it has 100,000 brackets", async () => {
    const { post } = setUp();
    for (const part of ["[[result: ", "]]", "[[fail:", "[[result: []]", '[[result: "']) {
      const prompt = part.repeat(100_000) + "]]".repeat(100_000);
      expect(await processorMsOf(() => post({ prompt }))).toBeLessThan(2_000);
    }
  });
});
