import { getEventListeners } from "node:events";
import type { Job } from "adgen-sdk";
import { beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { expectNoTimers, useFakedTime } from "../../helpers/faked-time.ts";
import {
  byWay,
  createScriptedClient,
  late,
  offline,
  type PlayOptions,
  page,
  play,
  refused,
  type Step,
  seen,
  silent,
  start,
  success,
} from "./scripted-client.ts";
import { type Wait, wayNames, ways } from "./ways.ts";

useFakedTime();

/** A script, the times of its polls, and how the wait ends. By default it ends at its last poll. */
interface Rule {
  readonly name: string;
  readonly script: readonly Step[];
  readonly options?: PlayOptions;
  readonly polls: readonly number[];
  readonly at?: number;
  readonly value?: object;
  readonly error?: object;
  readonly updates?: readonly string[];
  readonly failed?: readonly object[];
}

const completed = { job_id: "job_1", status: "completed" };
const lastSeen = { jobId: "job_1", lastJob: { job_id: "job_1", status: "processing" } };
const generated = { job: { job_id: "job_1", action: "generate-ad" } } as const;
const schemas = { results: { "generate-ad": z.object({ images: z.number() }) } };
const byAge: Rule = {
  name: "polls an old job in each tenth of its age",
  script: [...Array(12).fill("processing"), "completed"],
  options: { ...generated, intervalMs: undefined },
  polls: [
    0, 2_000, 4_000, 6_000, 8_000, 10_000, 12_000, 14_000, 16_000, 18_000, 20_000, 22_000, 24_200,
  ],
  value: completed,
};

const rules: readonly Rule[] = [
  {
    name: "outlasts temporary failures, and resolves with a failed job",
    script: ["queued", 503, offline, "paused", page(200), seen("processing", 3), "failed"],
    polls: [0, 1_000, 2_500, 4_750, 8_125, 13_188, 16_188],
    value: { job_id: "job_1", status: "failed" },
    updates: ["queued", "paused", "processing", "failed"],
    failed: [{ status: 503 }, { code: "connection" }, { code: "decode" }],
  },
  {
    name: "ends at once at a refusal",
    script: ["processing", page(403), 403],
    polls: [0, 1_000, 2_500],
    error: { ...lastSeen, name: "ApiError", status: 403 },
    failed: [{ status: 403, contentType: "text/html" }],
  },
  {
    name: "ends at once at a 404 of a job that was seen",
    script: [503, "processing", 404],
    polls: [0, 1_000, 2_500],
    error: { ...lastSeen, code: "not_found" },
    failed: [{ status: 503 }],
  },
  {
    name: "ends after the third of the same useless responses",
    script: [405],
    options: { intervalMs: 40_000 },
    polls: [0, 40_000, 80_000],
    error: { status: 405, jobId: "job_1" },
    failed: [{ status: 405 }, { status: 405 }],
  },
  {
    name: "ends at its deadline, after a last poll",
    script: ["processing"],
    options: { timeoutMs: 2_000 },
    polls: [0, 1_000, 2_000],
    error: { ...lastSeen, code: "poll_timeout" },
  },
  {
    name: "keeps the Retry-After of a 429, up to its deadline",
    script: [refused(429, 9), "completed"],
    options: { timeoutMs: 4_000 },
    polls: [0, 4_000],
    value: completed,
    failed: [{ status: 429 }],
  },
  {
    name: "ends at its deadline if the service is silent",
    script: [silent],
    options: { timeoutMs: 2_000 },
    polls: [0, 2_000],
    at: 2_500,
    error: { code: "poll_timeout", cause: { code: "timeout" } },
    failed: [{ code: "timeout" }, { code: "timeout" }],
  },
  {
    name: "gives the last poll time of its own",
    script: ["processing", late(400, "completed")],
    options: { timeoutMs: 1_000 },
    polls: [0, 1_000],
    at: 1_400,
    value: completed,
  },
  byAge,
  {
    name: "checks the result by the schema of the job's action",
    script: ["processing", success({ status: "completed", result: { images: "four" } })],
    options: { ...generated, client: { schemas } },
    polls: [0, 1_000],
    error: {
      name: "DecodeError",
      issues: [{ path: ["result", "images"], message: expect.any(String) }],
      lastJob: { ...completed, result: { images: "four" } },
    },
  },
];

/** The stack of an error names this file, except in results of watchJobs. */
const callerIn = (name: string) => (name === "watchJobs" ? "" : "ways.ts");

describe.each([...wayNames, "submitAndPoll"])("%s", (name) => {
  const by = byWay(name);
  /** A wait that follows a submission has its own time for the first poll. */
  const own = by.submission ? rules.filter((rule) => rule !== byAge) : rules;

  test.each(own)("a wait $name", async ({ script, options, polls, value, ...end }) => {
    const { signal } = new AbortController();
    const played = await play(script, { ...options, ...by, signal });
    const { at = polls.at(-1), updates, failed = [] } = end;
    const { error, ...settled } = played.settled;
    expect(played.polls.slice(by.submission ? 1 : 0)).toEqual(polls);
    expect(settled).toEqual(value === undefined ? { at } : { at, value });
    if (end.error !== undefined) {
      expect(error).toMatchObject({ ...end.error, attempts: polls.length, elapsedMs: at });
      // The stack begins with the error itself, and then names the caller.
      expect(error.stack.startsWith(`${error.name}: ${error.message}\n`)).toBe(true);
      expect(error.stack).toContain(callerIn(name));
    }
    if (updates) expect(played.updates.map(({ status }) => status)).toEqual(updates);
    // The failure that ends the wait is thrown instead.
    expect(played.failed).toMatchObject(failed);
    expect(played.failed).toHaveLength(failed.length);
    await expectNoTimers();
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => {}));

  test("an observer sees each job before the wait gives it", async () => {
    const job = { job_id: "job_1", status: "completed", result: 7 };
    const seen: unknown[] = [];
    const onUpdate = (update: Job) => seen.push(update, { ...played.settled });
    const played = start([success(job)], { ...by, onUpdate });
    await vi.runAllTimersAsync();
    expect(seen).toEqual([job, {}]);
    expect(played.settled.value).toEqual(job);
  });

  const bug = new Error("bug in a progress bar");
  const throwIt = () => {
    throw bug;
  };

  test.each<[string, () => unknown, number]>([
    ["throws", throwIt, 2],
    ["rejects", () => Promise.reject(bug), 2],
    ["never ends", () => new Promise(() => {}), 0],
  ])("an observer that %s doesn't end the wait", async (_, observe, printed) => {
    const { settled } = await play(["queued", "completed"], {
      ...by,
      onUpdate: observe as () => void,
    });
    expect(settled.value).toEqual(completed);
    const told = ["adgen-sdk: onUpdate failed", bug];
    expect(vi.mocked(console.error).mock.calls).toEqual(Array(printed).fill(told));
  });

  const aborted = { ...lastSeen, name: "AbortError", cause: "seen enough" };
  test.each([
    ["ends the wait", "processing", { error: aborted }],
    ["does not lose a finished job", "completed", { value: completed }],
  ])("an observer that aborts %s", async (_, status, end) => {
    const controller = new AbortController();
    const onUpdate = () => controller.abort("seen enough");
    const { signal } = controller;
    const { polls, settled } = await play([status, "completed"], { ...by, signal, onUpdate });
    expect(settled).toMatchObject(end);
    expect(polls).toHaveLength(by.submission ? 2 : 1);
  });
});

describe.each(wayNames)("%s", (name) => {
  const wait: Wait = ways[name];

  test("a wait sends nothing if it was aborted before", async () => {
    const { polls, settled } = await play(["completed"], {
      wait,
      signal: AbortSignal.abort("enough"),
    });
    expect(polls).toEqual([]);
    expect(settled.error).toMatchObject({ name: "AbortError", code: "aborted", cause: "enough" });
    expect(settled.error).toMatchObject({ jobId: "job_1", attempts: 0 });
    expect(settled.error.message).toMatch(/^the wait for job "job_1" was aborted/);
    expect(settled.error.stack).toContain(callerIn(name));
  });

  test("a wait ends at once if its client can't send at all", async () => {
    const { settled } = await play(["completed"], { wait, client: { baseUrl: "/adgen" } });
    expect(settled).toMatchObject({ at: 0, error: { name: "ConfigError", code: "config" } });
    expect(settled.error).toMatchObject({ jobId: "job_1" });
    expect(settled.error.outcome).toBeUndefined();
  });

  test("a wait passes on an error that isn't the library's", async () => {
    const bug = new TypeError("somebody's wrapper");
    await expect(wait({ jobs: { get: () => Promise.reject(bug) } }, "job_1")).rejects.toBe(bug);
  });

  test.each([undefined, {}, "", ".."])("a wait refuses %j, which isn't a job", async (job) => {
    const { client, polls } = createScriptedClient(["completed"]);
    const error = await wait(client, job as string).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "InvalidRequestError", code: "invalid_request" });
    expect(error.message).toContain(job === ".." ? '".."' : "must be a non-empty string");
    expect(error.outcome).toBeUndefined();
    expect(polls).toEqual([]);
  });

  test("a wait is refused without a client", async () => {
    const then = { pollOnce: "a ticket", pollJob: "the job", watchJob: "the job" };
    const what = name in then ? then[name as keyof typeof then] : "a list of jobs";
    const error = await wait(undefined as never, "job_1").catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "InvalidRequestError", code: "invalid_request" });
    expect(error.message).toBe(`${name} takes a client first, and then ${what}; got undefined`);
    expect(error.stack).toContain("ways.ts");
  });
});
