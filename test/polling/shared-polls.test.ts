import { type Job, pollJob, pollJobs } from "adgen-sdk";
import { describe, expect, test } from "vitest";
import { finishAll, idsOf, limitOf, listed, startListedJobs } from "./listed-jobs.ts";

const soon = { intervalMs: 5, maxIntervalMs: 10 };

describe("many waits", () => {
  test("share polls of the list, and fetch each finished job once", async () => {
    const service = await startListedJobs(30);
    const updates: Job[] = [];
    const all = pollJobs(service.client, idsOf(30), {
      ...soon,
      onUpdate: (job) => updates.push(job),
    });
    await listed(service, 4);
    finishAll(service);
    const results = await all;
    expect(results.map(({ data }) => data)).toEqual(
      idsOf(30).map((job_id) => ({ job_id, status: "completed", result: job_id })),
    );
    // More are the polls that confirm what the lists said.
    expect(service.singles.length).toBeLessThanOrEqual(33);
    expect(updates.length).toBeGreaterThanOrEqual(3 * 30);
    expect(limitOf(service.lists[0] as never)).toBe("60");
  });

  test("of separate calls share polls too, and an abort of one disturbs no other", async () => {
    const service = await startListedJobs(8);
    const controller = new AbortController();
    const waits = idsOf(8).map((id, index) =>
      pollJob(
        service.client,
        id,
        index === 3 ? { ...soon, signal: controller.signal } : soon,
      ).catch((error) => error),
    );
    await listed(service, 2);
    controller.abort("enough");
    expect(await waits[3]).toMatchObject({ name: "AbortError", cause: "enough", jobId: "job_3" });
    finishAll(service);
    const ended = await Promise.all(waits);
    expect(ended.filter(({ status }) => status === "completed")).toHaveLength(7);
  });

  test("of one to three jobs poll each for itself", async () => {
    const service = await startListedJobs(3);
    const all = pollJobs(service.client, idsOf(3), soon);
    await expect.poll(() => service.singles.length).toBeGreaterThan(6);
    finishAll(service);
    await all;
    expect(service.lists).toHaveLength(0);
  });

  test("begun at once poll the list first, and then six at a time", async () => {
    const service = await startListedJobs(300);
    finishAll(service);
    const finished = await Promise.all(idsOf(300).map((id) => pollJob(service.client, id)));
    expect(finished).toHaveLength(300);
    expect(service.mostAtOnce()).toBeLessThanOrEqual(6);
    expect(service.singles).toHaveLength(300);
    // One list shows all of them.
    expect(service.lists.map(limitOf)).toEqual(["600"]);
  });

  test("settle each for itself where some jobs are not there", async () => {
    const service = await startListedJobs(5);
    service.statuses.set("job_0", "failed");
    service.statuses.set("job_1", "completed");
    const all = pollJobs(service.client, [...idsOf(5), "unknown"], { ...soon, timeoutMs: 300 });
    const results = await all;
    expect(results).toMatchObject([
      { ok: true, data: { status: "failed" } },
      { ok: true, data: { status: "completed" } },
      ...Array(3).fill({
        ok: false,
        error: { code: "poll_timeout", lastJob: { status: "processing" } },
      }),
      { ok: false, error: { code: "poll_timeout", cause: { code: "not_found" } } },
    ]);
  });
});

describe("jobs that the list does not show", () => {
  test("are polled singly", async () => {
    const service = await startListedJobs(12, (id) => Number(id.slice(4)) < 6);
    const all = pollJobs(service.client, idsOf(12), soon);
    await listed(service, 3);
    finishAll(service);
    expect((await all).every(({ ok }) => ok)).toBe(true);
    const later = new Set(service.singles.filter((id) => Number(id.slice(4)) > 5));
    expect(later.size).toBe(6);
  });

  test("are looked for in a longer list where the limit may have cut it", async () => {
    const service = await startListedJobs(5);
    // Jobs of others come first.
    service.statuses.clear();
    for (let other = 0; other < 50; other++) service.statuses.set(`other_${other}`, "queued");
    for (const id of idsOf(5)) service.statuses.set(id, "processing");
    const all = pollJobs(service.client, idsOf(5), soon);
    await listed(service, 3);
    finishAll(service);
    expect((await all).every(({ ok }) => ok)).toBe(true);
    expect(service.lists.slice(0, 3).map(limitOf)).toEqual(["20", "80", "80"]);
  });
});
