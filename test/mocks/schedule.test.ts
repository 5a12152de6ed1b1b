import { describe, expect, test } from "vitest";
import { createAsk } from "./ask.ts";
import { setUp } from "./set-up.ts";

const endless = Number.POSITIVE_INFINITY;

test.each([
  ...["fault", "outcome"].flatMap((one): [object, string][] => [
    [{ times: 0 }, `${one} options.times must be `],
    [{ account: 1 }, `${one} options.account must be `],
  ]),
  [{ operation: "jobs.pay" }, "fault options.operation must be one or more of jobs.submit, "],
  [{ operation: ["jobs.get", "x"] }, "fault options.operation must be one or more of "],
  [
    { action: "copy-ad", operation: ["jobs.get", "jobs.list"] },
    "fault options.operation must be jobs.submit, because only a submission has an action",
  ],
  [{ action: "nope" }, "outcome options.action must be one or more of copy-ad, "],
  [{ acount: "x" }, 'outcome options have no field "acount"; did you mean account?'],
])("the options %j are refused: %s", (options: object, message) => {
  const { faults, jobs } = setUp();
  const schedule = () =>
    message.startsWith("fault")
      ? faults.play({ kind: "reset" }, options)
      : jobs.next({ fail: "x" }, options);
  expect(schedule).toThrow(`The mock's ${message}`);
  expect(schedule).toThrow(TypeError);
});

test("assertPlayed and assertTaken list what still waits, and for which requests", async () => {
  const { faults, jobs, ask, submit } = setUp();
  faults.play({ kind: "status", status: 503 }, { times: 3, operation: ["jobs.get", "jobs.list"] });
  faults.play({ kind: "reset" }, { account: "test-b" });
  faults.play({ kind: "status", status: 500, body: "x".repeat(1_000) }, { operation: "jobs.get" });
  await ask("GET", "/v1/jobs");
  expect(() => faults.assertPlayed()).toThrow(
    /^3 scheduled faults were not played as often as scheduled: fault_1 \{"kind":"status","status":503\} for \{"operation":\["jobs\.get","jobs\.list"\]\} \(1 of 3; requests seen: 1\); fault_2 \{"kind":"reset"\} for \{"account":"test-b"\} \(0 of 1; requests seen: 0\); fault_3 \{"kind":"status","status":500,"body":"x{77,84}… for \{"operation":"jobs\.get"\} \(0 of 1; requests seen: 0\)\. Send the missing requests, or call faults\.remove\(id\)$/,
  );
  jobs.next({ fail: "moderation" }, { times: 2 });
  jobs.next({ result: [1], takesMs: 5 }, { account: "test-b", action: "edit-ad" });
  jobs.next({ takesMs: 5 }, { times: endless, account: "test-b" });
  await submit();
  expect(() => jobs.assertTaken()).toThrow(
    '3 scheduled outcomes were not taken as often as scheduled: outcome_1 {"fail":"moderation"} (1 of 2; requests seen: 1); outcome_2 {"result":[1],"takesMs":5} for {"action":"edit-ad","account":"test-b"} (0 of 1; requests seen: 0); outcome_3 {"takesMs":5} for {"account":"test-b"} (0 of at least 1; requests seen: 0). Send the missing requests, or call jobs.removeScheduled(id)',
  );
});

test.each([
  [undefined, "outcome must be an object of fail, result, takesMs, got undefined"],
  [{ fail: 5 }, "outcome.fail must be text, got 5"],
  [{ fail: "x", result: 1 }, "outcome must be a failure or a result, not both"],
  [{ result: 5n }, "outcome.result must be JSON"],
  [{ takesMs: -1 }, "outcome.takesMs must be milliseconds, zero or more"],
])("jobs.next refuses %s: %s", (outcome, message) => {
  const { jobs } = setUp();
  expect(() => jobs.next(outcome as never)).toThrow(message);
});

describe("the options of faults and outcomes", () => {
  const status = { kind: "status", status: 503 } as const;

  test("the option after lets requests pass before the first one is met", async () => {
    const { faults, jobs, list, ask, submit, finish } = setUp();
    faults.play(status, { after: 2, operation: "jobs.list" });
    jobs.next({ fail: "third" }, { after: 2 });
    const lists: number[] = [];
    for (let count = 0; count < 4; count += 1) {
      lists.push((await ask("GET", "/v1/jobs")).status);
      const { error = "none" } = await finish(await submit());
      expect(error).toBe(count === 2 ? "third" : "none");
    }
    expect(lists).toEqual([200, 200, 503, 200]);
    await list(1);
    expect([faults.scheduled, jobs.scheduled]).toEqual([[], []]);
  });

  test("the option body selects requests by fields of their body, at any depth", async () => {
    const { faults, jobs, ask, submit, finish } = setUp();
    const body = { prompt: "blue", images: ["a"] };
    faults.play(status, { body: { name: "Acme", look: { tone: "dry" } } });
    jobs.next({ fail: "blue" }, { body });
    const brand = async (look: object) =>
      (await ask("POST", "/v1/brands", { name: "Acme", look })).status;
    expect([await brand({ tone: "wet" }), await brand({ tone: "dry", size: 1 })]).toEqual([
      201, 503,
    ]);
    expect(await ask("POST", "/v1/brands", [1])).toMatchObject({ status: 400 });
    for (const [given, error] of [
      [{ prompt: "blue" }, undefined],
      [{ prompt: "blue", images: ["a", "b"] }, undefined],
      [{ ...body, variations: 2 }, "blue"],
    ] as const) {
      expect(await finish(await submit(given))).toMatchObject(
        error === undefined ? { status: "completed" } : { status: "failed", error },
      );
    }
  });
});

test("a request with a wrong key, or outside the API, uses up no fault", async () => {
  const { service, faults, ask } = setUp();
  faults.play({ kind: "status", status: 503 }, { after: 1 });
  const stray = createAsk(service, "nobody");
  for (const path of ["/v1/jobs", "/v1/jobs"]) expect((await stray("GET", path)).status).toBe(401);
  expect((await ask("GET", "/v1/nowhere")).status).toBe(404);
  expect((await ask("GET", "/v1/jobs")).status).toBe(200);
  expect((await ask("GET", "/v1/jobs")).status).toBe(503);
  faults.play({ kind: "status", status: 503 }, { times: endless });
  expect((await stray("GET", "/v1/jobs")).status).toBe(503);
});
