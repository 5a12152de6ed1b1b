import { type AnyAdGenError, pollJob, pollJobs } from "adgen-sdk";
import { describe, expect, test, vi } from "vitest";
import { failure, raw, success } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import { finishAll, idsOf, limitOf, listed, startListedJobs } from "./listed-jobs.ts";

const soon = { intervalMs: 5, maxIntervalMs: 10 };

describe("a list", () => {
  const tooLarge = raw(200, "x".repeat(5_000), { "content-type": "application/json" });

  test.each([
    ["that takes no limit is asked without one", [failure(400)], ["24", null]],
    ["that is too large is asked with a smaller limit", [tooLarge], ["24", "20"]],
  ])("%s", async (_, answers, limits) => {
    const service = await startListedJobs(12);
    service.listAnswers.push(...answers);
    const all = pollJobs(service.clientWith({ maxResponseBytes: 4_000 }), idsOf(12), soon);
    await listed(service, 3);
    finishAll(service);
    expect((await all).every(({ ok }) => ok)).toBe(true);
    expect(service.lists.slice(0, 2).map(limitOf)).toEqual(limits);
  });

  test.each([
    ["is not there", failure(404)],
    ["is forbidden", failure(403)],
    ["is unreadable", success({ jobs: "many" })],
    ["has an item that is no job", success({ jobs: [{ job_id: 7 }] })],
    ["fails alone", failure(500)],
    ["is refused to this key", failure(401)],
  ])("that %s is left alone: each wait looks for itself", async (_, answer) => {
    const service = await startListedJobs(6);
    service.listAnswers.push(answer, answer, answer);
    const failed: AnyAdGenError[] = [];
    const all = pollJobs(service.client, idsOf(6), {
      ...soon,
      onPollFailed: (error) => failed.push(error),
    });
    await expect.poll(() => service.singles.length).toBeGreaterThan(12);
    finishAll(service);
    expect((await all).every(({ ok }) => ok)).toBe(true);
    expect(service.lists).toHaveLength(1);
    expect(failed).toEqual([]);
  });

  test("that says finished where the job goes on makes no hot loop", async () => {
    const service = await startListedJobs(6);
    const jobs = idsOf(6).map((job_id) => ({ job_id, status: "completed" }));
    service.listAnswers.push(...Array(200).fill(success({ jobs })));
    const options = { intervalMs: 100, timeoutMs: 450 };
    const results = await pollJobs(service.client, idsOf(6), options);
    expect(results.every(({ error }) => error?.code === "poll_timeout")).toBe(true);
    expect(service.singles.length).toBeLessThan(6 * 7);
  });
});

describe("an outage", () => {
  test("is one failed look for all waits, and is waited out", async () => {
    const { client, lists, singles, statuses, listAnswers } = await startListedJobs(10);
    listAnswers.push(failure(503));
    statuses.clear();
    // The single poll that the list is held against fails in the same way.
    const down = new Map<string, AnyAdGenError>();
    const jobs = { ...client.jobs, get: vi.fn(client.jobs.get) };
    jobs.get.mockImplementationOnce((ref, options) =>
      client.jobs.list({}, options).then(() => client.jobs.get(ref, options)),
    );
    listAnswers.push(failure(503));
    for (const id of idsOf(10)) statuses.set(id, "completed");
    const results = await pollJobs({ jobs }, idsOf(10), {
      ...soon,
      onPollFailed: (error) => down.set(error.jobId ?? "", error),
    });
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(down.size).toBeGreaterThanOrEqual(9);
    for (const [jobId, error] of down)
      if (jobId) expect(error).toMatchObject({ status: 503, jobId });
    expect(lists.length).toBeGreaterThanOrEqual(2);
    expect(singles).toHaveLength(10);
  });

  test("of the key ends all waits, each with an error of its own", async () => {
    const service = await startListedJobs(6);
    const client = service.client;
    service.listAnswers.push(...Array(20).fill(failure(401)));
    const jobs = {
      ...client.jobs,
      // As the service refuses the list, so it refuses the job.
      get: (_: unknown, options?: object) => client.jobs.list({}, options) as never,
    };
    const results = await pollJobs({ jobs }, idsOf(6), soon);
    expect(results).toEqual(
      idsOf(6).map((jobId) => ({
        ok: false,
        error: expect.objectContaining({ code: "unauthorized", status: 401, jobId, attempts: 1 }),
      })),
    );
    expect(new Set(results.map(({ error }) => error)).size).toBe(6);
  });

  test("of 429 at one wait holds up all of them", async () => {
    const service = await startListedJobs(8);
    service.listAnswers.push(failure(429, "slow down", { "retry-after": "1" }));
    const all = pollJobs(service.client, idsOf(8), soon);
    await listed(service, 1);
    finishAll(service);
    await pause(600);
    // Also one that begins now.
    const late = pollJob(service.client, "job_7", soon);
    await pause(100);
    expect(service.singles).toHaveLength(0);
    expect(service.lists).toHaveLength(1);
    expect((await all).every(({ ok }) => ok)).toBe(true);
    expect(await late).toMatchObject({ status: "completed" });
  });
});
