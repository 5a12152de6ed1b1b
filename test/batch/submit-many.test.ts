import { BadRequestError, submitMany } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import * as z from "zod/mini";
import { success as answerOk } from "../helpers/answers.ts";
import { clientOf, pause } from "../helpers/client.ts";
import { type Answer, listen } from "../helpers/http-server.ts";
import { lossesOf, refusals } from "../helpers/service-faults.ts";
import { passTime } from "../polling/fake-service.ts";
import { late, pollOf, seen, success, useFakedTime } from "../polling/scripted-client.ts";
import { collect } from "../polling/ways.ts";
import { accepted, adsOf, numberedAds, startBatch, submitAll } from "./batch-service.ts";

describe("submitMany", () => {
  useFakedTime();

  test("gives each result as it comes, and tells of each step, with its request's index", async () => {
    const jobOfSlow = [seen("processing", 1), success({ status: "failed", error: "no luck" })];
    const service = startBatch(
      {
        bad: late(10, 400),
        gone: late(20, accepted("gone")),
        "job-gone": 410,
        misfit: late(30, accepted("misfit")),
        "job-slow": (request) => pollOf(jobOfSlow.shift() ?? 500)(request),
      },
      { schemas: { results: { "generate-ad": z.string(), "edit-ad": z.number() } } },
    );
    const misfit = { action: "edit-ad", prompt: "misfit" } as const;
    const told: unknown[] = [];
    const requests = [...adsOf("slow", "bad", "gone"), misfit, ...adsOf("quick")];
    const { submissions, given } = submitAll(service, requests, {
      onSubmitted: ({ job_id, status }, index) => told.push([job_id, status, index]),
      onSubmitFailed: ({ code }, index) => told.push([code, index]),
      onUpdate: ({ status }, { polls }, index) => told.push([status, polls, index]),
    });
    await vi.runAllTimersAsync();

    const [jobId, gone] = ["job-slow", "job-gone"];
    const failure = (fields: object) => ({ ok: false, error: expect.objectContaining(fields) });
    const made = { job_id: "job-quick", status: "completed", result: "made" };
    const lastJob = { ...made, job_id: "job-misfit" };
    expect(given).toEqual([
      { at: 0, index: 4, jobId: "job-quick", ok: true, data: made },
      { at: 10, index: 1, ...failure({ code: "bad_request", outcome: "refused" }) },
      { at: 20, index: 2, jobId: gone, ...failure({ status: 410, jobId: gone }) },
      { at: 30, index: 3, jobId: "job-misfit", ...failure({ code: "decode", lastJob }) },
      {
        ...{ at: 1_000, index: 0, jobId, ok: true },
        data: { job_id: jobId, status: "failed", error: "no luck" },
      },
    ]);
    expect(given[2].error.outcome).toBeUndefined();
    expect(told).toEqual([
      ["job-slow", "queued", 0],
      ["job-quick", "queued", 4],
      ["processing", 1, 0],
      ["completed", 1, 4],
      ["bad_request", 1],
      ["job-gone", "queued", 2],
      ["job-misfit", "queued", 3],
      ["failed", 2, 0],
    ]);
    expect([...submissions.submitted]).toEqual(
      [0, 4, 2, 3].map((index) => {
        const job_id = `job-${requests[index]?.prompt}`;
        return [index, { job_id, status: "queued" }];
      }),
    );
  });

  test("sends nothing before the first next(), and nothing at all of no requests", async () => {
    const { client, posted } = startBatch();
    const results = submitMany(client, adsOf("a"));
    await passTime(60_000);
    await results.return();
    expect(await collect(results)).toEqual([]);
    expect(await collect(submitMany(client, []))).toEqual([]);
    expect(posted).toEqual([]);
  });

  test.each([
    [6, {}],
    [1, { concurrency: 1 }],
    [2, { concurrency: 2 }],
    [12, { concurrency: 100 }],
  ])("has %i of 12 submissions under way at once, with %j, whatever waits take", async (...row) => {
    const [limit, options] = row;
    const service = startBatch({}, { latencyMs: 20 });
    const { given } = submitAll(service, numberedAds(12), options);
    await vi.runAllTimersAsync();
    expect(given).toMatchObject(Array(12).fill({ ok: true }));
    expect(service.requests.flatMap(({ isPost, at }) => (isPost ? [at] : []))).toEqual(
      given.map((_, index) => 20 * Math.floor(index / limit)),
    );
  });

  test("prints what an observer throws, and goes on", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const bug = new Error("the disk is full");
    const onSubmitted = () => {
      throw bug;
    };
    const { given } = submitAll(startBatch(), adsOf("a", "b"), { onSubmitted });
    await vi.runAllTimersAsync();
    expect(given).toMatchObject([{ ok: true }, { ok: true }]);
    expect(print.mock.calls).toEqual(Array(2).fill(["adgen-sdk: onSubmitted failed", bug]));
  });

  test("ends at once by a bug, also while the loop is busy, and throws it as it is", async () => {
    const bug = new TypeError("somebody's wrapper");
    const refusal = new BadRequestError("bad_request", "bad prompt");
    const submit = vi
      .fn(() => pause(5).then(() => Promise.reject(refusal)))
      .mockRejectedValueOnce(refusal)
      .mockRejectedValueOnce(bug);
    const client = { jobs: { submit, get: () => Promise.reject(bug) } };
    const results = submitMany(client, numberedAds(50), { concurrency: 2 });
    expect((await results.next()).value).toMatchObject({ index: 0, ok: false });
    await passTime(60);
    expect(submit.mock.calls.length).toBeLessThanOrEqual(3);
    await expect(results.next()).rejects.toBe(bug);
  });
});

test("every charge of a service with many faults is a known job, or an unknown outcome", async () => {
  const stopping = ["unauthorized", "payment_required"];
  const free = refusals.filter(({ error }) => !stopping.includes(error.code));
  const losses = lossesOf(202).filter(({ isSlow }) => !isSlow);
  const faults = [...free, ...losses];
  const answers = new Map(faults.map(({ name, answer }) => [name, answer]));
  const posted: string[] = [];
  const server = await listen((response, request) => {
    const { prompt } = request.method === "POST" ? JSON.parse(request.body) : {};
    if (prompt) posted.push(prompt);
    const queued = { job_id: `job-${prompt}`, status: "queued" };
    const good: Answer = prompt
      ? answerOk(queued, 202, { "retry-after": "0" })
      : answerOk({ status: "completed" });
    (answers.get(prompt) ?? good)(response, request);
  });
  const prompts = faults.flatMap(({ name }, index) => [name, `fine-${index}`]);
  const options = { concurrency: 20, stopAfterFailures: 1_000 };
  const client = clientOf(server, { maxRetries: 0 });
  const results = await collect(submitMany(client, adsOf(...prompts), options));
  expect(posted.toSorted()).toEqual(prompts.toSorted());
  const known = results
    .sort((one, other) => one.index - other.index)
    .map(({ jobId, error }) => jobId ?? error?.outcome);
  const expected = (fault: (typeof faults)[number]) =>
    free.includes(fault) ? "refused" : "unknown";
  expect(known).toEqual(faults.flatMap((fault, i) => [expected(fault), `job-fine-${i}`]));
});
