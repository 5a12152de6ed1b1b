import { describe, expect, test } from "vitest";
import {
  createManualClock,
  createMockService,
  type MockServiceOptions,
} from "../../mocks/index.ts";
import { processorMsOf } from "../helpers/processor-time.ts";
import { createAsk } from "./ask.ts";

const setUp = (options: MockServiceOptions = {}) => {
  const clock = createManualClock(Date.UTC(2026, 0, 1));
  const accounts = { "test-key": {}, "test-b": {} };
  const service = createMockService({ accounts, clock, ...options });
  const ask = createAsk(service);
  const submit = async (prompt = "", action = "generate-ad", key = "test-key"): Promise<string> =>
    (await createAsk(service, key)("POST", "/v1/jobs", { action, prompt })).data.job_id;
  const look = async (id: string, key = "test-key") =>
    (await createAsk(service, key)("GET", `/v1/jobs/${id}`)).data;
  const finish = async (id: string, key?: string) => {
    await look(id, key);
    return look(id, key);
  };
  return { clock, service, ask, submit, look, finish, account: service.account("test-key") };
};

const timed = { timeline: { queuedMs: 1_000, processingMs: 9_000 } };

describe("jobs.next", () => {
  test("decides the time that a job takes, a tenth of it in the queue", async () => {
    const { service, submit, look, clock } = setUp();
    service.jobs.next({ takesMs: 20_000 });
    const id = await submit();
    clock.advance(1_999);
    expect((await look(id)).status).toBe("queued");
    clock.advance(1);
    expect((await look(id)).status).toBe("processing");
    clock.advance(17_999);
    expect((await look(id)).status).toBe("processing");
    clock.advance(1);
    expect((await look(id)).status).toBe("completed");
  });

  test.each([
    [undefined, "outcome must be an object of fail, result, takesMs; it is missing"],
    [{}, "outcome must be an object of fail, result or takesMs"],
    [{ failed: "x" }, 'outcome has no field "failed"; it has fail, result, takesMs'],
    [{ fail: 5 }, "outcome.fail must be text; it is 5"],
    [{ fail: "x", result: 1 }, "outcome must be a failure or a result, not both"],
    [{ result: undefined }, "outcome.result must be JSON"],
    [{ result: 5n }, "outcome.result must be JSON"],
    [{ takesMs: -1 }, "outcome.takesMs must be milliseconds, zero or more"],
    [{ takesMs: Number.NaN }, "outcome.takesMs must be"],
  ])("refuses %s: %s", (outcome, message) => {
    const { service } = setUp();
    expect(() => service.jobs.next(outcome as never)).toThrow(message);
  });

  test.each([
    [{ times: 0 }, "outcome options.times must be "],
    [{ times: 1.5 }, "outcome options.times must be "],
    [{ action: "nope" }, "outcome options.action must be one of copy-ad, "],
    [{ account: 5 }, "outcome options.account must be "],
    [{ acount: "x" }, 'outcome options have no field "acount"; they have times, action, account'],
  ])("refuses the options %j", (options, message) => {
    const { service } = setUp();
    expect(() => service.jobs.next({ fail: "x" }, options as never)).toThrow(
      `The mock's ${message}`,
    );
  });
});

test("jobs.next refuses an unknown account, and the jobs.next of an account refuses another", () => {
  const { service, account } = setUp();
  const next = () => service.jobs.next({ fail: "x" }, { account: "test-c" });
  expect(next).toThrow('The mock has no account "test-c"; it has test-key, test-b');
  const own = () => account.jobs.next({ fail: "x" }, { account: "test-b" } as never);
  expect(own).toThrow(
    'The mock\'s outcome options.account must be left out or "test-key", because these are the outcomes of that account',
  );
});

test("a result may be as deep as a body, and no deeper", () => {
  const { service } = setUp();
  const deep = (levels: number) => JSON.parse("[".repeat(levels) + "]".repeat(levels));
  service.jobs.next({ result: deep(64) });
  expect(() => service.jobs.next({ result: deep(65) })).toThrow("JSON, at most 64 levels deep");
});

describe("a job can be ended from outside", () => {
  test("only while it has not finished", async () => {
    const { service, submit } = setUp(timed);
    const id = await submit();
    service.jobs.complete(id);
    for (const end of ["complete", "fail", "expire"] as const) {
      expect(() => service.jobs[end](id)).toThrow(`The job ${id} has finished`);
      expect(() => service.jobs[end]("job_x")).toThrow("The mock has no job job_x");
    }
  });

  test("with a reason that is text", async () => {
    const { service, submit } = setUp();
    const id = await submit();
    expect(() => service.jobs.fail(id, 5 as never)).toThrow("reason must be text");
    expect(() => service.jobs.complete(id, 5n)).toThrow("result must be JSON");
  });
});

test("a given result does not change with the objects that a test has got", async () => {
  const { service, submit, finish } = setUp();
  const result: { images: string[] } = { images: [] };
  service.jobs.next({ result }, { times: 2 });
  result.images.push("changed");
  const [first, second] = [await submit(), await submit()];
  await finish(first);
  for (const shown of [service.jobs.find(first), service.jobs.all[1]]) {
    Object.assign(shown?.result as object, { images: ["changed"] });
  }
  expect((await finish(first)).result).toEqual({ images: [] });
  expect((await finish(second)).result).toEqual({ images: [] });
});

describe("a magic prompt", () => {
  test.each([
    ["[[takes: 20s]]", 20_000],
    ["[[takes:500ms]]", 500],
    ["[[ takes : 1.5 m ]]", 90_000],
    ["[[takes: 0s]]", 0],
  ])("decides the time that its job takes: %s", async (prompt, ms) => {
    const { submit, look, clock } = setUp();
    const id = await submit(prompt);
    if (ms > 0) {
      clock.advance(ms - 1);
      expect((await look(id)).status).toBe("processing");
      clock.advance(1);
    }
    expect((await look(id)).status).toBe("completed");
  });

  test.each([
    ['[[result: {"images":[]}]]', { images: [] }],
    ["[[result: [[1],[2]]]]", [[1], [2]]],
    ['[[result: "]] not yet"]]', "]] not yet"],
    ["[[result: null]]", null],
  ])("decides the result: %s", async (prompt, result) => {
    const { submit, finish } = setUp();
    expect((await finish(await submit(prompt))).result).toEqual(result);
  });

  test("may hold several directives, and is shown without them", async () => {
    const { submit, look, clock } = setUp();
    const id = await submit("Lemon [[takes: 1s]] ad [[fail: too sour]]", "generate-ad-copy");
    clock.advance(1_000);
    expect((await look(id)).error).toBe("too sour");
    const copy = await submit("Lemonade [[takes: 0s]]", "generate-ad-copy");
    expect(JSON.stringify(await look(copy))).not.toContain("takes");
    expect(JSON.stringify(await look(copy))).toContain("Lemonade");
  });

  test.each(["[[takes: soon]]", "[[takes: -1s]]", "[[result: {]]", "[[result: nope]]"])(
    "is answered with 400 when it makes no sense, and costs nothing: %s",
    async (prompt) => {
      const { ask, account } = setUp();
      const answered = await ask("POST", "/v1/jobs", { action: "copy-ad", prompt });
      expect(answered.status).toBe(400);
      expect(answered.error).toMatch(/^Invalid parameter prompt: expected .* in \[\[/);
      expect(account.charges).toEqual([]);
    },
  );

  test.each(["[[1, 2], [3]]", "[[fail]]", "[[fails: x]]", "[[fail: never closed", "]] [["])(
    "needs its words: %s is a prompt like any other",
    async (prompt) => {
      const { submit, finish } = setUp();
      expect((await finish(await submit(prompt))).status).toBe("completed");
    },
  );

  test("may be in capitals, and may leave the reason out", async () => {
    const { submit, finish } = setUp();
    expect((await finish(await submit("[[FAIL: late]]"))).error).toBe("late");
    expect((await finish(await submit("[[fail:]]"))).error).toBe("Generation failed");
  });

  test("is answered with 400 when its result is too deep", async () => {
    const { ask } = setUp();
    const deep = (levels: number) => `[[result: ${"[".repeat(levels)}${"]".repeat(levels)}]]`;
    const status = async (prompt: string) =>
      (await ask("POST", "/v1/jobs", { action: "copy-ad", prompt })).status;
    expect([await status(deep(64)), await status(deep(65))]).toEqual([202, 400]);
    expect(await status(deep(4_900))).toBe(400);
  });

  test("gives way to jobs.next", async () => {
    const { service, submit, finish } = setUp();
    service.jobs.next({ result: "scripted" });
    expect((await finish(await submit("[[fail: magic]]"))).result).toBe("scripted");
  });

  test("is read in less than two seconds when it has 100,000 brackets", async () => {
    const { ask } = setUp();
    for (const part of ["[[result: ", "]]", "[[fail:", "[[result: []]", '[[result: "']) {
      const prompt = part.repeat(100_000) + "]]".repeat(100_000);
      const submit = () => ask("POST", "/v1/jobs", { action: "copy-ad", prompt });
      expect(await processorMsOf(submit)).toBeLessThan(2_000);
    }
  });
});
