import { BadRequestError, type SubmittedJob, submitMany } from "adgen-sdk";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import * as z from "zod/mini";
import { failure, success } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { lossesOf, refusals } from "../helpers/service-faults.ts";
import { adsOf, collect, numberedAds, startBatch, submitAll, unfinished } from "./batch-service.ts";

describe("submitMany", () => {
  test("gives each result as soon as it is there, with its request's index", async () => {
    const { client, release } = await startBatch({
      answers: { "job-slow": success({ status: "failed", error: "no luck" }) },
      isHeld: (name) => name === "job-slow",
    });
    const results = submitMany(client, adsOf("slow", "quick"));
    expect((await results.next()).value).toEqual({
      ...{ index: 1, jobId: "job-quick", ok: true },
      data: { job_id: "job-quick", status: "completed", result: "made" },
    });
    release();
    expect((await results.next()).value).toEqual({
      ...{ index: 0, jobId: "job-slow", ok: true },
      data: { job_id: "job-slow", status: "failed", error: "no luck" },
    });
    expect(await results.next()).toEqual({ done: true, value: undefined });
  });

  test("sends nothing before the first next(), and nothing at all of no requests", async () => {
    const { client, posted } = await startBatch();
    const results = submitMany(client, adsOf("a"));
    await pause(20);
    await results.return();
    expect(await collect(results)).toEqual([]);
    expect(await collect(submitMany(client, []))).toEqual([]);
    expect(posted).toEqual([]);
  });

  test.each([
    [6, {}],
    [2, { concurrency: 2 }],
    [12, { concurrency: 100 }],
  ])("has %i of 12 submissions under way at once, with %j", async (limit, options) => {
    const { client, posted, release, hasPosted, mostAtOnce } = await startBatch({
      isHeld: (name) => !name.startsWith("job-"),
    });
    const all = collect(submitMany(client, numberedAds(12), options));
    await hasPosted(limit);
    await pause(20);
    expect(posted).toHaveLength(limit);
    for (let answered = 0; answered < 12; answered++) {
      release(String(answered));
      await hasPosted(Math.min(12, answered + 1 + limit));
    }
    expect(await all).toHaveLength(12);
    expect(mostAtOnce()).toBe(limit);
  });

  test("goes on sending while jobs are waited for", async () => {
    const service = await startBatch({ isHeld: (name) => name.startsWith("job-") });
    const all = collect(submitMany(service.client, numberedAds(9), { concurrency: 1 }));
    await service.hasPosted(9);
    const releasing = setInterval(service.release, 5);
    onTestFinished(() => clearInterval(releasing));
    expect((await all).every(({ ok }) => ok)).toBe(true);
  });

  test("keeps the error of one request in its place", async () => {
    const { client } = await startBatch({
      answers: { bad: failure(400, "bad prompt"), "job-gone": failure(410) },
    });
    const results = await submitAll(client, adsOf("bad", "gone", "good"));
    const refused = { code: "bad_request", outcome: "refused" };
    const gone = { status: 410, jobId: "job-gone" };
    expect(results).toEqual([
      { index: 0, ok: false, error: expect.objectContaining(refused) },
      { index: 1, jobId: "job-gone", ok: false, error: expect.objectContaining(gone) },
      { index: 2, jobId: "job-good", ok: true, data: expect.anything() },
    ]);
    expect(results[1]?.error?.outcome).toBeUndefined();
  });

  test("checks each result by the schema of its request's action", async () => {
    const { clientWith } = await startBatch();
    const client = clientWith({ schemas: { results: { "generate-ad": z.number() } } });
    const requests = [
      { action: "generate-ad", prompt: "a" },
      { action: "edit-ad", prompt: "b" },
    ] as const;
    const results = await collect(submitMany(client, requests));
    expect(results.sort((one, other) => one.index - other.index)).toMatchObject([
      { jobId: "job-a", error: { code: "decode", lastJob: { result: "made" } } },
      { data: { result: "made" } },
    ]);
  });

  test("tells of each job, of each failed submission, and of each poll, with the index", async () => {
    let polls = 0;
    const { client } = await startBatch({
      answers: {
        bad: failure(400),
        "job-good": (...input) =>
          (polls++ === 0 ? unfinished : success({ status: "completed", result: 1 }))(...input),
      },
    });
    const job = { job_id: "job-good", status: "queued" };
    const jobs: [SubmittedJob, number][] = [];
    const failed: [string, number][] = [];
    const seen: [string, number, number][] = [];
    const submissions = submitMany(client, adsOf("bad", "good"), {
      onSubmitted: (job, index) => jobs.push([job, index]),
      onSubmitFailed: ({ code }, index) => failed.push([code, index]),
      onUpdate: ({ status }, { polls }, index) => seen.push([status, polls, index]),
    });
    await collect(submissions);
    expect(jobs).toEqual([[job, 1]]);
    expect(failed).toEqual([["bad_request", 0]]);
    expect(seen).toEqual([
      ["processing", 1, 1],
      ["completed", 2, 1],
    ]);
    expect([...submissions.submitted]).toEqual([[1, job]]);
  });

  test("prints what an observer throws, and goes on", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => print.mockRestore());
    const { client } = await startBatch();
    const bug = new Error("the disk is full");
    const onSubmitted = () => {
      throw bug;
    };
    const results = await submitAll(client, adsOf("a", "b"), { onSubmitted });
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(print.mock.calls).toEqual(Array(2).fill(["adgen-sdk: onSubmitted failed", bug]));
  });
});

test("a bug stops the sending at once, also while the loop is busy, and is thrown as it is", async () => {
  const bug = new TypeError("somebody's wrapper");
  const refusal = new BadRequestError("bad_request", "bad prompt");
  const submit = vi
    .fn(() => pause(5).then(() => Promise.reject(refusal)))
    .mockRejectedValueOnce(refusal)
    .mockRejectedValueOnce(bug);
  const client = { jobs: { submit, get: () => Promise.reject(bug) } };
  const results = submitMany(client, numberedAds(50), { concurrency: 2 });
  expect((await results.next()).value).toMatchObject({ index: 0, ok: false });
  await pause(60);
  expect(submit.mock.calls.length).toBeLessThanOrEqual(3);
  await expect(results.next()).rejects.toBe(bug);
});

test("every charge of a service with many faults is a known job, or an unknown outcome", async () => {
  const stopping = ["unauthorized", "payment_required"];
  const free = refusals.filter(({ error }) => !stopping.includes(error.code));
  const losses = lossesOf(202).filter(({ isSlow }) => !isSlow);
  const faults = [...free, ...losses];
  const requests = faults.flatMap(({ name }, index) => [name, `fine-${index}`]);
  const { clientWith, posted } = await startBatch({
    answers: Object.fromEntries(faults.map(({ name, answer }) => [name, answer])),
  });
  const options = { concurrency: 20, stopAfterFailures: 1_000 };
  const results = await submitAll(clientWith({ maxRetries: 0 }), adsOf(...requests), options);
  expect(posted.toSorted()).toEqual(requests.toSorted());
  expect(results.map(({ jobId, error }) => jobId ?? error?.outcome)).toEqual(
    faults.flatMap((fault, index) => [
      free.includes(fault) ? "refused" : "unknown",
      `job-fine-${index}`,
    ]),
  );
});
