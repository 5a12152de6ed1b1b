import { type AdGenClient, type Job, type PollClient, pollJobs } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { failure, silence } from "../helpers/answers.ts";
import { pause } from "../helpers/client.ts";
import type { Answer } from "../helpers/http-server.ts";
import { job, late, startJobService } from "./job-service.ts";

const soon = { intervalMs: 2, maxIntervalMs: 2 };

/** A client whose waits poll each job by its id. */
const withoutList = ({ jobs }: AdGenClient): PollClient => ({
  jobs: { get: (job, options) => jobs.get(job, options) },
});

/** Answers by the job's id; there is no list. */
const byId =
  (answers: Record<string, Answer>): Answer =>
  (response, request) =>
    (answers[request.url.split("/").at(-1) ?? ""] ?? failure(404))(response, request);

describe("pollJobs", () => {
  test("gives a result for each job in the order given, errors in their places", async () => {
    const { client } = await startJobService(
      byId({
        slow: late(30, job("completed", { result: 1 })),
        gone: failure(410),
        broken: job("failed", { error: "no luck" }),
        quick: job("completed", { result: 2 }),
      }),
    );
    expect(await pollJobs(client, ["slow", "gone", "broken", "quick"])).toEqual([
      { ok: true, data: { job_id: "slow", status: "completed", result: 1 } },
      { ok: false, error: expect.objectContaining({ status: 410, jobId: "gone" }) },
      { ok: true, data: { job_id: "broken", status: "failed", error: "no luck" } },
      { ok: true, data: { job_id: "quick", status: "completed", result: 2 } },
    ]);
  });

  test.each([
    [6, {}],
    [1, { concurrency: 1 }],
    [20, { concurrency: 20 }],
  ])("has at most %i polls under way at once, with %j", async (limit, options) => {
    const held: (() => void)[] = [];
    const hold: Answer = (response, request) =>
      held.push(() => job("completed")(response, request));
    const { client, polls, asked } = await startJobService(hold);
    const ids = Array.from({ length: 20 }, (_, index) => `job_${index}`);
    const all = pollJobs(withoutList(client), ids, options);
    for (let answered = 0; answered < ids.length; answered++) {
      await asked(Math.min(ids.length, answered + limit));
      if (answered === 0) {
        await pause(20);
        expect(polls).toHaveLength(limit);
      }
      held.shift()?.();
    }
    expect((await all).every(({ ok }) => ok)).toBe(true);
    expect(polls).toHaveLength(20);
  });

  test("keeps that limit while jobs are polled again and again", async () => {
    const { client, mostAtOnce, polls } = await startJobService(
      ...Array.from({ length: 12 }, (_, poll) =>
        late(4, poll % 2 ? job("processing") : failure(503)),
      ),
      late(4, job("completed")),
    );
    const ids = ["a", "b", "c", "d", "e"];
    const results = await pollJobs(withoutList(client), ids, { ...soon, concurrency: 2 });
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(polls).toHaveLength(17);
    expect(mostAtOnce()).toBeLessThanOrEqual(2);
  });

  test("lets no job that waits for its next poll hold the place of another", async () => {
    const { client } = await startJobService(
      byId({ slow: job("processing", {}, { "retry-after": "50" }), quick: job("completed") }),
    );
    const controller = new AbortController();
    const updates: string[] = [];
    const results = await pollJobs(client, ["slow", "quick"], {
      concurrency: 1,
      signal: controller.signal,
      onUpdate: ({ job_id }) => {
        updates.push(job_id);
        if (updates.length === 2) controller.abort();
      },
    });
    expect(updates).toEqual(["slow", "quick"]);
    expect(results).toMatchObject([{ ok: false, error: { code: "aborted" } }, { ok: true }]);
  });

  test("calls onUpdate with the job of every poll", async () => {
    const { client } = await startJobService(job("completed"));
    const updates: Job[] = [];
    await pollJobs(client, ["a", "b"], { onUpdate: (update) => updates.push(update) });
    expect(updates.map(({ job_id }) => job_id).sort()).toEqual(["a", "b"]);
  });

  test("ends every wait at an abort, within 100 ms, and sends nothing more", async () => {
    const { client, asked, polls } = await startJobService(silence);
    const controller = new AbortController();
    const ids = Array.from({ length: 20 }, (_, index) => `job_${index}`);
    const all = pollJobs(withoutList(client), ids, { signal: controller.signal });
    await asked(6);
    controller.abort("enough");
    // Raced, not measured: a machine that stands still for a while delays both.
    const results = await Promise.race([all, pause(100)]);
    expect(results).toEqual(
      ids.map((jobId) => ({
        ok: false,
        error: expect.objectContaining({ name: "AbortError", cause: "enough", jobId }),
      })),
    );
    expect(polls).toHaveLength(6);
  });

  test("checks results by the schemas of their actions", async () => {
    const service = await startJobService(job("completed", { result: 4 }));
    const client = service.clientWith({
      schemas: { results: { "generate-ad": z.string(), "edit-ad": z.number() } },
    });
    const results = await pollJobs(client, [
      { job_id: "a", action: "generate-ad" },
      { job_id: "b", action: "edit-ad" },
    ]);
    expect(results).toMatchObject([
      { ok: false, error: { code: "decode", jobId: "a", lastJob: { result: 4 } } },
      { ok: true, data: { result: 4 } },
    ]);
  });

  test("of no jobs gives no results", async () => {
    const { client } = await startJobService(silence);
    expect(await pollJobs(client, [])).toEqual([]);
    expect(await pollJobs(client, new Set<string>())).toEqual([]);
  });

  test("passes an error that is none of ours as it is", async () => {
    const bug = new TypeError("somebody's wrapper");
    const client = { jobs: { get: () => Promise.reject(bug) } };
    await expect(pollJobs(client, ["a"])).rejects.toBe(bug);
  });
});

describe("pollJobs refuses", () => {
  test.each([
    ["no place at all", 0, "0"],
    ["more places than 100", 101, "101"],
    ["a number that is none", Number.NaN, "NaN"],
    ["half a place", 1.5, "1.5"],
    ["a text", "6", '"6"'],
  ])("%s", async (_, concurrency, got) => {
    const { client, polls } = await startJobService(job("completed"));
    const waited = pollJobs(client, ["a"], { concurrency: concurrency as number });
    await expect(waited).rejects.toMatchObject({
      name: "InvalidRequestError",
      code: "invalid_request",
      message: `concurrency must be a whole number from 1 to 100, got ${got}`,
    });
    expect(polls).toHaveLength(0);
  });

  test.each([
    ["one id", "job_1", '"job_1"'],
    ["one job", { job_id: "job_1" }, "an object"],
    ["nothing", undefined, "undefined"],
    ["null", null, "null"],
  ])("%s in the list's place", async (_, jobs, got) => {
    const { client, polls } = await startJobService(job("completed"));
    await expect(pollJobs(client, jobs as unknown as string[])).rejects.toMatchObject({
      name: "InvalidRequestError",
      code: "invalid_request",
      message:
        "pollJobs takes a list of jobs or ids (of jobs.list(): its items; for one job: pollJob), " +
        `got ${got}`,
    });
    expect(polls).toHaveLength(0);
  });
});
