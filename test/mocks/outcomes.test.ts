import { describe, expect, test } from "vitest";
import { processorMsOf } from "../helpers/processor-time.ts";
import { setUp } from "./set-up.ts";

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

test("a job is ended from outside by a reason that is text, or a result that is JSON", async () => {
  const { jobs, submit } = setUp();
  const id = await submit();
  expect(() => jobs.fail(id, 5 as never)).toThrow("reason must be text");
  expect(() => jobs.complete(id, 5n)).toThrow("result must be JSON");
  jobs.fail(id);
});

describe("a magic prompt", () => {
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

  test("is read in less than two seconds when it has 100,000 brackets", async () => {
    const { post } = setUp();
    for (const part of ["[[result: ", "]]", "[[fail:", "[[result: []]", '[[result: "']) {
      const prompt = part.repeat(100_000) + "]]".repeat(100_000);
      expect(await processorMsOf(() => post({ prompt }))).toBeLessThan(2_000);
    }
  });
});
