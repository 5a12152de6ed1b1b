import { inspect } from "node:util";
import { createClient, type LearnedDurations, pollJob } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { drawFreely, lognormal } from "../../bench/polling/laws.ts";
import { createRandom } from "../../bench/polling/random.ts";
import { learned, simulateLearning } from "../../bench/polling/schedules.ts";
import { InvalidRequestError } from "../../src/errors/errors.ts";
import type * as Library from "../../src/index.ts";
import { createLearnedDurations, type Schedule } from "../../src/polling/schedule/durations.ts";
import { memoryOf } from "../../src/request/job-memory.ts";
import { useFakedTime } from "../helpers/faked-time.ts";
import { createScriptedClient, submitted, teach } from "./scripted-client.ts";

useFakedTime();

/** Another copy of the library, as the CommonJS files are beside the ES modules. */
const loadCopy = async (): Promise<typeof Library> => {
  vi.resetModules();
  return import("../../src/index.ts");
};

/** When the first poll after a submission comes, in milliseconds. */
const firstPollWith = async (durations: LearnedDurations, wait: typeof pollJob = pollJob) => {
  const { client, polls } = createScriptedClient([submitted(), "completed"], { durations });
  const waited = wait(client, await client.jobs.submit({ action: "generate-ad" }));
  await vi.runAllTimersAsync();
  expect(await waited).toEqual({ job_id: "job_1", status: "completed" });
  return polls[1];
};

describe("durations of another copy of the package", () => {
  test("teach the waits of a client, and of that copy", async () => {
    const copy = await loadCopy();
    expect(copy.createLearnedDurations).not.toBe(createLearnedDurations);
    for (const [create, wait] of [
      [copy.createLearnedDurations, pollJob],
      [createLearnedDurations, copy.pollJob],
    ] as const) {
      const firstMs = await firstPollWith(teach(create(), 60, 20_000), wait);
      expect(firstMs).toBeGreaterThan(19_000);
      expect(firstMs).toBeLessThan(24_000);
    }
  });

  test("learn from the waits of a client", async () => {
    const durations = (await loadCopy()).createLearnedDurations();
    await firstPollWith(durations);
    expect(Object.keys(durations.toJSON().actions)).toEqual(["generate-ad"]);
  });
});

describe("the memory of a client's jobs", () => {
  test("is none for a wait of a version whose memory has another shape", async () => {
    const { client } = createScriptedClient(["completed"]);
    const get = (...given: Parameters<typeof client.jobs.get>) => client.jobs.get(...given);
    const jobs = { get, [Symbol.for("adgen-sdk.memory")]: {} };
    expect(await pollJob({ jobs }, "job_1")).toMatchObject({ status: "completed" });
  });

  test("is shown by no log", () => {
    const { jobs } = createClient({ baseUrl: "https://ads.test", apiKey: "key" });
    expect(inspect({ jobs }, { depth: 5 })).not.toMatch(/durations|underWay|WeakMap/);
    expect(Object.keys(jobs)).toEqual(["submit", "get", "list", "submitAndPoll"]);
  });

  test.each<[how: string, wrap: (jobs: object) => object]>([
    ["a copy with other methods", (jobs) => ({ ...jobs, submit: () => {}, get: () => {} })],
    [
      "a copy whose methods are all wrapped",
      (jobs) => ({
        ...jobs,
        submit: () => {},
        get: () => {},
        list: () => {},
        submitAndPoll: () => {},
      }),
    ],
    ["an object that inherits", (jobs) => Object.assign(Object.create(jobs), { get: () => {} })],
    [
      "methods that were wrapped in their place",
      (jobs) =>
        Object.assign(jobs, Object.fromEntries(Object.keys(jobs).map((key) => [key, () => {}]))),
    ],
    [
      "a proxy that wraps what it gives",
      (jobs) =>
        new Proxy(jobs, {
          get: (target, key) => {
            const value: unknown = Reflect.get(target, key);
            return typeof value === "function" ? async () => value() : value;
          },
        }),
    ],
  ])("stays in %s", (_, wrap) => {
    const { jobs } = createClient({ baseUrl: "https://ads.test", apiKey: "key" });
    const memory = memoryOf(jobs);
    expect(memory).toHaveProperty("durations");
    expect(memoryOf(wrap(jobs))).toBe(memory);
    expect(memoryOf({ get: async () => {} })).toBeUndefined();
  });

  test("lies under a key that names its shape", () => {
    const { jobs } = createScriptedClient(["completed"]).client;
    const [key] = Object.getOwnPropertySymbols(jobs);
    const memory = memoryOf(jobs);
    const names = [Symbol.keyFor(key ?? Symbol()), ...Object.keys(memory ?? {})].join(" ");
    // Where the names change, the number in the key must rise.
    expect(names).toBe(
      "adgen-sdk.memory.10 durations noteSubmitted submissionOf noteSeen seenAt underWay failures recover baseUrl hasProxy",
    );
  });
});

const action = "generate-ad";
const jobs = (count: number) => drawFreely(lognormal(8_000, 0.6), count, createRandom(1));

const create = createLearnedDurations as (
  ...given: Parameters<typeof createLearnedDurations>
) => Schedule;

test("JSON restores to the same plan, and reading it changes none", () => {
  const durations = create();
  simulateLearning(durations, jobs(19), 1_000);
  const next = learned(durations, 1_000);
  const text = JSON.stringify(durations);
  const restored = create(JSON.parse(text));
  const nextRestored = learned(restored, 1_000);
  for (let ms = 0; ms < 60_000; ms += 777) expect(nextRestored(ms, 0)).toBe(next(ms, 0));
  expect(JSON.stringify(restored)).toBe(text);
});

test("the lists of several snapshots may be joined, and the last 60 jobs count", () => {
  const seen = Array.from({ length: 70 }, (_, ms) => [ms, ms + 9] as const);
  const actions = { [action]: [...seen.slice(0, 35), ...seen.slice(35)], none: [] };
  const durations = create({ version: 2, actions });
  expect(durations.toJSON().actions).toEqual({ [action]: seen.slice(10) });
  expect(durations.nextPollAt("none", 0)).toBe(2_000);
});

describe("refuses", () => {
  test.each<[name: string, snapshot: unknown, message: RegExp]>([
    ["text", "{}", /^a snapshot of durations must be what JSON\.stringify/],
    ["another version", { version: 1, actions: {} }, /^a snapshot of durations must be/],
    ["a list of actions", { version: 2, actions: [] }, /^a snapshot of durations must be/],
    ["jobs that are no list", { version: 2, actions: { a: 5 } }, /^snapshot.actions\["a"\] must/],
    ...[
      "[-1,1]",
      "[3,3]",
      "[1.5,2]",
      '["1",2]',
      "[1]",
      "[1,null]",
      "[1,5400001]",
      "[1,2,3]",
      "5",
    ].map((entry): [string, unknown, RegExp] => [
      `the entry ${entry}`,
      { version: 2, actions: { [action]: [[0, 5_400_000], JSON.parse(entry)] } },
      /^snapshot\.actions\["generate-ad"\]\[1\] must be \[from, to\]/,
    ]),
  ])("%s", (_, snapshot, message) => {
    const restore = () => createLearnedDurations(snapshot as never);
    expect(restore).toThrow(message);
    expect(restore).toThrow(InvalidRequestError);
  });
});

test("an action may have any name", () => {
  const durations = createLearnedDurations();
  for (const name of ["__proto__", "constructor", "x".repeat(10_000)]) {
    durations.add(name, { afterMs: 900, byMs: 1_000 });
  }
  const restored = createLearnedDurations(JSON.parse(JSON.stringify(durations)));
  const names = Object.keys(restored.toJSON().actions);
  expect(names).toContain("__proto__");
  expect(Math.max(...names.map(({ length }) => length))).toBe(100);
  expect(({} as Record<string, unknown>)["100"]).toBeUndefined();
});

test("the actions that were longest without a job are forgotten beyond 50", () => {
  const durations = createLearnedDurations();
  for (let index = 0; index < 120; index += 1) {
    durations.add(`action-${index}`, { afterMs: 900, byMs: 1_000 });
    durations.add("often", { afterMs: 900, byMs: 1_000 });
  }
  const names = Object.keys(durations.toJSON().actions);
  expect(names).toHaveLength(50);
  expect(names).toContain("often");
  expect(names).toContain("action-119");
  expect(names).not.toContain("action-0");
});

test("times that make no sense change nothing, or as little as they can", () => {
  const durations = create();
  durations.add(action, { afterMs: Number.NaN, byMs: 5 });
  durations.add(action, { afterMs: 5, byMs: Number.NaN });
  expect(durations.toJSON().actions).toEqual({});
  durations.add(action, { afterMs: 9_000, byMs: 10 });
  durations.add(action, { afterMs: -5, byMs: 0 });
  durations.add(action, { afterMs: 1e12, byMs: Number.POSITIVE_INFINITY });
  expect(Number.isFinite(durations.nextPollAt(action, 0))).toBe(true);
});
