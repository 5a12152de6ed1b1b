import { BadRequestError, type SubmittedJob, submitMany } from "adgen-sdk";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod/mini";
import { failure, success } from "../helpers/answers.ts";
import { lossesOf, refusals } from "../helpers/service-faults.ts";
import {
  accepted,
  adsOf,
  collect,
  createHolds,
  numberedAds,
  startBatchService,
} from "./batch-service.ts";

describe("submitMany", () => {
  test("gives each result as soon as it is there, with its request's index", async () => {
    const { hold, release } = createHolds();
    const finished = success({ status: "failed", error: "no luck" });
    const { client } = await startBatchService({
      poll: (id) => (id === "job-slow" ? hold("slow", finished) : undefined),
    });
    const results = submitMany(client, adsOf("slow", "quick"));
    expect((await results.next()).value).toEqual({
      index: 1,
      jobId: "job-quick",
      ok: true,
      data: { job_id: "job-quick", status: "completed", result: "made" },
    });
    release();
    expect((await results.next()).value).toEqual({
      index: 0,
      jobId: "job-slow",
      ok: true,
      data: { job_id: "job-slow", status: "failed", error: "no luck" },
    });
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });

  test("sends nothing before the first next()", async () => {
    const { client, posted } = await startBatchService();
    const results = submitMany(client, adsOf("a"));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(posted).toEqual([]);
    await results.return();
    expect(await collect(results)).toEqual([]);
    expect(posted).toEqual([]);
  });

  test.each([
    [6, {}],
    [2, { concurrency: 2 }],
    [12, { concurrency: 100 }],
  ])("has %i of 12 submissions under way at once, with %j", async (limit, options) => {
    const { hold, release } = createHolds();
    const { client, posted, hasPosted, mostAtOnce } = await startBatchService({
      post: (prompt) => ({ answer: hold(prompt, accepted(prompt)), isCharged: true }),
    });
    const all = collect(submitMany(client, numberedAds(12), options));
    await hasPosted(limit);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(posted).toHaveLength(limit);
    for (let answered = 0; answered < 12; answered++) {
      release(String(answered));
      await hasPosted(Math.min(12, answered + 1 + limit));
    }
    expect(await all).toHaveLength(12);
    expect(mostAtOnce()).toBe(limit);
  });

  test("goes on sending while jobs are waited for", async () => {
    const { hold, release } = createHolds();
    const { client, hasPosted } = await startBatchService({
      poll: (id) => hold(id, success({ status: "completed", result: 1 })),
    });
    const all = collect(submitMany(client, numberedAds(9), { concurrency: 1 }));
    await hasPosted(9);
    const releasing = setInterval(release, 5);
    onTestFinished(() => clearInterval(releasing));
    expect((await all).every(({ ok }) => ok)).toBe(true);
  });

  test("keeps the error of one request in its place", async () => {
    const { client } = await startBatchService({
      post: (prompt) =>
        prompt === "bad" ? { answer: failure(400, "bad prompt"), isCharged: false } : undefined,
      poll: (id) => (id === "job-gone" ? failure(410) : undefined),
    });
    const results = await collect(submitMany(client, adsOf("bad", "gone", "good")));
    expect(results.sort((one, other) => one.index - other.index)).toEqual([
      {
        index: 0,
        ok: false,
        error: expect.objectContaining({ code: "bad_request", outcome: "refused" }),
      },
      {
        index: 1,
        jobId: "job-gone",
        ok: false,
        error: expect.objectContaining({ status: 410, jobId: "job-gone" }),
      },
      { index: 2, jobId: "job-good", ok: true, data: expect.anything() },
    ]);
    expect(results[1]?.error?.outcome).toBeUndefined();
  });

  test("checks each result by the schema of its request's action", async () => {
    const service = await startBatchService();
    const client = service.clientWith({ schemas: { results: { "generate-ad": z.number() } } });
    const results = await collect(
      submitMany(client, [
        { action: "generate-ad", prompt: "a" },
        { action: "edit-ad", prompt: "b" },
      ]),
    );
    expect(results.find(({ index }) => index === 0)).toMatchObject({
      jobId: "job-a",
      error: { code: "decode", lastJob: { result: "made" } },
    });
    expect(results.find(({ index }) => index === 1)).toMatchObject({ data: { result: "made" } });
  });

  test("tells of each job, of each failed submission, and of each poll, with the index", async () => {
    const { client } = await startBatchService({
      post: (prompt) => (prompt === "bad" ? { answer: failure(400), isCharged: false } : undefined),
      poll: (_, polls) =>
        polls === 1 ? success({ status: "processing" }, 200, { "retry-after": "0" }) : undefined,
    });
    const jobs: [SubmittedJob, number][] = [];
    const failed: [string, number][] = [];
    const seen: [string, number, number][] = [];
    const submissions = submitMany(client, adsOf("bad", "good"), {
      onSubmitted: (job, index) => jobs.push([job, index]),
      onSubmitFailed: ({ code }, index) => failed.push([code, index]),
      onUpdate: ({ status }, { polls }, index) => seen.push([status, polls, index]),
    });
    await collect(submissions);
    expect(jobs).toEqual([[{ job_id: "job-good", status: "queued" }, 1]]);
    expect(failed).toEqual([["bad_request", 0]]);
    expect(seen).toEqual([
      ["processing", 1, 1],
      ["completed", 2, 1],
    ]);
    expect([...submissions.submitted]).toEqual([[1, { job_id: "job-good", status: "queued" }]]);
  });

  test("prints what an observer throws, and goes on", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const { client } = await startBatchService();
    const bug = new Error("the disk is full");
    const results = await collect(
      submitMany(client, adsOf("a", "b"), {
        onSubmitted: () => {
          throw bug;
        },
      }),
    );
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(print.mock.calls).toEqual([
      ["adgen-sdk: onSubmitted failed", bug],
      ["adgen-sdk: onSubmitted failed", bug],
    ]);
    print.mockRestore();
  });

  test("of no requests gives no results", async () => {
    const { client } = await startBatchService();
    expect(await collect(submitMany(client, []))).toEqual([]);
  });

  test("passes an error that is none of ours as it is, and sends nothing more", async () => {
    const bug = new TypeError("somebody's wrapper");
    const submit = vi.fn(() => Promise.reject(bug));
    const client = { jobs: { submit, get: () => Promise.reject(bug) } };
    await expect(collect(submitMany(client, numberedAds(9), { concurrency: 1 }))).rejects.toBe(bug);
    expect(submit).toHaveBeenCalledTimes(1);
  });
});

test("a bug stops the sending at once, also while the loop is busy", async () => {
  const bug = new TypeError("somebody's wrapper");
  const answers = [
    () => Promise.reject(new BadRequestError("bad_request", "bad prompt")),
    () => Promise.reject(bug),
  ];
  const submit = vi.fn(() => answers[submit.mock.calls.length - 1]?.() ?? pauseFor(5));
  const pauseFor = async (ms: number) => {
    await new Promise((resolve) => setTimeout(resolve, ms));
    return Promise.reject(new BadRequestError("bad_request", "bad prompt"));
  };
  const client = { jobs: { submit, get: () => Promise.reject(bug) } };
  const results = submitMany(client, numberedAds(50), { concurrency: 2 });
  expect((await results.next()).value).toMatchObject({ index: 0, ok: false });
  await pauseFor(60).catch(() => {});
  expect(submit.mock.calls.length).toBeLessThanOrEqual(3);
  await expect(results.next()).rejects.toBe(bug);
});

test("every charge of a service with many faults is a known job, or an unknown outcome", async () => {
  const free = new Map(
    refusals
      .filter(({ error }) => error.code !== "unauthorized" && error.code !== "payment_required")
      .map(({ name, answer }) => [name, { answer, isCharged: false }]),
  );
  const losses = new Map(
    lossesOf(202)
      .filter(({ isSlow }) => !isSlow)
      .map(({ name, answer }) => [name, { answer, isCharged: true }]),
  );
  const names = [...free.keys(), ...losses.keys()].flatMap((name) => [name, `fine ${name}`]);
  const service = await startBatchService({
    post: (prompt) =>
      free.get(prompt) ??
      losses.get(prompt) ?? { answer: accepted(String(names.indexOf(prompt))), isCharged: true },
  });
  const client = service.clientWith({ maxRetries: 0 });
  const results = await collect(
    submitMany(client, adsOf(...names), { concurrency: 20, stopAfterFailures: 1_000 }),
  );
  expect(results).toHaveLength(names.length);
  expect(new Set(service.charged).size).toBe(service.charged.length);
  for (const { index, ok, jobId, error } of results) {
    const name = names[index] ?? "";
    if (name.startsWith("fine "))
      expect({ ok, jobId }).toEqual({ ok: true, jobId: `job-${index}` });
    else expect(error?.outcome, name).toBe(service.charged.includes(name) ? "unknown" : "refused");
  }
});
